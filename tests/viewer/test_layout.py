"""Nothing in the frame lies on anything else, from 640x480 to 3840x2160, at 75 to 200 % text, on every sample map.

Sheets are laid out and not painted.
"""

from __future__ import annotations

import itertools
from dataclasses import replace

import pytest

pygame = pytest.importorskip("pygame")

from tactical import assets  # noqa: E402
from tactical.registry import SECTIONS  # noqa: E402
from tactical.show.choices import Choice  # noqa: E402
from tactical.show.drawers.raster import picture  # noqa: E402
from tactical.show.drawers.raster.sheet import measure  # noqa: E402
from tactical.show.labels import say  # noqa: E402
from tactical.show.panel import lay_out  # noqa: E402
from tactical.show.scene.shapes import Mark  # noqa: E402
from tactical.show.sheet import Sheet, Words  # noqa: E402
from tactical.units import Cell  # noqa: E402
from tactical.viewer import helping  # noqa: E402
from tactical.viewer.app import App  # noqa: E402
from tactical.viewer.files import browser  # noqa: E402
from tactical.viewer.files.library import Library, read  # noqa: E402
from tactical.viewer.offers import PARTS, TOGGLED  # noqa: E402
from tactical.viewer.picture import bars  # noqa: E402
from tactical.viewer.picture.bars import legend_page  # noqa: E402
from tactical.viewer.picture.frame import LEAST, NARROW, SHARE, Frame  # noqa: E402
from tactical.viewer.picture.theme import SIZES, first_size  # noqa: E402
from tactical.viewer.playing import menu, setup  # noqa: E402
from tactical.viewer.playing.journal import LEAST as LOG  # noqa: E402
from tactical.viewer.playing.journal import Told, drawer  # noqa: E402

WINDOWS = [(640, 480), (800, 600), (1024, 768), (1280, 800), (1920, 1080), (2560, 1440), (3840, 2160)]
MAPS = sorted(path.stem for path in assets.maps().glob("*.yaml"))


@pytest.mark.parametrize("size", [*WINDOWS, (641, 2160), (3840, 480), (999, 700), (1001, 700)])
@pytest.mark.parametrize("text", SIZES)
@pytest.mark.parametrize("drawer", [False, True])
def test_the_parts_of_the_frame_lie_side_by_side(size, text, drawer):
    frame = Frame(size, text, drawer)
    whole = pygame.Rect(0, 0, *size)
    parts = [frame.top, frame.map, frame.strip, frame.status]
    assert all(whole.contains(part) for part in parts)
    assert not any(a.colliderect(b) for a, b in itertools.combinations(parts, 2))
    assert size[0] / frame.k >= LEAST[0] - 1, "the frame has what it needs"
    assert size[1] / frame.k >= LEAST[1] - 1
    assert frame.map.height / frame.k > 180, "there is a map to be seen"
    if frame.narrow:
        assert size[0] / frame.k < NARROW
        assert frame.free.width >= 0
        assert not frame.free.colliderect(frame.panel)
    else:
        assert frame.panel.width <= SHARE * size[0]
        assert not any(frame.panel.colliderect(part) for part in parts)


def boxes(sheet: Sheet) -> list[tuple[pygame.Rect, str]]:
    """The boxes of all words, in tenths of a logical pixel, as high as their small letters."""
    out = []
    for words in sheet.of(Words):
        wide = sheet.measure(words.text, words.size)
        left = words.x - {"left": 0.0, "right": wide, "middle": wide / 2}[words.anchor]
        box = pygame.Rect(round(left * 10), round(words.y * 10), round(wide * 10), round(words.size * 5))
        out.append((box, words.text))
    return out


