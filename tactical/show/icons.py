"""Icons as geometry: posture figures and signs, for every drawer alike.

The built-in font of the window has no such glyphs, and no font has "crouched".  An icon is a list of strokes, dots and
filled shapes in a square from (-1, -1) to (1, 1), y down.
"""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Part:
    """One part of an icon: ``line`` (width in units), ``dot`` (one point and a radius) or ``fill`` (a polygon)."""

    kind: str
    points: tuple[Point, ...]
    width: float = 0.2
    hole: bool = False


def _line(*points: Point, width: float = 0.24) -> Part:
    return Part("line", points, width)


def _dot(x: float, y: float, radius: float, *, hole: bool = False) -> Part:
    return Part("dot", ((x, y),), radius, hole)


ICONS: dict[str, tuple[Part, ...]] = {
    "standing": (
        _dot(0, -0.72, 0.24),
        _line((0, -0.45), (0, 0.2), width=0.36),
        _line((-0.48, 0.08), (-0.3, -0.36), (0.3, -0.36), (0.48, 0.08), width=0.17),
        _line((-0.32, 0.95), (-0.07, 0.18), (0.07, 0.18), (0.32, 0.95), width=0.2),
    ),
    "crouched": (
        _dot(0.22, -0.5, 0.24),
        _line((0.1, -0.22), (-0.3, 0.3), width=0.36),
        _line((0.12, -0.15), (0.5, 0.18), (0.74, 0.02), width=0.17),
        _line((-0.3, 0.34), (0.3, 0.42), (0.12, 0.92), (0.36, 0.92), width=0.2),
        _line((-0.36, 0.36), (-0.2, 0.92), (-0.56, 0.92), width=0.2),
    ),
    "kneeling": (
        _dot(0.05, -0.62, 0.24),
        _line((0, -0.34), (-0.04, 0.28), width=0.36),
        _line((0.05, -0.2), (0.5, 0.12), width=0.17),
        _line((-0.02, 0.3), (0.46, 0.4), (0.46, 0.92), width=0.2),
        _line((-0.08, 0.3), (-0.12, 0.88), (-0.6, 0.9), width=0.2),
    ),
    "prone": (
        _dot(0.72, -0.08, 0.22),
        _line((0.46, 0.14), (-0.2, 0.26), width=0.34),
        _line((0.4, 0.16), (0.66, 0.42), (0.92, 0.4), width=0.16),
        _line((-0.2, 0.24), (-0.92, 0.16), width=0.2),
        _line((-0.2, 0.32), (-0.9, 0.46), width=0.2),
    ),
    "check": (_line((-0.7, 0.05), (-0.2, 0.55), (0.75, -0.55), width=0.26),),
    "cross": (
        _line((-0.6, -0.6), (0.6, 0.6), width=0.28),
        _line((-0.6, 0.6), (0.6, -0.6), width=0.28),
    ),
    "warning": (
        Part("fill", ((0, -0.85), (0.95, 0.8), (-0.95, 0.8))),
        Part("line", ((0, -0.3), (0, 0.25)), 0.22, True),
        _dot(0, 0.54, 0.13, hole=True),
    ),
    "flash": (Part("fill", ((0.25, -1), (-0.6, 0.2), (-0.08, 0.2), (-0.28, 1), (0.6, -0.25), (0.08, -0.25))),),
    "die": (
        Part("fill", ((-0.75, -0.75), (0.75, -0.75), (0.75, 0.75), (-0.75, 0.75))),
        *(_dot(x, y, 0.16, hole=True) for x, y in ((-0.38, -0.38), (0.38, -0.38), (0, 0), (-0.38, 0.38), (0.38, 0.38))),
    ),
    "difficult": (
        _line((-0.8, 0.45), (-0.45, -0.15), (-0.1, 0.45), width=0.2),
        _line((0.1, 0.45), (0.45, -0.15), (0.8, 0.45), width=0.2),
    ),
    "climb": (
        _line((-0.6, 0.7), (0, 0.1), (0.6, 0.7), width=0.22),
        _line((-0.6, 0.05), (0, -0.55), (0.6, 0.05), width=0.22),
    ),
    "swim": (
        _line((-0.85, -0.2), (-0.45, -0.5), (0, -0.2), (0.45, -0.5), (0.85, -0.2), width=0.2),
        _line((-0.85, 0.4), (-0.45, 0.1), (0, 0.4), (0.45, 0.1), (0.85, 0.4), width=0.2),
    ),
    "low": (_line((-0.8, -0.5), (0.8, -0.5), width=0.26), _line((-0.4, 0.05), (0, 0.5), (0.4, 0.05), width=0.2)),
    "slick": (_line((-0.8, 0.4), (-0.3, -0.1), (0.2, 0.3), (0.8, -0.3), width=0.2),),
    "no-stop": (_line((-0.6, 0.6), (0.6, -0.6), width=0.24), _line((-0.6, -0.1), (-0.1, -0.6), width=0.18)),
    "arrow": (_line((-0.8, 0), (0.7, 0), width=0.24), _line((0.15, -0.5), (0.75, 0), (0.15, 0.5), width=0.24)),
    "stairs": (_line((-0.8, 0.7), (-0.3, 0.7), (-0.3, 0.2), (0.2, 0.2), (0.2, -0.3), (0.75, -0.3), width=0.2),),
    "ladder": (
        _line((-0.4, -0.9), (-0.4, 0.9), width=0.18),
        _line((0.4, -0.9), (0.4, 0.9), width=0.18),
        *(_line((-0.4, y), (0.4, y), width=0.16) for y in (-0.55, 0, 0.55)),
    ),
    "portal": (_line((0, -0.8), (0.6, -0.4), (0.7, 0.3), (0, 0.8), (-0.7, 0.3), (-0.6, -0.4), (0, -0.8), width=0.2),),
    "lock": (
        Part("fill", ((-0.6, -0.1), (0.6, -0.1), (0.6, 0.8), (-0.6, 0.8))),
        _line((-0.36, -0.1), (-0.36, -0.55), (0, -0.8), (0.36, -0.55), (0.36, -0.1), width=0.18),
    ),
}
ICONS["shield"] = (Part("fill", ((0, -0.9), (0.75, -0.6), (0.65, 0.25), (0, 0.95), (-0.65, 0.25), (-0.75, -0.6))),)
ICONS["hand"] = (
    Part("fill", ((-0.5, -0.05), (0.55, -0.05), (0.5, 0.55), (0.2, 0.95), (-0.3, 0.95), (-0.6, 0.5))),
    *(_line((x, 0.1), (x, -0.75), width=0.21) for x in (-0.36, -0.08, 0.2, 0.46)),
    _line((-0.5, 0.35), (-0.85, -0.05), width=0.22),
)
ICONS["door"] = (
    Part("fill", ((-0.55, -0.9), (0.55, -0.9), (0.55, 0.9), (-0.55, 0.9))),
    _dot(0.28, 0.05, 0.14, hole=True),
)
ICONS["least"] = (Part("fill", ((0, -0.8), (0.7, 0.5), (-0.7, 0.5))),)
ICONS["fog"] = (
    _line((-0.8, -0.35), (-0.3, -0.55), (0.2, -0.35), (0.8, -0.55), width=0.2),
    _line((-0.8, 0.1), (-0.3, -0.1), (0.2, 0.1), (0.8, -0.1), width=0.2),
    _line((-0.8, 0.55), (-0.3, 0.35), (0.2, 0.55), (0.8, 0.35), width=0.2),
)
ICONS["hazard"] = ICONS["warning"]
