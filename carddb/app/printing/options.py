"""The options for printing sheets (chosen by the user, by the project, or else by carddb), and for pictures."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Annotated, Any, Literal, TypedDict, cast

from carddb.app.workspace.clock import creation
from carddb.app.workspace.published_folder import checked_address
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.executors import CORES, ExecutorRequest
from carddb.core.files import read_inside
from carddb.core.options import Option, checked, declared
from carddb.core.plain_text import is_or_are
from carddb.core.units import Size, parse_length
from carddb.layout.ink import InkMode
from carddb.layout.sheets.crop_marks import Marking, Marks
from carddb.layout.sheets.grid import FEEDER, NO_GUTTER, Flip, Machine, cutter_for
from carddb.layout.stock import stock_named
from carddb.paint.pdf.prepress import INK_LIMIT, STANDARDS
from carddb.press.sheets.options import Press, SheetOptions
from carddb.press.shops.shops import Profile, profile

_LONGEST = 200_000
_AS_LENGTH = "Write a length as 3mm, 0.125in or 9pt, and two as 3mm,2mm."
_HOUSE = SheetOptions()
_MOST_PLACES = 10_000
_OF_MARKS = ("count", "inset", "arm")
_OF_PRESS = ("icc", "standard", "ink_limit")
_MOST_PROFILE = 16_000_000
"""The most bytes of a colour profile; profiles of printing presses have a hundred thousand to three million."""


def sheet_length(value: Any) -> int:
    """Returns micrometres, or a text such as `3mm`, in micrometres. Raises ValueError if not from 0 to 200 mm."""
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise ValueError(f"{value!r} is not a length")
    length = value if isinstance(value, int) else parse_length(value, "mm")
    if not 0 <= length <= _LONGEST:
        raise ValueError(f"{value!r} is not between 0 and 200 mm")
    return length


def _places(value: Any) -> tuple[int, ...]:
    """Returns numbers of places on a sheet, from a text such as `3,7` or from numbers. Raises ValueError for others."""
    parts = value.split(",") if isinstance(value, str) else value if isinstance(value, list | tuple) else [value]
    texts = {str(part).strip() for part in parts}
    if not all(text.isdecimal() and 0 < int(text) <= _MOST_PLACES for text in texts):
        raise ValueError(f"{value!r} does not give numbers of places on a sheet")
    return tuple(sorted(map(int, texts)))


def _gutter(value: Any) -> Size:
    """Returns the spaces between columns and between rows, from one length for both or `2mm,3mm`. Raises ValueError."""
    if isinstance(value, Size):
        return value
    lengths = [sheet_length(part.strip()) for part in value.split(",")] if isinstance(value, str) else []
    if len(lengths) > 2:
        raise ValueError(f"{value!r} has more than two lengths: between columns, between rows")
    return Size(lengths[0], lengths[-1]) if lengths else Size(*[sheet_length(value)] * 2)


def _profile(value: Any) -> bytes:
    """Returns the bytes of a colour profile; `value` is its path, its bytes, or its bytes in Base64 as a text.

    A text is never a path, because it may come from a stranger. Raises ValueError, and InputError for its file.
    """
    if isinstance(value, Path):
        value = read_inside(None, value, _MOST_PROFILE)
    try:
        data = base64.b64decode(value, validate=True) if isinstance(value, str) else value
    except ValueError:
        raise ValueError("the colour profile is damaged: it is not Base64") from None
    if not isinstance(data, bytes) or len(data) > _MOST_PROFILE:
        raise ValueError(f"the colour profile has more than {_MOST_PROFILE:,} bytes, or is not a file")
    return data


@dataclass(frozen=True, slots=True)
class PrintOption(Option):
    """An option for printing, with its texts in a form.

    A command has either all options of a `group` or none. `of_faces` means that the option changes how a card looks in
    pictures, `laid` that it changes how cards are placed on a sheet. In a form, `label` is its name, `hint` is shown in
    its empty field, and `labels` has, for each value, the name and a remark.
    """

    group: Literal["paper", "words", "press", "pictures", "printer"] = "paper"
    of_faces: bool = False
    laid: bool = False
    label: str = ""
    hint: str = ""
    labels: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


class PaperOptions(TypedDict, total=False):
    """The options for printing cards and components; lengths are in micrometres, or texts such as `3mm`.

    Most are fields of `SheetOptions` with the same name; `sheet_options` converts the others.
    """

    # fmt: off
    paper: Annotated[str | None, PrintOption(
        "letter, a4, legal, tabloid, a3, a5 or 148x210mm.", _HOUSE.paper, by_project=True, laid=True, label="Size")]
    stock: Annotated[str | None, PrintOption(
        "plain, avery-5388, index-3x5, index-4x6, index-5x8; card: every page is one card.", _HOUSE.stock,
        by_project=True, label="Stock")]
    card_size: Annotated[str, PrintOption(
        "playing-card, index-5x7, 2.5x3.5in, ... (default: the game's).", _HOUSE.card_size,
        of_faces=True, label="Card size", hint="the game's")]
    flip: Annotated[Flip | None, PrintOption(
        "The edge over which the printer turns the paper; none prints fronts only.", _HOUSE.flip,
        by_project=True, of_faces=True, laid=True, label="Turning",
        labels={"long-edge": ("Long edge", "both sides"), "short-edge": ("Short edge", "both sides"),
                "none": ("Fronts only",)})]
    margin: Annotated[int | str | None, PrintOption(
        "The margin that the printer cannot print (default: 6.35mm); if given, single cards are checked for it.",
        read=sheet_length, metavar="LENGTH", remedy=_AS_LENGTH, laid=True, label="Margin", hint="6.35mm")]
    gutter: Annotated[Size | int | str, PrintOption(
        "Space between cards; 3mm,5mm between columns and between rows.", "0",
        read=_gutter, metavar="LENGTH[,LENGTH]", remedy=_AS_LENGTH, laid=True, label="Gutter", hint="0")]
    bleed: Annotated[int | str | None, PrintOption(
        "Width printed beyond the cut of a card (default: 1.5mm); between cards at most half the gutter.",
        read=sheet_length, metavar="LENGTH", remedy=_AS_LENGTH, of_faces=True, label="Bleed", hint="1.5mm")]
    back_bleed: Annotated[int | str, PrintOption(
        "Width printed beyond the cut of backs, if it is more than --bleed.", "0",
        read=sheet_length, metavar="LENGTH", remedy=_AS_LENGTH, laid=True, label="Bleed of backs", hint="1.5mm")]
    fold: Annotated[bool, PrintOption(
        "Print fronts and backs on one side, to fold and glue, for a printer without duplex.",
        laid=True, label="Fold and glue: one side")]
    marks: Annotated[Marks, PrintOption(
        "Crop marks at the edges of the block, at all cards if the gutter leaves room, or none.",
        _HOUSE.marking.marks, laid=True, label="Marks",
        labels={"edges": ("At the edges",), "cards": ("At every card", "needs a gutter"), "none": ("None",)})]
    guides: Annotated[bool, PrintOption(
        "Extend crop marks to the edges of the paper.", laid=True, label="Marks on to the paper's edges")]
    outlines: Annotated[bool, PrintOption(
        "Print a thin line round every card, on the cut.", laid=True, label="Lines round every card")]
    skip: Annotated[str | Sequence[int], PrintOption(
        "Places to leave empty on every sheet, counted from 1, row by row.",
        read=_places, metavar="N,N", remedy="Write numbers, as in 3,7.", laid=True, label="Empty places", hint="none")]
    cutter: Annotated[Machine | None, PrintOption(
        "The machine that cuts the sheets: prints its registration marks, and writes cut lines as SVG and DXF.",
        laid=True, label="Cutting machine",
        labels={"silhouette": ("Silhouette", "three marks"), "cricut": ("Cricut", "marks of its own"),
                "generic": ("Another", "four marks")})]
    corner: Annotated[int | str | None, PrintOption(
        "The radius of the corners that the machine cuts (default: 3mm; less for small cards).",
        read=sheet_length, metavar="LENGTH", remedy=_AS_LENGTH, laid=True, label="Corners", hint="3mm")]
    mark_count: Annotated[int | None, PrintOption(
        "The number of registration marks, 3 or 4 (default: the machine's).",
        least=3, most=4, laid=True, label="Registration marks", hint="3")]
    mark_inset: Annotated[int | str | None, PrintOption(
        "Their distance from the paper's edges (default: 10mm); feeder: 15.875mm, for a sheet feeder.",
        read=lambda value: FEEDER if value == "feeder" else sheet_length(value),
        metavar="LENGTH", remedy=_AS_LENGTH, laid=True, label="Marks from the edge", hint="10mm")]
    mark_arm: Annotated[int | str | None, PrintOption(
        "The length of their arms (default: 5mm).",
        read=sheet_length, metavar="LENGTH", remedy=_AS_LENGTH, laid=True, label="Arms of the marks", hint="5mm")]
    ink: Annotated[InkMode, PrintOption(
        "light: greys, no art, patterns for colours; text: only black words and lines.", _HOUSE.ink,
        of_faces=True, label="Ink", labels={"full": ("Full",), "light": ("Light, greys",), "text": ("Words alone",)})]
    lang: Annotated[str, PrintOption(
        "The language of words and ideographs (default: the game's).", _HOUSE.lang,
        group="words", of_faces=True, label="Language", hint="en")]
    colour: Annotated[Literal["rgb", "cmyk"], PrintOption(
        "cmyk: the inks of a printing press, as PDF/X; needs --icc.", "rgb", group="press", label="Colours",
        labels={"rgb": ("RGB",), "cmyk": ("CMYK", "for a press")})]
    icc: Annotated[Path | bytes | str | None, PrintOption(
        "The colour profile of the printing press, for --colour cmyk.", exists=True, metavar="FILE",
        read=_profile, remedy="Name the file that your print shop recommends.", group="press", label="Colour profile")]
    standard: Annotated[Literal["x4", "x1a"] | None, PrintOption(
        "PDF/X-4, or PDF/X-1a:2003 without transparency (default: the shop's, or x4).", group="press",
        label="Standard", labels={"": ("the usual one",), **{key: (name,) for key, name in STANDARDS.items()}})]
    ink_limit: Annotated[int | None, PrintOption(
        f"The most ink in sum, in percent (default: the shop's, or {INK_LIMIT}).", least=100, most=400,
        metavar="N", group="press", label="Most ink, %", hint=str(INK_LIMIT))]
    art_dpi: Annotated[int, PrintOption(
        "Pixels per inch that pictures need in print; pictures with many more are reduced.", _HOUSE.art_dpi,
        least=72, most=1200, group="pictures", label="Pictures, dpi", hint="300")]
    max_mb: Annotated[float | None, PrintOption(
        "The largest size of the file, in millions of bytes; to stay below it, only pictures are reduced.",
        least=0, metavar="N", group="pictures", label="At most, MB", hint="any")]
    printer: Annotated[str | None, PrintOption(
        "Correct for this printer; see `carddb printer`.",
        by_project=True, metavar="NAME", group="printer", label="Printer")]
    tray: Annotated[str | None, PrintOption(
        "The printer's tray (default: 1).", by_project=True, metavar="T", group="printer", label="Tray", hint="1")]
    # fmt: on


PAPER = cast("Mapping[str, PrintOption]", declared(PaperOptions))
"""The options for printing by name, in the order of the command line."""


def sheet_options(project: Workspace, paper: PaperOptions, on: date, processes: int = 1) -> SheetOptions:
    """Returns the options, with the project's defaults, as `SheetOptions`. Raises UsageError for invalid ones."""
    defaults = {name: value for name, value in project.settings.defaults.items() if value}
    values = defaults | checked(paper, PaperOptions)
    printer, tray = values.pop("printer", None), values.pop("tray", None)
    machine, marks = values.pop("cutter", None), {name: values.pop(f"mark_{name}", None) for name in _OF_MARKS}
    if not machine and (values.get("corner") is not None or set(marks.values()) != {None}):
        raise UsageError("only cutting machines need corners and registration marks", "Name the machine with --cutter.")
    press = {name: values.pop(name, None) for name in _OF_PRESS}
    if values.pop("colour", "rgb") == "rgb":
        if others := [PAPER[name].dashed for name, value in press.items() if value]:
            raise UsageError(f"{others[0]} only works with --colour cmyk", f"Add --colour cmyk, or omit {others[0]}.")
    elif not press["icc"]:
        problem = "CMYK needs the colour profile of the printing press"
        raise UsageError(problem, "Name the profile that your print shop recommends: --icc FILE.icc.")
    if isinstance(file := paper.get("icc"), Path):
        project.protect(file)
    options = SheetOptions(
        marking=Marking(**{name: values.pop(name) for name in ("marks", "guides", "outlines") if name in values}),
        most_bytes=round(values.pop("max_mb", 0) * 1_000_000),
        unprinted=values.get("margin", 0),
        cutter=cutter_for(machine, **marks) if machine else None,
        press=Press(press["icc"], STANDARDS.get(press["standard"]), press["ink_limit"]) if press["icc"] else None,
        creation=creation(on),
        processes=processes,
        **values,
    )
    if printer is None and tray is None:
        return options
    from carddb.app.printing.printers import printer_for  # Pydantic, 40 ms, only if a printer is named

    return options._replace(printer=printer_for(printer, tray, options))


