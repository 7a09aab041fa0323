"""The theme: bands stay apart for every eye, and every meaning has a sign besides its colour."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from tactical import assets
from tactical.errors import UnknownName
from tactical.show.scene.ground import LOOKS
from tactical.show.theme import load, read

# Ground under the bands: grass, stone, a dark dungeon, sand.
TERRAINS = {"grass": "6E8B4E", "stone": "8F9094", "dungeon": "3A3A40", "sand": "CDB98A"}
# Simulation of missing cones at full severity, on linear light (Machado, Oliveira, Fernandes 2009).
SIGHTS = {
    "normal": np.eye(3),
    "protan": np.array(
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]
    ),
    "deutan": np.array(
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]
    ),
    "tritan": np.array(
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]
    ),
}
XYZ = np.array(
    [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
)
OPACITY = 0.45
LEAST = 12.0
LEAST_OF_FOUR = 11.0
"""Four fills leave less room; each has a pattern and a rim of its own besides."""


def lab(colour: np.ndarray, sight: np.ndarray) -> np.ndarray:
    srgb = colour / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    xyz = XYZ @ np.clip(sight @ linear, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def least_difference(fills: list[tuple[int, int, int]]) -> float:
    worst = float("inf")
    for ground, sight in itertools.product(TERRAINS.values(), SIGHTS.values()):
        bare = np.array([int(ground[n : n + 2], 16) for n in (0, 2, 4)], dtype=float)
        seen = [bare, *(bare * (1 - OPACITY) + np.array(fill) * OPACITY for fill in fills)]
        labs = [lab(colour, sight) for colour in seen]
        worst = min([worst, *(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(labs, 2))])
    return worst


def test_three_bands_stay_apart_in_every_sight():
    theme = load()
    assert least_difference([theme.styles[name].fill for name in ("move", "dash", "later")]) >= LEAST


def test_four_gaits_stay_apart_in_every_sight():
    theme = load()
    assert theme.order[4] == ("move", "fast", "dash", "utmost")
    assert least_difference([theme.styles[name].fill for name in theme.order[4]]) >= LEAST_OF_FOUR


@pytest.mark.parametrize("gaits", [1, 2, 3])
def test_fewer_gaits_and_later_turns_stay_apart(gaits):
    theme = load()
    fills = [theme.styles[name].fill for name in (*theme.order[gaits], "later")]
    assert least_difference(fills) >= LEAST_OF_FOUR


def test_the_measure_tells_a_bad_palette():
    assert least_difference([(0, 158, 0), (230, 200, 0), (213, 0, 0)]) < LEAST


@pytest.mark.parametrize("gaits", [1, 2, 3, 4])
def test_every_band_has_a_pattern_or_rim_of_its_own(gaits):
    theme = load()
    roles = [f"band:{n}" for n in range(gaits)] + ["turn:2", "passing", "out"]
    looks = {(theme.style(role, gaits).pattern, theme.style(role, gaits).dash) for role in roles}
    assert len(looks) == len(roles), "two bands differ in colour alone"


def test_every_look_has_a_ground_colour():
    assert set(LOOKS) <= set(load().colours["ground"])


def test_a_wrong_theme_says_what_is_wrong():
    text = assets.path("theme.toml").read_text(encoding="utf-8")
    with pytest.raises(ValueError, match="pattern 'stripes' is not one of"):
        read(text.replace('pattern = "hatch"', 'pattern = "stripes"'))
    with pytest.raises(ValueError, match="'side' is missing"):
        read(text.replace("[side]", "[sides]"))
    with pytest.raises(UnknownName, match="did you mean 'rubble'"):
        load().colour("ground", "rubbel")


def test_assets_are_found_and_named():
    assert assets.path("theme.toml").is_file()
    with pytest.raises(UnknownName, match=r"did you mean 'theme.toml'"):
        assets.path("theme.tml")
    if any(assets.maps().glob("*.yaml")):
        first = min(assets.maps().glob("*.yaml"))
        assert assets.maps(first.stem) == first
