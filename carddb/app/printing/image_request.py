"""Which pictures of cards are wanted, and whether that goes together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from carddb.app.workspace.published_folder import checked_address
from carddb.core.errors import UsageError
from carddb.core.executors import CORES, ExecutorRequest
from carddb.press.shops.shops import Profile, profile

_ENDINGS = {"png": ".png", "svg": ".svg", "tts": ".json"}
"""Of the files in the folder of each option."""


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """Where pictures go, one place, and how: `png`, `svg` and `tts` are folders, `pdf` is a file for a shop.

    `profile` names a print shop's product; `executor` says who draws.
    """

    png: Path | None = None
    svg: Path | None = None
    tts: Path | None = None
    pdf: Path | None = None
    profile: str = ""
    colour: Literal["rgb", "cmyk"] | None = None
    dpi: int | None = None
    executor: ExecutorRequest = CORES
    url: str = ""

    def check(self) -> None:
        """Raises UsageError for what does not go together."""
        if sum(place is not None for place in (self.pdf, self.png, self.svg, self.tts)) != 1:
            raise UsageError("name one place for the result", "Use -o FILE.pdf, --png DIR, --svg DIR or --tts DIR.")
        self._check_folders()
        self.executor.check()
        if self.url and self.tts is None:
            raise UsageError("--url goes with --tts", "It is where Tabletop Simulator finds the sheets.")
        checked_address(self.url)
        shop = self.shop
        if shop is None:
            if self.colour == "cmyk":
                raise UsageError("CMYK is not written yet", "Leave out --colour.")
            return
        if self.tts is not None:
            raise UsageError("--profile is for print shops", "Leave it out: --tts has its own sizes.")
        shop.accepts("png" if self.png else "svg" if self.svg else "pdf", self.colour)
        if self.dpi not in (None, shop.shop.dpi):
            raise UsageError(f"{shop.name} takes {shop.shop.dpi} dpi, not {self.dpi}", "Leave out --dpi.")

    def _check_folders(self) -> None:
        """Raises UsageError for a new folder with the name of one of the files that are written into it."""
        for option, folder in (("png", self.png), ("svg", self.svg), ("tts", self.tts)):
            if folder and folder.suffix.lower() == _ENDINGS[option] and not folder.is_dir():
                raise UsageError(
                    f"--{option} takes a folder, not {folder}", f"Name one, as --{option} {folder.with_suffix('')}."
                )

    @property
    def shop(self) -> Profile | None:
        if not self.profile:
            return None

        return profile(self.profile)

    @property
    def place(self) -> Path | None:
        """Where the result goes."""
        return self.pdf or self.png or self.svg or self.tts
