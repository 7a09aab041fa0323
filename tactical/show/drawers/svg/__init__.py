"""The SVG drawer: one string that any browser shows, with patterns and rims, names as tooltips and no script.

Ground of one look is one path; bands are paths with a fill, a pattern over it and a rim.  Sizes are in pixels.
"""

from __future__ import annotations

import base64
import warnings
from collections.abc import Iterable, Iterator

from tactical.show import layout
from tactical.show.drawers import Drawer
from tactical.show.drawers.svg.elements import (
    DARK,
    WHITE,
    colour,
    element,
    escaped,
    icon,
    line,
    number,
    path,
    pattern,
    ruler_words,
    texture,
    told,
    words,
)
from tactical.show.drawers.svg.sheet import sheet_elements
from tactical.show.panel import lay_out
from tactical.show.rulers import rulers
from tactical.show.scene.shapes import (
    Area,
    Backdrop,
    Mark,
    PictureWarning,
    Ring,
    Scene,
    Stroke,
    Text,
    Tile,
    Token,
    corner_ticks,
)
from tactical.show.theme import Style, Theme, load, mix
from tactical.units import Cell
from tactical.world.pictures import kind_of, size_of

FONT = "system-ui, 'Segoe UI', Roboto, 'DejaVu Sans', sans-serif"
LETTER = 0.58
"""Width of an average letter in font sizes; measured text is not to be had without a browser."""
SWATCH = 18
"""Pixels per cell in the legend's little pictures."""

Point = tuple[float, float]


def draw(
    scene: Scene,
    *,
    cell: float = 32,
    legend: bool = True,
    title: bool = True,
    theme: Theme | None = None,
    back: bool = True,
    ruler: bool = False,
) -> str:
    """The scene as SVG text; `cell` is the width of a cell in pixels, without `back` nothing lies behind it.

    With `ruler` column letters and row numbers stand beside the map.
    """
    return _Drawing(scene, cell, theme or load()).whole(legend, title, back, ruler)


