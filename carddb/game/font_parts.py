"""The fonts of a `game.yaml`: where the files of a family lie, and when it stands in for others."""

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Literal

from carddb.game.frozen import Frozen, Misfit

_FONT_PACKAGE = re.compile(r"(?:fontpkg|justmytype)_[a-z0-9_]+")
"""The packages that hold fonts and nothing else: plain names, so that looking for one runs nothing."""


class FontSpec(Frozen):
    """A family of fonts."""

    package: str = ""
    """The package that holds the files; without it they lie in the game's folder."""
    files: Mapping[str, str]
    """A file by style: `400`, `700`, `400 italic`."""
    licence: str = ""
    """Its licence, in words."""
    variable: bool = False
    """The files are variable fonts, used at the weight that the style names."""
    extra: str = ""
    """The optional dependency that installs it; such a family is a fallback, left out where that is missing."""
    fallback: bool = False
    """Its letters stand in for those that another family lacks."""
    figures: Literal["lining", "none"] = "lining"
    """How its numbers are: as high as capitals, or those of its alternative."""
    alternative: str = ""
    """The family that takes its place in a text with a letter that it lacks, and lends it all other characters."""
    languages: tuple[str, ...] = ()
    """The languages whose letters it draws as their readers know them: there it stands in before others."""

    @property
    def stands_in(self) -> bool:
        """Whether it is there for what other families lack."""
        return self.fallback or bool(self.extra)

    def misfits(self) -> Iterable[Misfit]:
        """A package that is no font package, and files that do not lie in it, or in the game's folder."""
        if self.package and not _FONT_PACKAGE.fullmatch(self.package):
            yield ("package",), f"{self.package!r} is no font package", "Name one such as fontpkg_cardo."
        for style, file in self.files.items():
            path = PurePosixPath(file)
            if path.is_absolute() or ".." in path.parts or "\\" in file or ":" in file:
                yield ("files", style), f"{file!r} leads out of the folder", "Name a file inside it: fonts/Name.ttf."
            elif path.suffix.lower() != ".ttf":
                yield ("files", style), f"{file!r} is no TrueType font", "Name a file that ends in .ttf."
