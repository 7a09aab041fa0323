"""The kernel in C, built with gcc where there is one, as the measure of what the machine can do."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from tactical.search.compiled import Compiled

UNSIGNED = ctypes.c_uint32


@cache
def library() -> ctypes.CDLL | None:
    """The compiled C file, or None where there is no gcc."""
    gcc = shutil.which("gcc")
    if gcc is None:
        return None
    place = Path(tempfile.mkdtemp(prefix="tactical-bench-")) / "kernel.so"
    source = Path(__file__).with_name("kernel.c")
    subprocess.run([gcc, "-O3", "-shared", "-fPIC", "-o", str(place), str(source)], check=True)
    loaded = ctypes.CDLL(str(place))
    loaded.many8.restype = loaded.many16.restype = ctypes.c_uint64
    return loaded


class Native:
    """The C kernel over one compiled map (a stencil of bytes or words without extra steps)."""

    def __init__(self, compiled: Compiled) -> None:
        found = library()
        assert found is not None
        assert compiled.weight.dtype in (np.uint8, np.uint16)
        self.many = found.many8 if compiled.weight.dtype == np.uint8 else found.many16
        self.compiled, nodes = compiled, compiled.nodes
        ring = 1 << compiled.max_weight.bit_length()
        empty = np.iinfo(np.uint32).max
        self.dist, self.head = np.full(nodes, empty, np.uint32), np.full(ring, empty, np.uint32)
        self.tail, self.entries = np.zeros(ring, np.uint32), np.empty(4 * (nodes * compiled.slots + 1), np.uint32)
        self.out = [np.empty(nodes, np.uint32) for _ in range(4)]
        self.weight = np.ascontiguousarray(compiled.weight)
        self.offset = np.ascontiguousarray(compiled.offset, np.int64)
        self.mask = ring - 1

    def ask(self, sources: Sequence[int], budget: int | None, target: int = -1) -> int:
        """Search from each source in turn; the number of nodes settled in all."""
        each = np.array(sources, np.uint32)
        compiled = self.compiled
        numbers = (compiled.cells, compiled.layers, compiled.slots, 2**31 if budget is None else budget)
        parts: list[Any] = [self.dist, self.entries, self.head, self.tail, *self.out]
        return int(
            self.many(
                pointer(each), UNSIGNED(len(each)), pointer(self.weight), pointer(self.offset),
                *map(UNSIGNED, numbers), UNSIGNED(target & 0xFFFFFFFF), UNSIGNED(self.mask), *map(pointer, parts),
            )
        )  # fmt: skip


def pointer(array: Any) -> ctypes.c_void_p:
    """Where an array lies."""
    return ctypes.c_void_p(array.ctypes.data)
