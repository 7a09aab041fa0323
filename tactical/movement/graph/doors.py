"""The closed doors that a step opens."""

from __future__ import annotations

from tactical.movement.graph.lattice import Lattice
from tactical.world.crossing import Crossing


def door_crossing(lattice: Lattice, node: int, slot: int) -> Crossing | None:
    """The closed doors that a step opens, with their price, or None."""
    if slot >= len(lattice.slots) or lattice.slots[slot].k < 0:
        return None
    plane = lattice.draft.planes[lattice.layer(node).squeezed][lattice.slots[slot].k]
    if plane.crossing is None:
        return None
    code = int(plane.crossing[lattice.place(node)])
    crossing = lattice.draft.prices[code - 1] if code > 0 else None
    return crossing if crossing is not None and crossing.opens else None