def tidy(sheet: Sheet, where: str) -> None:
    """Nothing lies on anything else, or outside; what is cut has a hint that tells it whole."""
    found = [(box, text) for box, text in boxes(sheet) if text]
    for (a, one), (b, other) in itertools.combinations(found, 2):
        assert not a.colliderect(b), f"{where}: {one!r} lies on {other!r}"
    for box, text in found:
        assert box.left >= -1, f"{where}: {text!r} begins outside"
        assert box.right <= sheet.width * 10 + 1, f"{where}: {text!r} ends outside"
        if text.endswith("…"):
            assert not text.startswith("Esc"), f"{where}: {text!r} says in part how to get out"
            told = [words for (x, y, w, h), words in sheet.hints if x * 10 - 1 <= box.left and y * 10 <= box.top]
            assert any(text[:-1].strip() in words for words in told), f"{where}: {text!r} is not told whole"
    for (a, one), (b, other) in itertools.combinations(sheet.hits, 2):
        first, second = pygame.Rect(*a).inflate(-1, -1), pygame.Rect(*b).inflate(-1, -1)
        inside = first.contains(second) or second.contains(first)
        assert inside or not first.colliderect(second), f"{where}: button {one!r} lies on {other!r}"


LISTED = tuple((f"{n}   a map with quite a long name {n}", "map in some folder", f"open:{n}") for n in range(40))


DECLARED = tuple((f"+{n}   minor stunt, {n} harder", f"4D+1 at least {n}: 44%", f"stunt:F7:{n}") for n in range(1, 31))


@pytest.fixture(scope="module")
def opened(tmp_path_factory):
    """Every sample map in a window, with a way shown to the farthest cell of this turn."""
    apps = {}

    def get(name: str) -> App:
        if name not in apps:
            app = App(read(assets.maps(name)), text=1.0, library=Library(tmp_path_factory.mktemp("settings")))
            reach = app.hand.reach
            if reach is not None:
                apart = max(reach.cells(), key=lambda cell: (reach.cost(cell) or 0, cell))
                app.hand.point_at(apart)
                app.hand.pin(apart)
            app.draw()
            apps[name] = app
        return apps[name]

    yield get
    pygame.display.quit()


def layouts(app: App, size: tuple[int, int], text: float):
    """All sheets of the frame in a window of a size: (name, sheet)."""
    screen = app.screen
    before = screen.surface, screen.text
    screen.surface, screen.text, screen.drawer = pygame.Surface(size, depth=8), text, True
    try:
        for placed in screen.bars():
            yield placed.name, placed.sheet
        yield "panel", screen.panel_sheet(app.hand.reach, app.hand.route)
        ask, wide = measure(screen.kit, screen.size), size[0] / screen.size
        high = size[1] / screen.size
        pages = {
            "help": helping.page(ask, wide, high, helping.Help()),
            "sought": helping.page(ask, wide, high, helping.Help("undo")),
            "browser": browser.sheet_of(ask, wide, high, "Maps", "a hint", browser.Browser(LISTED), ("one", "two"))[0],
            "declared": browser.sheet_of(ask, wide, high, "To F7 as a stunt", "a hint", browser.Browser(DECLARED), ())[
                0
            ],
            "setup": setup.sheet_of(ask, wide, high, setup.Setup(), app.desk.settings()),
        }
        for name, page in pages.items():
            assert page.height <= high, f"{name} ends below the window"
            assert page.width <= wide, f"{name} ends beside the window"
            yield name, page
        cell = max(app.hand.reach.cells()) if app.hand.reach is not None else Cell(0, 0)
        here = app.hand.table.state(app.hand.selected).cell if app.hand.selected else cell
        menus = {
            "there": menu.there(app.hand, cell), "on who is selected": menu.there(app.hand, here),
            "game master": menu.master(app.hand, cell), "game master, token": menu.master(app.hand, here),
            "window": menu.window([(name, key, True) for name, key in (*TOGGLED, *PARTS)]),
        }  # fmt: skip
        lines = [Told(n, f"{n} went from A1 to B{n} and what became of it takes many words", cell) for n in range(60)]
        pages = {f"menu, {name}": menu.sheet_of(ask, menu.Menu(name, rows, (0, 0)), wide - 8, high - 8)
                 for name, rows in menus.items()}  # fmt: skip
        area = screen.frame.free
        if area.width / screen.size - 16 >= LOG:
            pages["log"] = drawer(ask, (area.width - 16) / screen.size, area.height * 0.7 / screen.size, lines, 3)
        pages |= {
            "list": bars.list_page(ask, wide, "Faults", "three", [("a fault of many words " * 5, "", "open:x")] * 3),
            "tip": bars.tooltip(ask, ("one that is quite long and has to be broken " * 3, "two"), refused=True),
        }
        bubbles = helping.bubbles(ask, [say(f"first.{n}") for n in (1, 2, 3, 4)])
        pages |= {f"hint {n}": bubble for n, bubble in enumerate(bubbles)}
        for name, page in pages.items():
            assert page.height <= high, f"{name} ends below the window"
            assert page.width <= wide, f"{name} ends beside the window"
            yield name, page
        yield "legend", legend_page(ask, wide, screen.layer.legend(app.hand.seen, app.hand.reach, screen.shown), 2)
    finally:
        screen.surface, screen.text = before


