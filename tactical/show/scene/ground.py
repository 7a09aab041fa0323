"""Looks: which picture a kind of ground is drawn with, decided from its facts and its name.

Facts win over words: deep water is drawn as water whatever it is called.  A name nobody foresaw falls back on facts.
"""

from __future__ import annotations

import re
from functools import cache

from tactical.world.terrain import Terrain

# The words of names, by look; the last word of a name that is found here decides ("wooden bridge" is a bridge).
WORDS: dict[str, str] = {
    word: look
    for look, words in {
        "grass": "grass meadow lawn field garden pasture moss",
        "road": "road street paved pavement path cobble cobbles track yard square plaza",
        "floor": "floor tile tiles room indoors carpet parquet roof hall",
        "planks": "bridge plank planks board boards pier dock jetty deck platform",
        "stone": "stone flagstone concrete cave cavern dungeon flags",
        "dirt": "dirt earth soil trail ground hill slope",
        "sand": "sand beach desert dune",
        "mud": "mud mire swamp bog marsh clay",
        "rubble": "rubble debris scree gravel wreckage ruins stones",
        "brush": "brush bush bushes thicket undergrowth hedge reeds scrub forest woods crops",
        "tree": "tree trees trunk",
        "rock": "rock boulder rocks mountain",
        "wall": "wall walls house masonry building brick pillar column",
        "cliff": "cliff crag scarp",
        "snow": "snow",
        "ice": "ice icy glacier",
        "lava": "lava magma fire",
        "gap": "gap pit chasm hole abyss crevasse ravine",
        "stairs": "stairs steps stair ladder ramp",
        "furniture": "furniture table crate crates barrel barrels bed chest wagon car cart sack sacks well forge",
        "water-shallow": "ford shallows puddle water river stream brook pond lake",
    }.items()
    for word in words.split()
}
LOOKS = (*dict.fromkeys(WORDS.values()), "plain", "water-wading", "water-deep", "unknown")
SOLID = frozenset({"rock", "wall"})
# Looks that say "this is slow" by themselves and need no extra sign.
TELLING = frozenset({"mud", "rubble", "brush", "water-shallow", "water-wading", "water-deep", "snow", "tree", "cliff"})
BLOCKED = frozenset({"rock", "wall", "tree", "water-deep", "lava", "gap", "furniture", "cliff"})


@cache
def look(terrain: Terrain) -> str:
    """The look of a kind of ground: ``grass``, ``road``, ``water-deep`` …"""
    if terrain.unknown:
        return "unknown"
    if terrain.gap:
        return "gap"
    if terrain.swum:
        return "water-deep"
    if terrain.water:
        return f"water-{terrain.water}"
    found = [WORDS[word] for word in re.findall(r"[a-z]+", terrain.name.lower()) if word in WORDS]
    named = found[-1] if found else ""
    if terrain.impassable:
        return named if named in BLOCKED else "wall" if named == "stone" else "rock"
    if terrain.climb and named in ("", "rock", "wall", "stone"):
        return "cliff"
    if named in ("rock", "wall", "gap", "cliff"):
        # walked on after all, so it is not what its name says
        return "stone"
    return named or ("rubble" if terrain.difficult or terrain.rough else "plain")


@cache
def signs(terrain: Terrain, textured: bool = True) -> tuple[str, ...]:
    """Facts that the look does not show by itself and a small sign must: ``difficult``, ``climb``, ``low`` …

    Where the ground is not `textured`, as over a map's own picture, no look tells anything.
    """
    shown = look(terrain) if textured else ""
    out: list[str] = []
    if terrain.impassable:
        return ()
    if terrain.difficult and shown not in TELLING:
        out.append("difficult")
    if terrain.climb and shown != "cliff":
        out.append("climb")
    if terrain.swum if not textured else terrain.swim and not terrain.water:
        out.append("swim")
    if terrain.headroom:
        out.append("low")
    if terrain.slick or terrain.unstable:
        out.append("slick")
    if terrain.no_stop:
        out.append("no-stop")
    if terrain.hazard:
        out.append("hazard")
    return tuple(out)