def unused_options(paper: PaperOptions, stock: str, on_sheets: bool = True) -> str:
    """Returns a sentence that names the options without effect on pictures or on the stock; empty if there are none."""
    house = {"gutter": NO_GUTTER, "marks": _HOUSE.marking.marks, "skip": (), "back_bleed": 0}
    given = checked(paper, PaperOptions)
    chosen = [name for name in PAPER if PAPER[name].laid and given.get(name) not in (None, False, house.get(name))]
    if not on_sheets:
        reason = "each picture is one card, without a sheet"
    elif not stock_named(stock).cut:
        reason, chosen = f"the stock {stock} has its own paper", [name for name in chosen if name == "paper"]
    else:
        return ""
    names = " and ".join(PAPER[name].dashed for name in chosen)
    return f"{reason}: {names} {is_or_are(len(chosen))} not used" if chosen else ""


Kind = Literal["png", "svg", "tts", "pdf"]
"""The kinds of pictures: folders of PNG or SVG, a folder for Tabletop Simulator, and a PDF for a print shop."""
DPI = 300
"""The default resolution of a picture in dots per inch."""
_ENDINGS = {"png": ".png", "svg": ".svg", "tts": ".json"}
"""The endings of the files that are written into the folder, by the option that names the folder."""


def _profile_name(name: str) -> str:
    """Returns `name`, the key of a print shop's profile or an empty text. Raises UsageError for an unknown key."""
    if name:
        profile(name)
    return name


