"""The legend: the lines that explain what is in a picture, and the roles of bands."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from tactical.movement.turns.bands import Band
from tactical.show.amounts import amount, unit_of
from tactical.show.scene.shapes import Entry, Shape, Tile
from tactical.world.mover import Mover


def band_role(bands: Sequence[Band], band: Band) -> str:
    """``band:0``, ``band:1`` … for the gaits of this turn, ``turn:2`` … for later turns.

    A gait keeps its number for the whole turn, whichever gaits are still open.
    """
    if band.turn > 1:
        return f"turn:{band.turn}"
    return f"band:{_order(bands).index(band.name)}"


def gait_roles(bands: Sequence[Band]) -> dict[str, str]:
    """The roles of all gaits of the turn by name, also of those that are not open."""
    return {name: f"band:{n}" for n, name in enumerate(_order(bands))}


def gait_count(bands: Sequence[Band]) -> int:
    """How many gaits a turn has, open or not: themes choose styles by it."""
    return max(1, len(_order(bands)))


def _order(bands: Sequence[Band]) -> tuple[str, ...]:
    whole = next((band.order for band in bands if band.order), ())
    return whole or tuple(band.name for band in bands if band.turn == 1)


SIGN_WORDS = {
    "difficult": "slow ground",
    "climb": "climbing",
    "swim": "swimming",
    "low": "low ceiling",
    "slick": "slippery",
    "no-stop": "no stopping",
    "hazard": "hazard",
}
BARRIER_WORDS = {
    "door:open": "open door",
    "door:closed": "closed door",
    "door:locked": "locked door",
    "door:secret": "secret door",
    "window": "window",
    "fence": "fence",
    "low-wall": "low wall",
    "invisible": "unseen wall",
    "ledge": "ledge, a drop",
    "one-way": "one way only",
}
LINK_WORDS = {"link:stairs": "stairs", "link:ladder": "ladder", "link:portal": "leads elsewhere"}
MOVER_WORDS = {"mover:friend": "friend", "mover:foe": "foe", "mover:bystander": "bystander"}


def stance(viewer: Mover | None, mover: Mover) -> str:
    """A side by its name, and what it is to a viewer: ``watch, foe``; without a viewer only the name."""
    if viewer is None:
        return mover.side or "bystander"
    to_viewer = {"ally": "friend", "enemy": "foe"}.get(viewer.towards(mover), "bystander")
    return f"{mover.side}, {to_viewer}" if mover.side else to_viewer


def legend(
    shapes: Iterable[Shape], bands: tuple[Band, ...], unit: str, sides: Iterable[tuple[str, str]] | None = None
) -> tuple[Entry, ...]:
    """The lines that explain what is in the picture, and nothing else: bands first, then signs, tokens, barriers.

    `sides` are the roles of tokens and what to call them, where it is not the viewer who decides on the roles.
    """
    there: dict[str, None] = {}
    small: set[str] = set()
    for shape in shapes:
        there.setdefault(shape.role)
        if isinstance(shape, Tile):
            small.update(shape.signs)
    out = []
    alike: dict[str, list[Band]] = {}
    for band in bands:
        alike.setdefault(band_role(bands, band), []).append(band)
    for role, several in alike.items():
        if role in there:
            # the gaits of a later turn look the same: one line tells how far the farthest goes
            band = max(several, key=lambda one: one.budget * (1 if one.metres is None else one.metres))
            one = len(several) == 1
            title = band.title if one else f"{band.word.capitalize()} {band.turn}"
            least = f" {amount(band.minimum, band)}–" if band.minimum and one else ", to "
            out.append(Entry(role, f"{title}{least}{amount(band.budget, band)} {unit_of(bands, unit)}"))
    for role, words in (
        ("passing", "pass, no stopping"),
        ("out", "out of reach"),
        ("threat", "enemy reach"),
        ("refused", "not possible"),
    ):
        if role in there and not (role == "out" and not bands):
            out.append(Entry(role, words))
    called = MOVER_WORDS.items() if sides is None else dict.fromkeys(sides)
    out += [Entry(role, words) for role, words in called if role in there]
    out += [Entry(role, words) for role, words in (BARRIER_WORDS | LINK_WORDS).items() if role in there]
    out += [Entry(f"sign:{sign}", words) for sign, words in SIGN_WORDS.items() if sign in small]
    return tuple(out)
