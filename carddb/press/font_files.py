"""The files of a game's fonts: in installed font packages, or in the game's own folder and nowhere else."""

from __future__ import annotations

import functools
from pathlib import Path

import uharfbuzz as hb

from carddb import assets
from carddb.errors import FontError
from carddb.font_parts import FontSpec
from carddb.layout.fonts import Font, FontFile

_MAX_BYTES = 64 << 20


def load_family(family: str, spec: FontSpec, folder: Path | None = None) -> list[Font]:
    """Every style of a family; `folder` is that of the game that names it. Raises FontError."""
    return [_font(family, style, _font_file(spec, file, folder), spec.variable) for style, file in spec.files.items()]


def _font_file(spec: FontSpec, file: str, folder: Path | None) -> FontFile:
    if spec.package or folder is None:
        return _installed(assets.font_file(spec.package, file))
    return _copied(_own_file(folder, file))


@functools.lru_cache(maxsize=256)
def _own_file(folder: Path, file: str) -> Path:
    """A font that lies in a game's folder. Raises FontError where it is not there, leads out of it, or is no font."""
    remedy = "Put a TrueType font (.ttf) into the game's folder, and name it from there: fonts/Name.ttf."
    try:
        path = (folder / file).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise FontError(f"the font {file} leads out of {folder}", remedy)
        if not path.is_file():
            raise FontError(f"there is no font {file} in {folder}", remedy)
        sound = path.stat().st_size <= _MAX_BYTES and hb.Face(path.read_bytes()).glyph_count
    except (OSError, ValueError, RuntimeError) as fault:
        raise FontError(f"the font {file} in {folder} cannot be read: {fault}", remedy) from fault
    if not sound:
        raise FontError(f"{file} in {folder} is no font", remedy)
    return path


@functools.lru_cache(maxsize=256)
def _font(family: str, style: str, file: FontFile, variable: bool) -> Font:
    """One style of a family; all workshops of a process share it, and what was measured with it."""
    axes = {"wght": float(style.split(maxsplit=1)[0])} if variable else {}
    return Font(f"{family} {style}", family, style, file, axes)


@functools.lru_cache(maxsize=256)
def _installed(path: Path) -> FontFile:
    """A font of a package, mapped into memory: nobody writes into it."""
    return FontFile(path.read_bytes, functools.partial(hb.Blob.from_file_path, str(path)))


@functools.lru_cache(maxsize=256)
def _copied(path: Path) -> FontFile:
    """A font of a game's own, read whole: its maker may write it anew while it is used."""
    return FontFile(path.read_bytes)
