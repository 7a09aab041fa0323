"""The window keeps to what pygame and pygame-ce share, and to the glyphs of their built-in font."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import tactical.show.drawers.raster
import tactical.viewer
from tactical.show.labels import LABELS
from tactical.viewer.controls import KEYS, MOUSE, command_for

FOLDERS = [Path(module.__path__[0]) for module in (tactical.viewer, tactical.show.drawers.raster)]
FILES = sorted(file for folder in FOLDERS for file in folder.rglob("*.py"))
FILES.append(Path(tactical.viewer.__path__[0]).parent / "hosts" / "pygame_table.py")
# names that only one of the two libraries has
ATTRIBUTES = {
    "FRect", "fblits", "aacircle", "Window", "IS_CE", "align", "Overlay", "fastevent", "threads", "_sdl2",
    "get_just_pressed", "get_just_released", "SysFont", "Renderer", "point_size",
}  # fmt: skip
SURFACES = {"surface", "layer", "picture", "sprite", "words", "image"}
TOP = {"Event", "Font", "Clock"}


def tree(file: Path) -> ast.Module:
    return ast.parse(file.read_text(encoding="utf-8"))


def forbidden(module: ast.Module) -> list[str]:
    found = []
    for node in ast.walk(module):
        if isinstance(node, ast.Attribute):
            if node.attr in ATTRIBUTES:
                found.append(node.attr)
            if node.attr in TOP and isinstance(node.value, ast.Name) and node.value.id == "pygame":
                found.append(f"pygame.{node.attr}")
            owner = node.value.id if isinstance(node.value, ast.Name) else ""
            # Surface.width is pygame-ce's; rects have it in both
            if node.attr in ("width", "height", "size") and owner in SURFACES:
                found.append(f"{owner}.{node.attr}")
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("pygame"):
            found += [alias.name for alias in node.names]
    return found


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_only_names_of_both_libraries_are_used(file):
    assert forbidden(tree(file)) == []


def test_the_check_finds_what_it_forbids():
    bad = "from pygame import Window\npygame.FRect(0, 0, 1, 1)\npygame.Font(None, 3)\nsurface.width"
    assert sorted(forbidden(ast.parse(bad))) == ["FRect", "Window", "pygame.Font", "surface.width"]


def test_pygame_is_imported_in_these_rooms_only():
    room = Path(tactical.viewer.__path__[0]).parent
    for file in room.rglob("*.py"):
        if file in FILES or "hosts" in file.parts:
            continue
        names = [
            alias.name for node in ast.walk(tree(file)) if isinstance(node, ast.Import | ast.ImportFrom)
            for alias in (node.names if isinstance(node, ast.Import) else [ast.alias(node.module or "")])
        ]  # fmt: skip
        assert not [name for name in names if name.split(".")[0] == "pygame"], file


def test_every_label_can_be_shown():
    pytest.importorskip("pygame")
    from tactical.show.drawers.raster.canvas import showable

    words = [*LABELS.values(), *(text for pair in (*((key.shown, key.help) for key in KEYS), *MOUSE) for text in pair)]
    wrong = {c for text in words for c in text if not showable(c)}
    assert wrong == set()


def test_the_allowed_glyphs_are_really_in_the_font():
    pygame = pytest.importorskip("pygame")
    from tactical.show.drawers.raster.canvas import GLYPHS

    pygame.font.init()
    font = pygame.font.Font(None, 40)

    def picture(text):
        return pygame.image.tobytes(font.render(text, False, (255, 255, 255), (0, 0, 0)), "RGB")

    box = picture("→")
    assert box == picture("⚠"), "a missing glyph is drawn as one box"
    for glyph in GLYPHS:
        assert picture(glyph) != box, glyph


def test_keys_are_constants_and_no_press_means_two_things():
    pygame = pytest.importorskip("pygame")
    for key in KEYS:
        for name in key.names:
            assert hasattr(pygame, f"K_{name}"), name
    assert command_for("z", shift=False, ctrl=False) == "undo"
    assert command_for("z", shift=True, ctrl=False) == "redo"
    assert command_for("z", shift=False, ctrl=True) == "undo"
    assert command_for("p", shift=False, ctrl=False) == ""
    assert command_for("1", shift=True, ctrl=False) == "arrive_standing"
    assert command_for("TAB", shift=True, ctrl=False) == "previous"


def test_every_label_is_used_and_every_used_label_exists():
    import re

    text = "".join(file.read_text(encoding="utf-8") for file in FILES)
    used = set(re.findall(r'say\(f?"([a-z_.0-9]+)', text))
    missing = {name for name in used if name not in LABELS and not any(known.startswith(name) for known in LABELS)}
    assert missing == set()
