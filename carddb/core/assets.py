"""The places of templates/, schema/, the handbook and installed fonts, in a checkout and in an installed wheel."""

from __future__ import annotations

import importlib.machinery
import sys
from functools import cache
from pathlib import Path

from carddb.core.errors import FontError
from carddb.core.files import same_file


def _data_folder(name: str) -> Path:
    # A wheel has the folder in `_data`. That is tried first, because the folder above an installed package is
    # site-packages, where another package's folder of the same name could be.
    package = Path(__file__).parent.parent
    packed = package / "_data" / name
    return packed if packed.is_dir() else package.parent / name


def templates() -> Path:
    """Returns the folder of the bundled templates."""
    return _data_folder("templates")


def schema() -> Path:
    """Returns the folder of catalog.sql and the JSON Schemas."""
    return _data_folder("schema")


def handbook() -> Path:
    """Returns the folder of the handbook's chapters."""
    return Path(__file__).parent.parent / "handbook"


def tests() -> Path:
    """Returns the folder of the tests; it exists only in a checkout, not in a wheel."""
    return Path(__file__).parents[2] / "tests"


@cache
def package_folder(package: str) -> Path | None:
    """Returns the folder of an installed package, without importing it, or None if it is not installed.

    A package in the working folder does not count as installed, though `python -m` looks there first.
    """
    places = [place for place in sys.path if place and not same_file(Path(place), Path())]
    spec = importlib.machinery.PathFinder.find_spec(package, places)
    locations = spec.submodule_search_locations if spec else None
    return Path(next(iter(locations))) if locations else None


def font_file(package: str, file: str) -> Path:
    """Returns the path of a font file in an installed font package. Raises FontError if either is missing."""
    folder = package_folder(package)
    path = folder / file if folder else None
    if path is None or not path.is_file():
        raise FontError(f"the font {file} is not installed", f"Install it: pip install {package.replace('_', '-')}")
    return path
