"""The GeoJSON drawer: bands and barriers of a scene as areas and lines for other programs; no picture.

Coordinates are cells, x to the right and y upwards; every feature says what it ``is``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from tactical.show.drawers import Drawer
from tactical.show.scene.shapes import Area, Scene, Stroke, Text, Token
from tactical.units import cell_name

if TYPE_CHECKING:
    from tactical.formats.geojson import Feature
    from tactical.show.theme import Theme

BARRIERS = ("wall", "door", "window", "fence", "low-wall", "invisible", "one-way")


def draw(scene: Scene, *, theme: Theme | None = None) -> str:
    """The scene's bands with the names of their cells, its barriers, the way, and who stands where."""
    from tactical.formats.geojson import collection

    return collection(_features(scene), unit=scene.unit, grid=scene.grid.name)


def _features(scene: Scene) -> Iterator[Feature]:
    from tactical.formats.geojson import area, feature, position

    titles = {entry.role: entry.text for entry in scene.legend}
    prices = {scene.grid.cell_at(*text.at): text.text for text in scene.of(Text) if text.role == "cost"}
    for shape in scene.of(Area):
        if shape.role.startswith(("band:", "turn:", "passing")) and shape.cells and not shape.inverse:
            cells = sorted(cell[:2] for cell in shape.cells)
            names = [cell_name(cell, ("",)) for cell in sorted(shape.cells)]
            costs = {cell_name(cell, ("",)): prices[cell[:2]] for cell in sorted(shape.cells) if cell[:2] in prices}
            about = {"is": "band", "role": shape.role, "title": titles.get(shape.role, ""), "cells": names}
            yield area(scene.grid, cells, {**about, "costs": costs})
    for stroke in scene.of(Stroke):
        kind, _, state = stroke.role.partition(":")
        points = [position(point) for point in stroke.points]
        if kind == "route":
            yield feature("LineString", points, {"is": "route", "name": stroke.name})
        elif kind in BARRIERS:
            yield feature("LineString", points, {"is": "barrier", "kind": kind, "state": state, "name": stroke.name})
    for token in scene.of(Token):
        if token.role != "ghost":
            about = {"is": "mover", "id": token.id, "name": token.name, "role": token.role}
            yield feature("Point", position(token.at), {**about, "posture": token.posture, "size": token.size})


DRAWER = Drawer("geojson", ".geojson", draw, "bands and barriers as GeoJSON, for other programs")
