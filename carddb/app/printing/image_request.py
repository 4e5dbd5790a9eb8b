"""A request for pictures of cards, and checking that its options fit together."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from carddb.app.printing.options import PrintOption
from carddb.app.workspace.published_folder import checked_address
from carddb.core.errors import UsageError
from carddb.core.executors import CORES, ExecutorRequest
from carddb.core.options import Option
from carddb.press.shops.shops import Profile, profile

DPI = 300
"""The default resolution of a picture in dots per inch."""
_ENDINGS = {"png": ".png", "svg": ".svg", "tts": ".json"}
"""The endings of the files that each option writes into its folder."""


def _profile_name(name: str) -> str:
    """Returns the name of a shop's profile. Raises UsageError for an unknown one, before anything is drawn."""
    if name:
        profile(name)
    return name


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """A place for pictures, and their options: `png`, `svg` and `tts` are folders, `pdf` is a file for a shop.

    `profile` names a print shop's product; `executor` chooses the processes that draw.
    """

    # fmt: off
    png: Annotated[Path | None, Option("A picture of each card instead.", is_folder=True, metavar="DIR")] = None
    svg: Annotated[Path | None, Option("An SVG of each card instead.", is_folder=True, metavar="DIR")] = None
    tts: Annotated[Path | None, Option(
        "Sheets and an object for Tabletop Simulator instead.", is_folder=True, metavar="DIR")] = None
    profile: Annotated[str, Option(
        "A print shop's card, such as mpc-poker, tgc-tarot, drivethru-poker: its size, bleed and order.", "",
        read=_profile_name, metavar="NAME")] = ""
    dpi: Annotated[int | None, PrintOption(
        f"Resolution of the pictures (default: {DPI}, or the shop's).", least=30, most=1200,
        label="Pictures, dpi", hint=str(DPI))] = None
    url: Annotated[str, PrintOption(
        "The address at which Tabletop Simulator will find the sheets.", "", metavar="PREFIX",
        label="Address of the sheets", hint="https://")] = ""
    # fmt: on
    pdf: Path | None = None
    executor: ExecutorRequest = CORES

    def check(self) -> None:
        """Raises UsageError if options do not fit together."""
        if sum(place is not None for place in (self.pdf, self.png, self.svg, self.tts)) != 1:
            raise UsageError("name one place for the result", "Use -o FILE.pdf, --png DIR, --svg DIR or --tts DIR.")
        for option, folder in (("png", self.png), ("svg", self.svg), ("tts", self.tts)):
            if folder and folder.suffix.lower() == _ENDINGS[option] and not folder.is_dir():
                # The new folder would have the name of a file that is written into it.
                remedy = f"Name one, as --{option} {folder.with_suffix('')}."
                raise UsageError(f"--{option} takes a folder, not {folder}", remedy)
        self.executor.check()
        if self.url and self.tts is None:
            raise UsageError("--url goes with --tts", "It is where Tabletop Simulator finds the sheets.")
        checked_address(self.url)
        shop = self.shop
        if shop is None:
            return
        if self.tts is not None:
            raise UsageError("--profile is for print shops", "Leave it out: --tts has its own sizes.")
        shop.accepts("png" if self.png else "svg" if self.svg else "pdf")
        if self.dpi not in (None, shop.shop.dpi):
            raise UsageError(f"{shop.name} takes {shop.shop.dpi} dpi, not {self.dpi}", "Leave out --dpi.")

    @property
    def shop(self) -> Profile | None:
        return profile(self.profile) if self.profile else None

    @property
    def place(self) -> Path | None:
        """The folder or file of the result."""
        return self.pdf or self.png or self.svg or self.tts
