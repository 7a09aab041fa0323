"""What can be told of a picture without decoding it: its kind, its size, and whether it can be drawn at all.

A few bytes may ask for a picture of gigabytes, so its size is read from the header before anybody decodes it.
"""

from __future__ import annotations

MOST_PIXELS = 100_000_000
"""Pixels of the largest picture that is drawn."""

KINDS = ("PNG", "JPEG", "WebP", "GIF", "BMP")
_MAGIC = ((b"\x89PNG\r\n\x1a\n", "PNG"), (b"\xff\xd8\xff", "JPEG"), (b"GIF8", "GIF"), (b"BM", "BMP"))
_NO_FRAME = frozenset({0xC4, 0xC8, 0xCC})
"""JPEG markers among the frames' numbers that begin no frame."""


def kind_of(data: bytes) -> str:
    """``PNG``, ``JPEG``, ``WebP``, ``GIF`` or ``BMP`` by the first bytes; an empty text for anything else."""
    for magic, kind in _MAGIC:
        if data.startswith(magic) and (magic != b"BM" or b"\x00" in data[:32]):
            return kind
    return "WebP" if data[:4] == b"RIFF" and data[8:12] == b"WEBP" else ""


def size_of(data: bytes) -> tuple[int, int] | None:
    """Width and height as the header states them; None where the data ends before it does, or is no picture."""
    kind = kind_of(data)
    if kind == "PNG" and len(data) >= 24:
        return int.from_bytes(data[16:20], "big"), int.from_bytes(data[20:24], "big")
    if kind == "GIF" and len(data) >= 10:
        return int.from_bytes(data[6:8], "little"), int.from_bytes(data[8:10], "little")
    if kind == "BMP" and len(data) >= 26:
        if int.from_bytes(data[14:18], "little") < 40:
            return int.from_bytes(data[18:20], "little"), int.from_bytes(data[20:22], "little")
        wide, high = (int.from_bytes(data[n : n + 4], "little", signed=True) for n in (18, 22))
        return abs(wide), abs(high)
    if kind == "WebP" and len(data) >= 30:
        return _webp(data)
    return _jpeg(data) if kind == "JPEG" else None


def _webp(data: bytes) -> tuple[int, int] | None:
    kind = data[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(data[24:27], "little"), 1 + int.from_bytes(data[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(data[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        return int.from_bytes(data[26:28], "little") & 0x3FFF, int.from_bytes(data[28:30], "little") & 0x3FFF
    return None


def _jpeg(data: bytes) -> tuple[int, int] | None:
    at = 2
    while at + 9 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:
            at += 1
        elif 0xC0 <= marker <= 0xCF and marker not in _NO_FRAME:
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        else:
            at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return None


def flaw_of(data: bytes, pixels: float) -> str:
    """Why a picture cannot be drawn where a cell is `pixels` wide in it, in words; empty for a good one."""
    if not kind_of(data):
        return f"it is no {', '.join(KINDS[:-1])} or {KINDS[-1]} picture"
    size = size_of(data)
    if size is None or _cut_off(data):
        return "it is cut off"
    wide, high = size
    if not wide or not high:
        return f"it has {wide} x {high} pixels"
    if wide * high > MOST_PIXELS:
        return f"it has {wide} x {high} pixels, more than the {MOST_PIXELS // 10**6} million that are drawn"
    if pixels < 1:
        return f"a cell is {pixels:g} pixels wide in it, less than one"
    return ""


def _cut_off(data: bytes) -> bool:
    kind = kind_of(data)
    if kind == "PNG":
        at = 8
        while at + 12 <= len(data):
            if data[at + 4 : at + 8] == b"IEND":
                return False
            at += 12 + int.from_bytes(data[at : at + 4], "big")
        return True
    if kind == "JPEG":
        return b"\xff\xd9" not in data
    return kind == "WebP" and int.from_bytes(data[4:8], "little") + 8 > len(data)