@pytest.mark.parametrize("text", [0.75, 1.0, 1.5, 2.0])
@pytest.mark.parametrize("size", WINDOWS)
def test_nothing_lies_on_anything_else(opened, size, text):
    for name, sheet in layouts(opened("village"), size, text):
        tidy(sheet, f"{name} {size} {text}")
        assert sheet.width <= size[0] / opened("village").screen.size + 1 or name in ("panel",)


@pytest.mark.parametrize("name", MAPS)
def test_on_every_map(opened, name):
    for size, text in (((640, 480), 2.0), ((1280, 800), 1.0), ((1920, 1080), 1.5)):
        for sheet_name, sheet in layouts(opened(name), size, text):
            tidy(sheet, f"{name} {sheet_name} {size} {text}")


@pytest.mark.parametrize("name", MAPS)
def test_the_legend_and_the_bar_cut_no_word(opened, name):
    for size in ((1024, 768), (1280, 800), (1920, 1080)):
        for sheet_name, sheet in layouts(opened(name), size, 1.0):
            if sheet_name == "top":
                assert not [words.text for words in sheet.of(Words) if words.text.endswith("…")], size
            if sheet_name == "panel":
                heads = [words.y for words in sheet.of(Words) if words.text == "Legend"]
                below = [
                    words for words in sheet.of(Words) if heads and words.y > heads[0]
                ]  # it gives way to much else
                cut = [words.text for words in below if words.text.endswith("…")]
                assert not cut, size


LIKELIER = Choice("safe", "Likelier way: 90%, 12 m more than this one", "Alt-click")


