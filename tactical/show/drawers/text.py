"""The text drawer: a map as letters, for terminals, logs and tests.

Every cell is two characters: what stands or lies there and a space, where routes and walls may show.  Maps with
barriers get lines between their rows and columns.  With `costs`, cells are as wide as the widest price; with `enemy` a
cell that enemies reach has an ``x`` behind its sign.  Ground is called what the map calls it; a hazard always shows.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

from tactical.show.drawers import Drawer
from tactical.show.scene.shapes import Area, Mark, Scene, Stroke, Text, Tile, Token
from tactical.units import Cell, column_name
from tactical.world.grids import Point, neighbours

if TYPE_CHECKING:
    from tactical.show.theme import Theme

GLYPHS: dict[str, tuple[str, str]] = {
    # look -> (glyph, ASCII glyph)
    "plain": ("·", "."),
    "grass": ("·", "."),
    "road": ("·", "."),
    "floor": ("·", "."),
    "planks": ("=", "="),
    "stone": ("·", "."),
    "dirt": ("·", "."),
    "sand": ("·", "."),
    "mud": ("%", "%"),
    "rubble": (":", ":"),
    "brush": ('"', '"'),
    "tree": ("♣", "T"),
    "rock": ("█", "#"),
    "wall": ("█", "#"),
    "cliff": ("^", "^"),
    "water-shallow": ("~", "~"),
    "water-wading": ("≈", "&"),
    "water-deep": ("≋", "W"),
    "snow": ("*", "*"),
    "ice": ("_", "_"),
    "lava": ("!", "!"),
    "gap": ("○", ";"),
    "stairs": ("≡", "H"),
    "furniture": ("π", "n"),
    "unknown": ("?", "?"),
}
HAZARD, THREAT = "!", "x"
# What ground without a name of its own is called.
LOOK_WORDS = {
    "planks": "planks",
    "mud": "mud",
    "rubble": "rubble or rough",
    "brush": "brush",
    "tree": "tree",
    "rock": "solid",
    "wall": "solid",
    "cliff": "cliff",
    "water-shallow": "shallow water",
    "water-wading": "wading water",
    "water-deep": "deep water",
    "snow": "snow",
    "ice": "ice",
    "lava": "lava",
    "gap": "gap",
    "stairs": "stairs",
    "furniture": "furniture",
    "unknown": "unexplored",
}
ORDER = {look: n for n, look in enumerate(LOOK_WORDS)}
# The letters of bands, by their number among the gaits of the turn; later turns are their number.
BAND_LETTERS = "abcd"
# Barriers as (across a row, along a row) and their ASCII forms.
LINES: dict[str, tuple[str, str]] = {
    "wall": ("|", "-"),
    "window": ("¦", "┄"),
    "fence": ("ǂ", "‡"),
    "low-wall": (":", "."),
    "invisible": ("!", "!"),
    "door:open": ("'", "'"),
    "door:closed": ("+", "+"),
    "door:locked": ("X", "X"),
    "door:secret": ("S", "S"),
}
ASCII_LINES = {"¦": "i", "┄": "i", "ǂ": "f", "‡": "f"}
STYLE_CODES = {
    "move": "44;97",
    "dash": "43;30",
    "fast": "46;30",
    "utmost": "47;30",
    "later": "100;97",
}


def draw(
    scene: Scene,
    *,
    ascii: bool = False,
    legend: bool = True,
    colour: bool = False,
    theme: Theme | None = None,
) -> str:
    """The scene as lines of text with column letters and row numbers.

    `ascii` keeps to 7-bit characters; `colour` adds terminal colours (the letters stay: colour is never the only sign).
    """
    page = _Page(scene, ascii, colour)
    lines = page.lines()
    if scene.title:
        lines.insert(0, f"{scene.title} ({scene.subtitle})" if scene.subtitle else scene.title)
    if legend:
        lines += ["", *page.legend()]
    if scene.page is not None:
        from tactical.show.panel import lay_out

        # a terminal has room for whole lines
        lines += ["", *lay_out(scene.page.without("legend"), lambda text, size: 3.0 * len(text)).text()]
    text = "\n".join(line.rstrip() for line in lines) + "\n"
    return text.encode("ascii", "replace").decode("ascii") if ascii else text


class _Page:
    """The letters of every cell and of the lines between them."""

    def __init__(self, scene: Scene, ascii: bool, colour: bool) -> None:
        self.scene, self.ascii, self.colour = scene, ascii, colour
        self.tiles = {tile.cell: tile for tile in scene.of(Tile)}
        self.bands: dict[Cell, str] = {}
        for area in scene.of(Area):
            if area.role.startswith(("band:", "turn:", "passing")):
                self.bands.update(dict.fromkeys(area.cells, area.role))
        self.hazards = {cell for cell, tile in self.tiles.items() if "hazard" in tile.signs}
        texts = {self._cell(text.at): text.text for text in scene.of(Text)}
        self.texts = {cell: HAZARD * (cell in self.hazards) + text for cell, text in texts.items()}
        self.threats = {mark.cell for mark in scene.of(Mark) if mark.role == "threat" and mark.cell}
        self.refused = {mark.cell for mark in scene.of(Mark) if mark.role == "refused" and mark.cell}
        self.tokens, self.names = self._tokens()
        self.route = self._route()
        # beside the sign for enemies' reach, what is not possible needs another one
        self.no = THREAT if not self.threats else "N" if ascii else "✗"
        self.width = max([1, *(len(text) for text in self.texts.values())]) + bool(self.threats)
        self.strokes = [stroke for stroke in scene.of(Stroke) if stroke.role in LINES]
        self._near: dict[tuple[float, float], list[Stroke]] = {}

    def _cell(self, point: Point) -> Cell:
        return Cell(*self.scene.grid.cell_at(point[0], point[1]), self.scene.level)

    def _tokens(self) -> tuple[dict[Cell, str], list[tuple[str, str]]]:
        """A letter for each mover: @ for oneself, the name's first free letter for others (foes in capitals)."""
        cells: dict[Cell, str] = {}
        names: list[tuple[str, str]] = []
        used = {"@", *BAND_LETTERS, *"SX"}
        for token in self.scene.of(Token):
            if token.role == "ghost":
                continue
            if token.role == "mover:self":
                letter = "@"
            else:
                foe = token.role == "mover:foe"
                spare = [*token.name, *"efghijklmnopqrstuvwxyz", *"0123456789"]
                forms = (c.upper() if foe else c.lower() for c in spare if c.isascii() and c.isalnum())
                letter = next((c for c in forms if c not in used), "?")
                used.add(letter)
            side = token.role.removeprefix("mover:")
            kind = f", {side}" if side in ("friend", "foe") else ""
            pose = "" if token.posture == "standing" else f", {token.posture}"
            names.append((letter, token.name + kind + pose))
            cells.update(dict.fromkeys(self._body(token), letter))
        return cells, names

    def _body(self, token: Token) -> list[Cell]:
        """The cells of a body, whose middle is all that a token tells."""
        grid = self.scene.grid
        i, j = grid.store(*grid.cell_at(*token.at))
        offsets = grid.body(token.size)
        best: tuple[float, list[Cell]] = (float("inf"), [])
        for away_i, away_j in offsets:
            cells = [Cell(*grid.unstore(i - away_i + di, j - away_j + dj), self.scene.level) for di, dj in offsets]
            middles = [grid.centre(cell.col, cell.row) for cell in cells]
            off = sum(abs(sum(one[axis] for one in middles) / len(middles) - token.at[axis]) for axis in (0, 1))
            best = min(best, (off, cells))
        return best[1]

    def _route(self) -> dict[Cell, str]:
        out: dict[Cell, str] = {}
        for stroke in self.scene.of(Stroke):
            if stroke.role.startswith("route:"):
                for point in stroke.points:
                    out[self._cell(point)] = "*" if self.ascii else "•"
        for token in self.scene.of(Token):
            if token.role == "ghost":
                out[self._cell(token.at)] = "x" if self.ascii else "◎"
        return out

    def glyph(self, cell: Cell) -> str:
        """What one cell shows, widest need first: token, refusal, price, hazard, route, band, ground."""
        return (
            self.tokens.get(cell)
            or (self.no if cell in self.refused else "")
            or ("" if cell in self.route else self.texts.get(cell))
            or (HAZARD if cell in self.hazards else "")
            or self.route.get(cell)
            or _letter(self.bands.get(cell, ""))
            or self._ground(cell)
        )

    def _look(self, cell: Cell) -> str:
        return self.tiles[cell].role.removeprefix("ground:") if cell in self.tiles else "plain"

    def _ground(self, cell: Cell) -> str:
        return HAZARD if cell in self.hazards else GLYPHS.get(self._look(cell), ("·", "."))[1 if self.ascii else 0]

    def lines(self) -> list[str]:
        """The map, row by row, with its margins."""
        c0, r0, c1, r1 = self.scene.view
        margin = len(str(r1)) + 1
        barred = bool(self.strokes)
        head = " " * margin + ("  " if barred else " ")
        names = [column_name(col) for col in range(c0, c1)]
        # names too long for their column are written downwards
        tall = max(map(len, names)) if max(map(len, names)) > self.width else 1
        out = []
        for n in range(tall):
            parts = [name.rjust(tall)[n] if tall > 1 else name for name in names]
            out.append((head + "".join(part.ljust(self.width + 1) for part in parts)).rstrip())
        shifts = [" " * ((self.width + 1) // 2) if self._shoved(0, row) else "" for row in range(r0, r1)]
        for row in range(r0, r1):
            if barred:
                line = self._between(row)
                if line.strip():
                    out.append(" " * (margin + 1) + line)
            label = f"{row + 1:>{margin - 1}}  "
            cells = [self._coloured(Cell(col, row, self.scene.level)) for col in range(c0, c1)]
            shift = shifts[row - r0]
            if not barred:
                out.append(label + shift + " ".join(cells))
            else:
                out.append(
                    label[:-1]
                    + shift
                    + "".join(self._left(col, row) + cell for col, cell in enumerate(cells, c0))
                    + self._left(c1, row)
                )
        if barred and self._between(r1).strip():
            out.append(" " * (margin + 1) + self._between(r1))
        lower = [word for word, col in (("even", 0), ("odd", 1)) if self._shoved(col, 0, down=True)]
        if lower:
            out.append(f"({lower[0]} columns, counted from 0, lie half a cell lower)")
        return out

    def _shoved(self, col: int, row: int, *, down: bool = False) -> bool:
        """Whether a row lies further to the right, or a column further `down`, than the ones beside it."""
        axis, beside = (1, (col + 1, row)) if down else (0, (col, row + 1))
        grid = self.scene.grid
        return grid.sheared and grid.centre(col, row)[axis] > grid.centre(*beside)[axis] + 1e-9

    def _coloured(self, cell: Cell) -> str:
        behind = "" if not self.threats else THREAT if cell in self.threats else " "
        text = (self.glyph(cell) + behind).rjust(self.width)
        role = self.bands.get(cell, "")
        if not self.colour or not role or role == "passing":
            return text
        style = "later" if role.startswith("turn:") else ("move", "dash", "fast", "utmost")[min(int(role[5:]), 3)]
        return f"\x1b[{STYLE_CODES[style]}m{text}\x1b[0m"

    def _left(self, col: int, row: int) -> str:
        """The sign on a cell's left side: the barrier met going there from its left neighbour's middle."""
        if self.scene.grid.sheared:
            return self._signs.get((2 * row, self._column(col, row) - 1), " ")
        return self._met((col - 0.5, row + 0.5), (col + 0.5, row + 0.5), 0) or " "

    def _between(self, row: int) -> str:
        c0, _, c1, _ = self.scene.view
        if self.scene.grid.sheared:
            last = self._column(c1, row) + self.width
            # a shoved row has one before its first cell: what lies between that and the cell above on its left
            signs = (self._signs.get((2 * row - 1, at), " ") for at in range(self._column(c0, row) - 1, last))
            return "".join(signs).rstrip()
        out = ""
        for col in range(c0, c1):
            sign = self._met((col + 0.5, row - 0.5), (col + 0.5, row + 0.5), 1)
            out += " " + (sign or " ") * self.width
        return out

    def _column(self, col: int, row: int) -> int:
        """Where in its line a cell's sign stands, counted from the sign of the first column of an unshoved row."""
        return (col - self.scene.view[0]) * (self.width + 1) + self._shoved(0, row) * ((self.width + 1) // 2)

    @cached_property
    def _signs(self) -> dict[tuple[int, int], str]:
        """On a grid whose lines are shoved: what stands on the sides of cells, half way between their signs."""
        found: dict[tuple[int, int], str] = {}
        c0, r0, c1, r1 = self.scene.view
        grid = self.scene.grid
        for row in range(r0, r1):
            for col in range(c0, c1):
                here = grid.centre(col, row)
                for _, there in neighbours(grid, Cell(col, row), diagonal=False):
                    sign = self._met(here, grid.centre(there.col, there.row), int(there.row != row))
                    if sign:
                        ends = self._column(col, row), self._column(there.col, there.row)
                        # a side is met from both of its cells: the place is the same, the first sign stays
                        found.setdefault((row + there.row, sum(ends) // 2), sign)
        return found

    def _met(self, a: Point, b: Point, along: int) -> str:
        near = self._level_with(a[1], b[1])
        signs = [stroke.role for stroke in near if _cross(a, b, stroke.points[0], stroke.points[1])]
        if not signs:
            return ""
        # a door lies upon the wall it is in
        sign = LINES[signs[-1]][along]
        return ASCII_LINES.get(sign, sign) if self.ascii else sign

    def _level_with(self, top: float, bottom: float) -> list[Stroke]:
        """The barriers that come between two heights of the page, lowest and highest point counted."""
        if (top, bottom) not in self._near:
            self._near[top, bottom] = [
                stroke
                for stroke in self.strokes
                if min(y for _, y in stroke.points) <= bottom and max(y for _, y in stroke.points) >= top
            ]
        return self._near[top, bottom]

    def legend(self) -> list[str]:
        """What the letters mean: only those that are on the map."""
        out = [f"{letter}  {name}" for letter, name in self.names]
        lettered = {role for cell, role in self.bands.items() if self.glyph(cell) == _letter(role)}
        for entry in self.scene.legend:
            # a price says more than the letter it stands in place of, and colours speak for themselves
            coloured = self.colour and entry.role.startswith(("band:", "turn:"))
            if entry.role in lettered or (coloured and entry.role in self.bands.values()):
                out.append(f"{_letter(entry.role)}  {entry.text}")
        if self.route:
            out.append(f"{'*' if self.ascii else '•'}  route")
        if self.refused:
            out.append(f"{self.no}  not possible")
        if self.threats:
            out.append(f"{THREAT}  within reach of enemies")
        out += [f"{glyph}  {', '.join(names)}" for glyph, names in self._grounds().items()]
        for role in dict.fromkeys(stroke.role for stroke in self.strokes):
            across, along = LINES[role]
            signs = dict.fromkeys(ASCII_LINES.get(s, s) if self.ascii else s for s in (across, along))
            name = f"{role[5:]} door" if role.startswith("door:") else role.replace("-", " ")
            out.append(f"{' '.join(signs)}  {name}")
        return out

    def _grounds(self) -> dict[str, list[str]]:
        """The names of the ground that shows, by its sign, in the order of the looks; ``hazard`` where it is one."""
        there: dict[tuple[int, str, str], None] = {}
        for cell, tile in self.tiles.items():
            look, sign = self._look(cell), self._ground(cell)
            told = look in LOOK_WORDS or sign == HAZARD
            if told and cell not in self.tokens and self.glyph(cell).startswith(sign):
                there[ORDER.get(look, 0), sign, tile.name or LOOK_WORDS.get(look, "")] = None
        named: dict[str, list[str]] = {}
        for _, sign, words in sorted(there, key=lambda one: one[0]):
            named.setdefault(sign, []).append(words)
        if self.hazards and HAZARD in named:
            named[HAZARD].append("hazard")
        return {sign: list(dict.fromkeys(filter(None, words))) for sign, words in named.items()}


def _letter(role: str) -> str:
    """The letter of a band, the number of a later turn, the stroke of what can only be passed."""
    if role.startswith("band:"):
        return BAND_LETTERS[min(int(role[5:]), 3)]
    return role[5:] if role.startswith("turn:") else "/" if role == "passing" else ""


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments meet; touching counts."""

    def side(p: Point, q: Point, r: Point) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    s1, s2 = side(a, b, c), side(a, b, d)
    if s1 * s2 > 0:
        return False
    s3, s4 = side(c, d, a), side(c, d, b)
    if s1 == s2 == s3 == s4 == 0:
        return False
    return s3 * s4 <= 0


DRAWER = Drawer("text", ".txt", draw, "letters, for terminals")