@dataclass(frozen=True, slots=True)
class ImageRequest:
    """The place and form of pictures of cards: `png`, `svg` and `tts` are folders, `pdf` is a file for a print shop.

    `profile` is the name of a print shop's product; `executor` chooses the processes that draw.
    """

    # fmt: off
    png: Annotated[Path | None, Option("Write a PNG of each card instead.", is_folder=True, metavar="DIR")] = None
    svg: Annotated[Path | None, Option("Write an SVG of each card instead.", is_folder=True, metavar="DIR")] = None
    tts: Annotated[Path | None, Option(
        "Write an object and pictures for Tabletop Simulator instead.", is_folder=True, metavar="DIR")] = None
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
        """Raises UsageError if options do not go together."""
        if len(self.places) != 1:
            problem = f"{len(self.places) or 'no'} places for the result are named, and one is needed"
            raise UsageError(problem, "Use one of: -o FILE.pdf, --png DIR, --svg DIR, --tts DIR.")
        ((kind, place),) = self.places.items()
        if place.suffix.lower() == _ENDINGS.get(kind) and not place.is_dir():
            raise UsageError(f"--{kind} takes a folder, not {place}", f"Write --{kind} {place.with_suffix('')}.")
        self.executor.check()
        if self.url and kind != "tts":
            raise UsageError("--url only works with --tts", "Add --tts DIR, or leave --url out.")
        checked_address(self.url)
        shop = self.shop
        if shop is None:
            return
        if kind == "tts":
            raise UsageError("--profile is for print shops, not for --tts", "Omit --profile: --tts has its own sizes.")
        shop.accepts(kind)
        if self.dpi not in (None, shop.shop.dpi):
            raise UsageError(f"{shop.name} takes {shop.shop.dpi} dpi, not {self.dpi}", "Leave out --dpi.")

    @property
    def shop(self) -> Profile | None:
        return profile(self.profile) if self.profile else None

    @property
    def places(self) -> dict[Kind, Path]:
        """The named files or folders by the kind of result; a valid request has exactly one."""
        paths: dict[Kind, Path | None] = {"pdf": self.pdf, "png": self.png, "svg": self.svg, "tts": self.tts}
        return {kind: place for kind, place in paths.items() if place is not None}
