"""Notes inside pictures: the tags of TIFF and EXIF, and the name of a colour profile (ICC.1)."""

from __future__ import annotations

_MOST_TAGS = 500
_MOST_PROFILE_TAGS = 100
_SRGB = {"sRGB", "sRGB built-in", "sRGB IEC61966-2.1", "sRGB IEC61966-2-1 black scaled", "GIMP built-in sRGB"}
"""Names under which the usual sRGB profile travels; any other profile is converted, which is never wrong."""


def tags(data: bytes) -> dict[int, int]:
    """The whole numbers of the first directory of a TIFF or EXIF block, by tag; what cannot be read is left out."""
    order = {b"II\x2a\0": "little", b"MM\0\x2a": "big"}.get(data[:4])
    if order is None:
        return {}

    def number(at: int, size: int) -> int:
        return int.from_bytes(data[at : at + size], "little" if order == "little" else "big")

    at = number(4, 4)
    numbers: dict[int, int] = {}
    for entry in range(at + 2, at + 2 + 12 * min(number(at, 2), _MOST_TAGS), 12):
        if entry + 12 > len(data):
            break
        size = {3: 2, 4: 4}.get(number(entry + 2, 2))
        if size and number(entry + 4, 4) == 1:
            numbers.setdefault(number(entry, 2), number(entry + 8, size))
    return numbers


def is_srgb(profile: bytes) -> bool:
    """Whether a colour profile is sRGB by the name it bears."""
    return profile[16:20] == b"RGB " and profile_name(profile) in _SRGB


def profile_name(profile: bytes) -> str:
    """The description of a colour profile; empty where there is none."""

    def number(at: int) -> int:
        return int.from_bytes(profile[at : at + 4], "big")

    for entry in range(132, 132 + 12 * min(number(128), _MOST_PROFILE_TAGS), 12):
        if profile[entry : entry + 4] == b"desc":
            at = number(entry + 4)
            if profile[at : at + 4] == b"desc":
                return profile[at + 12 : at + 12 + number(at + 8)].rstrip(b"\0").decode("ascii", "replace")
            if profile[at : at + 4] == b"mluc":
                start, size = at + number(at + 24), number(at + 20)
                return profile[start : start + size].decode("utf-16-be", "replace").rstrip("\0")
    return ""
