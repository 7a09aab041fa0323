"""The theme: bands stay apart for every eye, and every meaning has a sign besides its colour."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest

from tactical import assets
from tactical.errors import UnknownName
from tactical.show.scene.ground import LOOKS
from tactical.show.theme import load, read, rgb, stronger

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
LEAST = 10.0
"""CIE 1976 difference below which people hesitate."""
EYES = ("normal", "protan", "deutan")
BLOCKED = frozenset({"tree", "rock", "wall", "gap", "furniture", "unknown"})
"""Grounds on which no band lies: nobody can go there."""


def lab(colour: np.ndarray, sight: np.ndarray) -> np.ndarray:
    srgb = colour / 255
    linear = np.where(srgb <= 0.04045, srgb / 12.92, ((srgb + 0.055) / 1.055) ** 2.4)
    xyz = XYZ @ np.clip(sight @ linear, 0, 1) / np.array([0.95047, 1.0, 1.08883])
    f = np.where(xyz > 216 / 24389, np.cbrt(xyz), (24389 / 27 * xyz + 16) / 116)
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


def least_difference(styles, grounds, eyes=EYES):
    """The least difference of any two bands, and of any band and bare ground, blended as they are shipped."""
    worst = (float("inf"), "")
    for (ground, colour), eye in itertools.product(grounds.items(), eyes):
        bare = np.array(colour, dtype=float)
        seen = {style.name: lab(bare * (1 - style.alpha) + np.array(style.fill) * style.alpha, SIGHTS[eye])
                for style in styles}  # fmt: skip
        seen["bare ground"] = lab(bare, SIGHTS[eye])
        for (one, a), (other, b) in itertools.combinations(seen.items(), 2):
            if {one, other} != {"out", "bare ground"}:
                worst = min(worst, (float(np.linalg.norm(a - b)), f"{one} and {other} on {ground}, {eye}"))
    return worst


def grounds(theme):
    return {name: colour for name, colour in theme.colours["ground"].items() if name not in BLOCKED}


@pytest.mark.parametrize("gaits", [1, 2, 3, 4])
def test_bands_stay_apart_on_every_ground_for_every_eye(gaits):
    theme = load()
    shown = [theme.styles[name] for name in (*theme.order[gaits], "later", "out")]
    assert least_difference(shown, grounds(theme)) >= (LEAST, "")


@pytest.mark.parametrize("gaits", [2, 4])
def test_stronger_tints_stay_apart_too(gaits):
    theme = stronger(load())
    shown = [theme.styles[name] for name in (*theme.order[gaits], "later", "out")]
    assert least_difference(shown, grounds(theme)) >= (LEAST, "")


def test_the_measure_tells_a_bad_palette():
    theme = load()
    red, green = (replace(theme.styles["move"], name=name, fill=rgb(name)) for name in ("C04040", "60A040"))
    assert least_difference([red, green], grounds(theme))[0] < LEAST


def brightness(colour):
    linear = [c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    high, low = sorted((brightness(a), brightness(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def lines(theme):
    """Cores and edges of what is drawn over bands: the rims of chances, the dotted way, what is meant, threats."""
    window = theme.colours["window"]
    return {
        "sure": window["good_line"], "likely": window["warn_line"], "unlikely": window["bad_line"],
        "way without strikes": window["good_line"], "threat": theme.colour("mark", "threat"),
    }  # fmt: skip


def test_lines_over_bands_stand_out_on_every_ground():
    """Each is a core in a dark edge: one of the two stands out from whatever lies below, and they from each other."""
    pytest.importorskip("pygame")
    from tactical.show.drawers.raster.canvas import DARK

    theme = load()
    for name, core in lines(theme).items():
        assert contrast(core, DARK) >= 4.5, f"{name} in its edge"
    styles = [theme.styles[name] for name in (*theme.order[4], "later", "out")]
    for (ground, bare), style in itertools.product(grounds(theme).items(), styles):
        back = tuple(np.array(bare) * (1 - style.alpha) + np.array(style.fill) * style.alpha)
        for name, core in lines(theme).items():
            if style.name == "out" and name not in ("unlikely", "threat"):
                continue  # there is neither a way nor a chance
            assert max(contrast(core, back), contrast(DARK, back)) >= 3, f"{name} on {style.name} over {ground}"


def test_the_three_steps_of_chances_stay_apart_for_every_eye():
    found = lines(load())
    for eye in EYES:
        seen = [lab(np.array(found[name], dtype=float), SIGHTS[eye]) for name in ("sure", "likely", "unlikely")]
        for one, other in itertools.combinations(seen, 2):
            assert np.linalg.norm(one - other) >= LEAST, eye


def test_all_words_can_be_read():
    theme = load()
    window, plates = theme.colours["window"], theme.colours["plate"]
    for ink, back in itertools.product(("text", "dim", "faint", "accent_line", "bad_line", "good_line", "warn_line"),
                                       ("bar", "panel", "tip", "card")):  # fmt: skip
        assert contrast(window[ink], window[back]) >= 4.5, f"{ink} on {back}"
    for back in ("accent", "good", "warn", "bad"):
        assert contrast(window["text"], window[back]) >= 4.5, back
    for name, colour in plates.items():
        if name not in ("text", "edge"):
            assert contrast((255, 255, 255), colour) >= 4.5, f"white on the plate {name}"
    for name, style in theme.styles.items():
        if name in {*theme.order[4], "later"}:
            assert contrast(style.rim, window["panel"]) >= 4.5, f"words in the rim of {name}"


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