@pytest.mark.parametrize("name", MAPS)
def test_nothing_of_a_way_lies_below_the_fold(opened, name):
    """Question, budget, outcomes, ledger, remarks and what is pressed are in sight at once, on an ordinary screen."""
    app = opened(name)
    screen = app.screen
    if app.hand.reach is None:
        return
    kept, screen.surface = screen.surface, pygame.Surface((1280, 800), depth=8)
    pins, app.hand.pins, chosen = app.hand.pins, [], app.hand.selected
    ask, k = measure(screen.kit, screen.size), screen.size
    wide, high = screen.panel_area.width / k, screen.panel_area.height / k
    try:
        for mover in app.hand.battlemap.movers:
            app.hand.select(mover.id)
            if mover.id != chosen and not app.hand.rolled_for:
                continue  # what rolls bring takes the most room
            cells = sorted(app.hand.reach.cells())
            for cell in cells[:: max(1, len(cells) // 3)]:
                app.hand.point_at(cell)
                page = screen.page(app.hand.reach, app.hand.route)
                offered = (SECTIONS.get("safer"), (LIKELIER,))
                parts = [part for part in page.parts if part[0].name != "safer"]
                page = replace(page, parts=tuple(sorted((*parts, offered), key=lambda part: part[0].order)))
                sheet = lay_out(page, ask, width=wide, least=high)
                assert sheet.height <= high, f"{mover.id} {cell}: {sheet.text()}"
                assert any(command == "safe" for _, command in sheet.hits)
                assert all(y + h <= high for (_, y, _, h), _ in sheet.hits), f"{mover.id} {cell}: {sheet.hits}"
                tidy(sheet, f"{mover.id} {cell}")
    finally:
        app.hand.select(chosen)
        screen.surface, app.hand.pins = kept, pins


@pytest.mark.parametrize("name", MAPS)
def test_no_chip_covers_the_way_its_marks_a_token_or_another_chip(opened, name, monkeypatch):
    """The goal's price is always said; what else has no free place is left out."""
    app = opened(name)
    screen = app.screen
    if app.hand.reach is None:
        return
    plates = []

    def noted(canvas, *told):
        before = len(canvas.taken)
        paint_plate(canvas, *told)
        plates.extend((told[2], told[1], pygame.Rect(*map(round, box))) for box in canvas.taken[before:])

    paint_plate = picture.paint_plate
    monkeypatch.setattr(picture, "paint_plate", noted)
    kept = screen.surface, screen.camera
    try:
        screen.surface = pygame.Surface((1280, 800), depth=32)
        cells = sorted(app.hand.reach.cells())
        for scale, some in ((1.0, cells[:: max(1, len(cells) // 8)]), (0.5, cells[:: max(1, len(cells) // 3)])):
            screen.fit(whole=True)
            screen.camera = replace(screen.camera, scale=screen.camera.scale * scale)
            corner, u = screen.map_area.topleft, screen.camera.scale
            for cell in some:
                app.hand.point_at(cell)
                plates.clear()
                app.draw()
                way = [screen.pixel_of(one) for one in app.hand.route.cells if one.level == app.hand.level]
                marks = [mark for mark in screen.scene.of(Mark) if not mark.role.startswith(("threat", "link"))]
                spots = [*way, *(screen.pixel_of(mark.cell) for mark in marks)]
                seen = [pygame.Rect(0, 0, round(u * 0.3), round(u * 0.3)) for _ in spots]
                for box, spot in zip(seen, spots, strict=True):
                    box.center = spot[0] - corner[0], spot[1] - corner[1]
                chips = [(text, box) for role, text, box in plates if not role.startswith("mover")]
                if cell.level == app.hand.level and cell != app.hand.reach.start.cell:
                    assert any(role.startswith("total") for role, _, _ in plates), cell
                for n, (text, box) in enumerate(chips):
                    assert box.inflate(-2, -2).collidelist(seen) < 0, f"{text!r} on the way to {cell}"
                    others = [other.inflate(-2, -2) for _, other in chips[:n]]
                    assert box.inflate(-2, -2).collidelist(others) < 0, f"{text!r} covers a chip: {cell}"
    finally:
        screen.surface, screen.camera = kept


def test_a_window_opens_within_the_screen():
    assert first_size((1280, 800), (1920, 1080)) == (1280, 800)
    assert first_size((1280, 800), (1280, 800)) == (1280, 800), "what just fits is left"
    assert first_size((2560, 1600), (1920, 1080)) == (1728, 972)
    assert first_size((1280, 800), (640, 480)) == (640, 480), "but never smaller than the frame needs"
    assert first_size((1280, 800), (0, 0)) == (1280, 800)


@pytest.mark.parametrize("name", MAPS)
def test_the_status_line_is_said_whole_where_nothing_else_is_said(opened, name):
    """What its first line has no room for stands on the second, down to the smallest window and largest letters."""
    app = opened(name)
    reach = app.hand.reach
    if reach is None:
        return
    ask = measure(app.screen.kit, Frame((640, 480), 2.0).k)
    for cell in sorted(reach.cells())[:: max(1, len(reach.cells()) // 12)]:
        app.hand.point_at(cell)
        words = app.screen.cell_words(reach)
        sheet = bars.status_bar(ask, LEAST[0], words, "", "")
        told = " ".join(sheet.text())
        assert all(word in told for word in words), f"{words}: {told}"
        tidy(sheet, f"{name} {cell}")
        tidy(bars.status_bar(ask, LEAST[0], words, "a ruling", "12 states in 3 ms"), f"{name} {cell}")


def test_log_and_drawer_do_not_lie_on_each_other(opened):
    """Where there is no room for both the one that was asked for last is shown."""
    app = opened("village")
    screen = app.screen
    before = screen.surface, screen.text, screen.drawer
    try:
        for size, text in itertools.product(WINDOWS, SIZES):
            screen.surface, screen.text = pygame.Surface(size, depth=8), text
            screen.drawer, screen.log = True, False
            app.desk.do("log")
            assert screen._log() is not None, (size, text)
            assert screen.log_area.width / screen.size >= LOG, (size, text)
            assert not screen.log_area.colliderect(screen.panel_area), (size, text)
            if screen.frame.narrow:
                app.desk.do("drawer")
                screen._log()
                assert not screen.log_area.colliderect(screen.panel_area), (size, text)
    finally:
        screen.surface, screen.text, screen.drawer = before
        screen.log = False
