"""The files of a game's fonts: in installed font packages, or in the game's own folder and nowhere else."""

from __future__ import annotations

import functools
from pathlib import Path

import uharfbuzz as hb

from carddb.core import assets
from carddb.core.errors import FontError
from carddb.game.parts import FontSpec
from carddb.layout.text.font_figures import LINING, NONE, TABULAR, with_figures
from carddb.layout.text.fonts import Font, FontFile

_MAX_BYTES = 64 << 20


def load_family(family: str, spec: FontSpec, folder: Path | None = None) -> list[Font]:
    """Every style of a family; `folder` is that of the game that names it. Raises FontError."""
    if spec.variable:
        return [_variable_font(family, style, _path(spec, file, folder)) for style, file in spec.files.items()]
    make = _font_without_figures if spec.figures == "none" else _font
    return [make(family, style, _path(spec, file, folder)) for style, file in spec.files.items()]


def _path(spec: FontSpec, file: str, folder: Path | None) -> Path:
    """Where a font lies: in its package, or in the folder of its game. Raises FontError."""
    return assets.font_file(spec.package, file) if spec.package or folder is None else _own_file(folder, file)


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
def _font(family: str, style: str, path: Path) -> Font:
    """One style of a family; all workshops of a process share it, and what was measured with it.

    Its figures are lining. The file is read whole: the maker of a game may write it anew while it is used.
    """
    key = f"{family} {style}"
    lining, tabular = (FontFile(functools.partial(_read, path, figures)) for figures in (LINING, TABULAR))
    return Font(key, family, style, lining, tabular=Font(f"{key} tabular", family, style, tabular))


@functools.lru_cache(maxsize=256)
def _font_without_figures(family: str, style: str, path: Path) -> Font:
    return Font(f"{family} {style}", family, style, FontFile(functools.partial(_read, path, NONE)))


def _read(path: Path, figures: tuple[str, ...]) -> bytes:
    return with_figures(path.read_bytes(), figures)


@functools.lru_cache(maxsize=256)
def _variable_font(family: str, style: str, path: Path) -> Font:
    """A style of a variable font, at the weight that the style names."""
    return Font(f"{family} {style}", family, style, _mapped(path), {"wght": float(style.split(maxsplit=1)[0])})


@functools.lru_cache(maxsize=256)
def _mapped(path: Path) -> FontFile:
    """A font of 10 MB and more, mapped into memory."""
    return FontFile(path.read_bytes, functools.partial(hb.Blob.from_file_path, str(path)))