class _Drawing:
    def __init__(self, scene: Scene, cell: float, theme: Theme) -> None:
        self.scene, self.cell, self.theme = scene, cell, theme
        c0, r0, c1, r1 = scene.view
        rim = [(c, r) for c in range(c0, c1) for r in {r0, r1 - 1, max(r1 - 2, r0)}]
        rim += [(c, r) for r in range(r0, r1) for c in {c0, c1 - 1, max(c1 - 2, c0)}]
        corners = [point for col, row in rim for point in scene.grid.polygon(col, row)]
        self.left, self.top = min(x for x, _ in corners), min(y for _, y in corners)
        self.width = (max(x for x, _ in corners) - self.left) * cell
        self.height = (max(y for _, y in corners) - self.top) * cell
        self.taken: list[layout.Box] = []
        self.barrier = {name: colour(value) for name, value in theme.colours["barrier"].items()}
        self.marks = {name: colour(value) for name, value in theme.colours["mark"].items()}
        self.window = {name: colour(value) for name, value in theme.colours["window"].items()}

    def px(self, point: Point) -> Point:
        """A point of the map in pixels of the drawing."""
        return (point[0] - self.left) * self.cell, (point[1] - self.top) * self.cell

    def rings(self, rings: Iterable[Ring]) -> str:
        return "".join(line((self.px(point) for point in ring), closed=True) for ring in rings)

    def polygons(self, cells: Iterable[tuple[int, int]]) -> str:
        return self.rings(self.scene.grid.polygon(col, row) for col, row in cells)

    def style(self, role: str) -> Style:
        return self.theme.style(role, self.scene.gaits)

    def whole(self, legend: bool, title: bool, back: bool, named: bool) -> str:
        """The document: title, map, legend."""
        scene = self.scene
        head = 30 if title and scene.title else 0
        columns = max(1, int(self.width // 190))
        lines = -(-len(scene.legend) // columns) if legend and scene.page is None else 0
        foot = lines * 24 + 16 if lines else 0
        beside = rulers(scene, self.cell) if named else None
        left, top = (beside.left, beside.top) if beside else (0.0, 0.0)
        width, height = self.width + left, self.height + top + head + foot
        sheet = None if scene.page is None else lay_out(scene.page, least=height)
        if sheet is not None:
            width, height = width + sheet.width, max(height, sheet.height)
        size = {"width": width, "height": height, "viewBox": f"0 0 {number(width)} {number(height)}"}
        parts = [
            f"<title>{escaped(scene.title or 'Battle map')}</title>",
            element("defs", "".join(self._patterns())),
        ]
        if back:
            parts.append(element("rect", width="100%", height="100%", fill=self.window["back"]))
        if head:
            more = element("tspan", escaped(scene.subtitle), dx=12, font_size=12, fill=self.window["dim"])
            ink = self.window["text"]
            parts.append(
                element("text", escaped(scene.title) + more, x=10, y=20, font_size=16, font_weight=700, fill=ink)
            )
        parts.append(element("clipPath", element("rect", width=width, height=self.height), id="map"))
        body = element("g", "\n".join([*self._ground(), *self._layers()]), clip_path="url(#map)")
        rest = "\n".join(self._legend(columns)) if lines else ""
        if beside is not None:
            body += ruler_words(beside, self.px, self.window["dim"])
        parts.append(element("g", body + rest, transform=f"translate({number(left)} {number(head + top)})"))
        if sheet is not None:
            panel = "\n".join(sheet_elements(sheet, self.theme, self._sample, self._figure))
            parts.append(element("g", panel, class_="panel", transform=f"translate({number(self.width + left)} 0)"))
        about = {"xmlns": "http://www.w3.org/2000/svg", **size, "font_family": FONT, "role": "img"}
        return element("svg", "\n".join(parts), **about) + "\n"

    def _patterns(self) -> Iterator[str]:
        roles = [area.role for area in self.scene.of(Area)] + [entry.role for entry in self.scene.legend]
        banded = [role for role in roles if role.startswith(("band:", "turn:")) or role in ("passing", "out")]
        styles = {style.name: style for style in map(self.style, banded)}
        return (pattern(style, self.cell) for style in styles.values() if style.pattern != "none")

    # -- ground -------------------------------------------------------------------------------------------------------

    def _ground(self) -> Iterator[str]:
        dark = any(tile.role == "ground:unknown" for tile in self.scene.of(Tile))
        for back in self.scene.of(Backdrop):
            if dark:
                # whoever has the file has the whole picture, whatever is painted over it
                warnings.warn(
                    "drawn without the map's picture: an SVG would hold all of it, the unexplored too; a PNG does not",
                    PictureWarning,
                    stacklevel=2,
                )
                break
            try:
                data = back.read()
            except OSError:
                # it was there a moment ago
                continue
            kind = kind_of(data).lower()
            x, y = self.px((-back.offset[0] / back.pixels, -back.offset[1] / back.pixels))
            wide, high = size_of(data) or (self.scene.cols * back.pixels, self.scene.rows * back.pixels)
            size = {"width": wide * self.cell / back.pixels, "height": high * self.cell / back.pixels}
            url = f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
            yield element("image", x=x, y=y, **size, preserveAspectRatio="none", href=url)
        looks: dict[tuple[str, str], list[tuple[int, int]]] = {}
        for tile in self.scene.of(Tile):
            looks.setdefault((tile.role.removeprefix("ground:"), tile.name), []).append(tile.cell[:2])
        for (look, name), cells in looks.items():
            base = self.theme.colours["ground"].get(look, self.theme.colour("ground", "plain"))
            d, ink = self.polygons(cells), colour(base)
            # a hair of stroke closes the seams that antialiasing leaves between cells
            yield element("path", told(name), class_=f"ground {look}", d=d, fill=ink, stroke=ink, stroke_width=0.6)
            spots = [
                (*self.px(self.scene.grid.centre(col, row)), (col * 73 + row * 151) % 7 / 7 - 0.5) for col, row in cells
            ]
            strokes = texture(look, spots, self.cell)
            if strokes:
                ink = colour(mix(base, (255, 255, 255), 0.35) if "water" in look else mix(base, (0, 0, 0), 0.3))
                yield path(strokes, ink, max(0.8, self.cell / 26), stroke_linecap="round", opacity=0.7)
        small = max(4.0, self.cell * 0.16)
        for tile in self.scene.of(Tile):
            x, y = self.px(self.scene.grid.centre(tile.cell.col, tile.cell.row))
            for n, sign in enumerate(tile.signs):
                at = x + self.cell * (-0.25 + 0.3 * (n % 2)), y + self.cell * (0.27 - 0.3 * (n // 2))
                yield icon(sign, at, small, self.marks["shade"], opacity=0.6)

    # -- everything else, in the scene's order ------------------------------------------------------------------------

    def _layers(self) -> Iterator[str]:
        self.taken += layout.tokens_and_marks(self.scene, self.px, self.cell)
        for shape in self.scene.shapes:
            if isinstance(shape, Area):
                yield from self._area(shape)
            elif isinstance(shape, Stroke):
                yield from self._stroke(shape)
            elif isinstance(shape, Token):
                yield from self._token(shape)
            elif isinstance(shape, Mark):
                yield from self._mark(shape)
            elif isinstance(shape, Text):
                yield words(self.px(shape.at), shape.text, self.cell * 0.3, WHITE, edge=True, class_=shape.role)
        for token in self.scene.of(Token):
            if token.name and token.role != "ghost":
                gap = token.size * self.cell * 0.46
                yield self._plate(self.px(token.at), token.name, token.role, "above", gap)
        self.taken += layout.way(self.scene, self.px, self.cell)
        for chip in layout.chips_of(self.scene):
            yield self._plate(self.px(chip.at), chip.text, chip.role, chip.place, self.cell * 0.5, chip.icon)

    def _area(self, area: Area) -> Iterator[str]:
        if area.role == "grid":
            c0, r0, c1, r1 = self.scene.view
            every = self.polygons((col, row) for row in range(r0, r1) for col in range(c0, c1))
            yield path(every, self.barrier["grid"], 0.7, class_="grid", opacity=0.25)
            return
        if not area.cells and not area.inverse:
            return
        style = self.style(area.role)
        cells: Iterable[tuple[int, int]] = sorted(cell[:2] for cell in area.cells)
        if area.inverse:
            c0, r0, c1, r1 = self.scene.view
            kept = set(cells)
            cells = [(col, row) for row in range(r0, r1) for col in range(c0, c1) if (col, row) not in kept]
        d = self.rings(area.rings) or self.polygons(cells)
        role = area.role.replace(":", "-")
        fill = colour(style.fill)
        yield element("path", class_=role, d=d, fill=fill, fill_opacity=style.alpha, fill_rule="evenodd")
        if style.pattern != "none":
            yield element("path", d=d, fill=f"url(#p-{style.name})", fill_rule="evenodd")
        if style.dash != "none":
            dashes = {"dashed": "8 5", "dotted": "1.5 4"}.get(style.dash)
            if style.dash in ("solid", "dashed"):
                yield path(d, DARK, style.width + 2.5, opacity=0.75)
            yield path(d, colour(style.rim), style.width, class_=f"rim {role}", stroke_dasharray=dashes)

    def _stroke(self, stroke: Stroke) -> Iterator[str]:
        points = [self.px(point) for point in stroke.points]
        d, u = line(points), self.cell
        kind, _, rest = stroke.role.partition(":")
        tip, barrier = told(stroke.name), self.barrier
        ends = points[0], points[-1]
        middle = (ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2
        if kind == "route":
            tint = colour(self.style(rest).rim) if rest != "link" else self.marks["route_core"]
            dashes = "3 5" if rest == "link" else None
            round_ = {"stroke_linecap": "round", "stroke_linejoin": "round"}
            yield path(d, self.marks["route_edge"], u * 0.22, class_="route", **round_)
            yield path(d, tint, u * 0.15, **round_)
            yield path(d, self.marks["route_core"], u * 0.06, stroke_dasharray=dashes, **round_)
        elif kind == "door":
            dashes = "3 7" if rest == "open" else None
            yield path(d, barrier["door_edge"], u * 0.26, tip, class_=f"door {rest}")
            yield path(d, barrier["locked" if rest == "locked" else "door"], u * 0.16, stroke_dasharray=dashes)
            if rest in ("locked", "secret"):
                yield icon("lock" if rest == "locked" else "portal", middle, u * 0.16, WHITE)
        elif kind == "wall":
            yield path(d, barrier["wall"], u * 0.2, tip, class_="wall", stroke_linecap="round")
            yield path(d, barrier["wall_light"], u * 0.06, stroke_linecap="round")
        elif kind == "fence":
            yield path(d, barrier["wall"], 1.5, tip, class_="fence")
            yield path(d, barrier["fence"], u * 0.2, stroke_dasharray=f"{number(u * 0.06)} {number(u * 0.14)}")
        elif kind in ("window", "low-wall", "invisible"):
            yield path(d, barrier["wall"], u * 0.2, tip, class_=kind)
            yield path(d, barrier[kind], u * 0.12, stroke_dasharray="2 5" if kind == "invisible" else None)
        elif kind in ("ledge", "slope"):
            yield path(d, barrier["ledge"], u * (0.08 if kind == "ledge" else 0.03), class_=kind)
            if kind == "ledge":
                yield path(self._ticks(*ends), barrier["ledge"], u * 0.045)
        elif kind == "link":
            yield path(d, barrier["stairs"], 2, tip, class_="link", stroke_dasharray="2 6")
        elif kind == "one-way":
            yield self._arrow(*ends)

    def _ticks(self, a: Point, b: Point) -> str:
        """Hatching on the low side of a ledge."""
        dx, dy = b[0] - a[0], b[1] - a[1]
        scale = self.cell * 0.2 / ((dx * dx + dy * dy) ** 0.5 or 1)
        starts = [(a[0] + dx * share, a[1] + dy * share) for share in (0.125, 0.375, 0.625, 0.875)]
        return "".join(line([(x, y), (x - dy * scale, y + dx * scale)]) for x, y in starts)

    def _arrow(self, a: Point, b: Point) -> str:
        dx, dy = (b[0] - a[0]) * 0.35, (b[1] - a[1]) * 0.35
        head = [(b[0] - dx - dy, b[1] - dy + dx), b, (b[0] - dx + dy, b[1] - dy - dx)]
        return path(line([a, b]) + line(head), WHITE, 2, class_="one-way")

    def _token(self, token: Token) -> Iterator[str]:
        x, y = self.px(token.at)
        radius = token.size * self.cell * 0.4
        side = token.role.removeprefix("mover:") if token.role != "ghost" else "self"
        ring, inside = (colour(value) for value in self.theme.sides[side])
        ghost = {"opacity": 0.75, "stroke_dasharray": "4 3"} if token.role == "ghost" else {}
        look = {"fill": inside, "stroke": ring, "stroke_width": max(1.5, radius * 0.16), **ghost}
        tip, name = told(token.name), token.role.replace(":", " ")
        if side == "foe":
            r = radius * 1.15
            d = line([(x, y - r), (x + r, y), (x, y + r), (x - r, y)], closed=True)
            yield element("path", tip, class_=name, d=d, **look)
        elif side == "bystander":
            r = radius * 0.85
            yield element("rect", tip, class_=name, x=x - r, y=y - r, width=2 * r, height=2 * r, rx=3, **look)
        else:
            yield element("circle", tip, class_=name, cx=x, cy=y, r=radius, **look)
        yield icon(token.posture, (x, y), radius * 0.58, WHITE)

    def _mark(self, mark: Mark) -> Iterator[str]:
        x, y = self.px(mark.at)
        u, marks = self.cell, self.marks
        kind, _, rest = mark.role.partition(":")
        if kind == "threat":
            corners = corner_ticks(self.scene.grid)
            ticks = "".join(line([(x + a * u, y + b * u) for a, b in tick]) for tick in corners)
            yield path(ticks, DARK, 3.6, class_="threat")
            yield path(ticks, marks["threat"], 2)
        elif kind == "ring":
            fill = colour(self.style(rest).rim)
            yield element("circle", class_=kind, cx=x, cy=y, r=u * 0.22, fill=fill, stroke=WHITE, stroke_width=2)
        elif kind == "stop":
            yield element("circle", class_=kind, cx=x, cy=y, r=u * 0.26, fill="none", stroke=WHITE, stroke_width=2.5)
        elif kind == "refused":
            yield icon("cross", (x, y), u * 0.34, DARK, grow=1.6) + icon("cross", (x, y), u * 0.34, marks["refused"])
        elif kind == "provoke":
            yield element("circle", class_=kind, cx=x, cy=y, r=u * 0.3, fill=DARK, opacity=0.8)
            yield icon("flash", (x, y), u * 0.24, marks["provoke"])
        elif kind == "hazard":
            yield icon("warning", (x, y), u * 0.3, marks["hazard"])
        elif kind == "link":
            r = u * 0.32
            box = {"x": x - r, "y": y - r, "width": 2 * r, "height": 2 * r, "rx": 3}
            yield element("rect", class_=kind, fill=DARK, opacity=0.65, **box) + icon(rest, (x, y), u * 0.26, WHITE)

    # -- plates and the legend ----------------------------------------------------------------------------------------

    def _plate(self, spot: Point, text: str, role: str, prefer: str, gap: float, sign: str = "") -> str:
        size = min(14.0, max(9.0, self.cell * 0.36))
        extra = size * 1.3 if sign else 0.0
        width, height = len(text) * size * LETTER + size * 0.9 + extra, size * 1.5
        box = layout.place(spot, (width, height), prefer, self.taken, gap, (0, 0, self.width, self.height))
        if layout.left_out(role, box, self.taken):
            return ""
        self.taken.append(box)
        x, y = box[:2]
        look = {"rx": size * 0.4, "fill": colour(self.theme.plate(role, self.scene.gaits)), "stroke": DARK}
        out = element("rect", x=x, y=y, width=width, height=height, **look)
        if sign:
            out += icon(sign, (x + size * 0.95, y + height / 2), size * 0.55, WHITE)
        out += words((x + (width + extra) / 2, y + height / 2), text, size, WHITE)
        return element("g", out, class_="chip " + role.replace(":", " "))

    def _legend(self, columns: int) -> Iterator[str]:
        for n, entry in enumerate(self.scene.legend):
            x, y = 12 + (n % columns) * self.width / columns, self.height + 12 + n // columns * 24
            yield from self._swatch(entry.role, x, y)
            ink = self.window["text"]
            yield words((x + 36, y + 9), entry.text, 12, ink, text_anchor="start", font_weight=400)

    def _sample(self, role: str, x: float, y: float) -> str:
        return "".join(self._swatch(role, x + 2, y + 1))

    def _figure(self, role: str, posture: str, x: float, y: float, cell: float) -> str:
        kept = self.cell, self.left, self.top
        self.cell, self.left, self.top = cell, -x / cell, -y / cell
        drawn = "".join(self._token(Token(role, (0, 0), 1, posture=posture)))
        self.cell, self.left, self.top = kept
        return drawn

    def _swatch(self, role: str, x: float, y: float) -> Iterator[str]:
        """A small picture of a role, drawn by the same code as the map."""
        kind, _, rest = role.partition(":")
        kept = self.cell, self.left, self.top
        try:
            # a map of its own with small cells, its origin at the swatch's middle
            self.cell, self.left, self.top = SWATCH, -(x + 13) / SWATCH, -(y + 8) / SWATCH
            if kind in ("band", "turn", "passing", "out"):
                ground = colour(self.theme.colour("ground", "grass"))
                yield element("rect", x=x, y=y, width=26, height=16, fill=ground)
                ring = ((-0.72, -0.44), (0.72, -0.44), (0.72, 0.44), (-0.72, 0.44))
                yield from self._area(Area(role, frozenset({Cell(0, 0)}), (ring,)))
            elif kind == "mover":
                yield from self._token(Token(role, (0, 0), 1))
            elif kind == "sign":
                yield icon(rest, (x + 13, y + 8), 8, WHITE)
            elif kind in ("threat", "refused", "link"):
                yield from self._mark(Mark(role, (0, 0)))
            elif kind == "one-way":
                yield self._arrow((x + 3, y + 8), (x + 23, y + 8))
            else:
                yield from self._stroke(Stroke(role, ((-0.7, 0), (0.7, 0))))
        finally:
            self.cell, self.left, self.top = kept


DRAWER = Drawer("svg", ".svg", draw, "one SVG text, for browsers and documents", rulers=True)
