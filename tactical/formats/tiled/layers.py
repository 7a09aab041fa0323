"""The numbers of a layer's tiles: decoded within bounds, whatever a file claims of itself."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Mapping
from typing import Any

import numpy as np

from tactical.values import replaced

GID = 0x0FFFFFFF
"""What of a tile's number is the tile; the rest is how it is turned, which changes no ground."""
NO_ZSTD = "zstd is not read without the extra: pip install 'tactical[zstd]', or save the map with zlib compression"


class Undecoded(ValueError):
    """What is wrong with a layer's tiles, in words."""


def decoded(layer: Mapping[str, Any], data: Any, count: int) -> Any:
    """The numbers of `count` tiles as unsigned integers.  Raises `Undecoded` for anything else than so many."""
    try:
        found = _numbers(layer, data, count)
        if found.size != count:
            more = "more" if found.size > count else str(found.size)
            raise Undecoded(f"expected {count} tiles, found {more}")
        if found.size and not 0 <= found.min() <= found.max() < 1 << 32:
            raise Undecoded("a tile's number is out of place")
    except (ValueError, TypeError, OverflowError, binascii.Error, zlib.error) as error:
        raise Undecoded(replaced(str(error)[:160])) from error
    return found.astype(np.uint32)


def _numbers(layer: Mapping[str, Any], data: Any, count: int) -> Any:
    if isinstance(data, list):
        return np.array([int(one) for one in data[: count + 1]], dtype=np.int64)
    if not isinstance(data, str):
        raise Undecoded("no tiles")
    encoding = layer.get("encoding", "csv")
    if encoding == "csv":
        return np.array([int(one) for one in data.split(",", count + 1) if one.strip()], dtype=np.int64)
    if encoding != "base64":
        raise Undecoded(f"the encoding {str(encoding)[:20]!r} is not read")
    raw = _unpacked(base64.b64decode("".join(data.split()), validate=True), layer, count * 4)
    return np.frombuffer(raw[: len(raw) // 4 * 4], dtype="<u4").astype(np.int64)


def _unpacked(raw: bytes, layer: Mapping[str, Any], most: int) -> bytes:
    how = layer.get("compression") or ""
    if not how:
        return raw
    if how == "zstd":
        return _zstd(raw, most + 4)
    if how not in ("zlib", "gzip"):
        raise Undecoded(f"the compression {str(how)[:20]!r} is not read")
    return zlib.decompressobj(47).decompress(raw, most + 4)


def _zstd(raw: bytes, most: int) -> bytes:
    """So much of what is packed, by the standard library where it can, else by the extra's library."""
    try:
        from compression import zstd  # type: ignore[import-not-found, unused-ignore]
    except ImportError:
        pass
    else:
        try:
            return bytes(zstd.ZstdDecompressor().decompress(raw, max_length=most))
        except zstd.ZstdError as error:
            raise Undecoded(f"broken zstd data: {error}") from error
    try:
        import zstandard
    except ImportError:
        raise Undecoded(NO_ZSTD) from None
    try:
        # a window larger than a map's layer is a file made to take memory
        decompressor = zstandard.ZstdDecompressor(max_window_size=1 << 27)
        with decompressor.stream_reader(raw) as stream:
            return bytes(stream.read(most))
    except zstandard.ZstdError as error:
        raise Undecoded(f"broken zstd data: {error}") from error
