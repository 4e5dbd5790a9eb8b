"""Print shops and what they accept for each product. The data is in templates/_base/shops.yaml."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from string import Formatter
from typing import Annotated, Literal

from carddb.core import assets
from carddb.core.errors import GameError, UsageError
from carddb.core.names import cut, did_you_mean, slug
from carddb.core.units import UM_PER_INCH, Size, parse_length, to_points
from carddb.game.frozen import AtLeast, Frozen, Misfit
from carddb.paint.pdf.prepress import INK_LIMIT, Standard
from carddb.press.sheets.options import Press
from carddb.read.documents import located_document

FILE = "shops.yaml"
_PIXELS = re.compile(r"(\d+(?:\.\d+)?)(?:x(\d+(?:\.\d+)?))?px")
_LONGEST_NAME = 60

Kind = Literal["png", "jpg", "svg", "pdf"]
Colour = Literal["rgb", "cmyk"]


class Product(Frozen):
    """A product of a shop: the sizes of the uploaded page and of the cut card, and how certain these figures are."""

    page: str
    trim: str = ""
    sure: str


class Autofill(Frozen):
    """The facts about a shop that mpc-autofill needs, a program that fills in orders at the shop's site.

    It orders one `product`, on a `stock` that it knows by name. The price of an order depends on the smallest of the
    shop's `brackets`, in numbers of cards, that all cards fit.
    """

    product: str
    stock: str
    brackets: tuple[int, ...]


class Shop(Frozen):
    """A print shop, with what applies to all its products.

    `bleed` is cut off each side of the page, and `safe` is the distance that texts must keep from the trim. `takes` are
    the accepted kinds of file, and `refuses` has the shop's reasons for refusing others. `backs` says whether backs are
    in separate files (`apart`) or in one file, each before its front. `files` is the pattern of file names, with
    `{side}`, `{number}` and `{name}`. `source` says where these figures are from, and `read` when they were read.
    """

    name: str
    dpi: Annotated[int, AtLeast(1)]
    bleed: str
    safe: str
    colour: Colour
    standard: Literal[""] | Standard = ""
    """The standard of PDF files in CMYK; empty for a shop that takes none."""
    ink_limit: Annotated[int, AtLeast(100)] = INK_LIMIT
    """The greatest sum of all inks, in percent."""
    takes: tuple[Kind, ...]
    refuses: Mapping[Kind | Colour | Standard, str] = {}
    files: str
    backs: Literal["apart", "before"]
    one_back: bool = False
    """True if all cards of a deck have the same back at this shop."""
    autofill: Autofill | None = None
    caution: str = ""
    """Advice for uploading."""
    source: str
    read: str
    products: Mapping[str, Product]

    def misfits(self) -> Iterator[Misfit]:
        """Yields errors about figures that are unreadable or inconsistent.

        If the shop takes pictures, a page must be a whole number of pixels. The trim must be the page minus the bleed.
        """
        fields = {field for _, field, _, _ in Formatter().parse(self.files) if field is not None}
        if not {"name"} <= fields <= {"side", "number", "name"}:
            yield ("files",), "files are named by {side}, {number} and {name}", ""
        if not self.takes or not self.products:
            yield (), "a shop needs `takes`, its kinds of file, and `products`", ""
        for key in self.products:
            try:
                yield from ((("products", key), message, "") for message in _faults(Profile(key, self, key)))
            except ValueError as fault:
                yield ("products", key), str(fault), ""


@dataclass(frozen=True, slots=True)
class Profile:
    """A product of a print shop, measured in micrometres and in pixels."""

    name: str
    shop: Shop
    key: str

    @property
    def label(self) -> str:
        return f"{self.shop.name} {self.key.replace('-', ' ')}"

    @property
    def page(self) -> Size:
        return _size(self.shop.products[self.key].page, self.shop.dpi)

    @property
    def bleed(self) -> int:
        return _length(self.shop.bleed, self.shop.dpi)

    @property
    def safe(self) -> int:
        return _length(self.shop.safe, self.shop.dpi)

    @property
    def trim(self) -> Size:
        return Size(self.page.width - 2 * self.bleed, self.page.height - 2 * self.bleed)

    @property
    def pixels(self) -> tuple[int, int]:
        return self.page.width * self.shop.dpi // UM_PER_INCH, self.page.height * self.shop.dpi // UM_PER_INCH

    @property
    def upload(self) -> str:
        """The size of the uploaded page in the shop's units."""
        if "pdf" in self.shop.takes:
            return f"{to_points(self.page.width):g} × {to_points(self.page.height):g} pt"
        return f"{self.pixels[0]} × {self.pixels[1]} px"

    def file_stem(self, side: str, number: int, name: str) -> str:
        """Returns the file name, without ending, of a face called `name`: the `number`th, from 1, of its `side`."""
        return self.shop.files.format(side=side, number=number, name=cut(slug(name), _LONGEST_NAME))

    def accepts(self, kind: Kind) -> None:
        """Raises UsageError for a kind of file that the shop refuses or carddb cannot write."""
        way = "-o FILE.pdf" if "pdf" in self.shop.takes else "--png DIR"
        self._refuse(kind, f"Use {way}.")
        if kind not in self.shop.takes:
            raise UsageError(f"{self.name} cannot be made as {kind.upper()}", f"Use {way}.")

    def press(self, press: Press) -> Press:
        """Returns `press` with the shop's standard and ink limit, unless the user has chosen others.

        Raises UsageError if the shop refuses CMYK or the standard.
        """
        self._refuse("cmyk", "Leave out --colour.")
        if press.standard:
            self._refuse(press.standard, "Leave out --standard.")
        if not self.shop.standard:
            raise UsageError(f"{self.shop.name} takes pictures in RGB, not CMYK", "Leave out --colour.")
        standard, ink_limit = press.standard or self.shop.standard, press.ink_limit or self.shop.ink_limit
        return press._replace(standard=standard, ink_limit=ink_limit)

    def _refuse(self, feature: Kind | Colour | Standard, remedy: str) -> None:
        if reason := self.shop.refuses.get(feature):
            raise UsageError(f"{self.shop.name} does not take {feature.upper()}: {reason}", remedy)


def _faults(profile: Profile) -> Iterator[str]:
    """Yields errors about the lengths of a product. Raises ValueError if one cannot be read."""
    shop, product = profile.shop, profile.shop.products[profile.key]
    by_pixels = "pdf" not in shop.takes
    if by_pixels and any(length * shop.dpi % UM_PER_INCH for length in (profile.page.width, profile.page.height)):
        yield "the page is not a whole number of pixels"
    if product.trim and _size(product.trim, shop.dpi) != profile.trim:
        yield "the trim is not the page without the bleed"
    if 2 * profile.safe >= min(profile.trim.width, profile.trim.height):
        yield "the safe distance leaves no room for texts"


def profile(name: str) -> Profile:
    """Returns the profile called `name`, such as `mpc-poker`. Raises UsageError, which lists all, if it is unknown."""
    by_name = profiles()
    if name.casefold() not in by_name:
        remedy = f"{did_you_mean(name, by_name, '')} Choose one of: {', '.join(by_name)}.".strip()
        raise UsageError(f"there is no profile {name!r}", remedy)
    return by_name[name.casefold()]


@cache
def profiles() -> dict[str, Profile]:
    """Returns all products of all shops, by profile name. Raises GameError if the data file is faulty."""
    from carddb.read.documents.strict_models import checked_part  # Pydantic takes 40 ms: only for print shops

    path = assets.templates() / "_base" / FILE
    parsed, findings = located_document.load(path)
    if parsed is None:
        raise GameError(f"{path} cannot be used: {findings[0].message}")
    shops: dict[str, Shop] = {}
    for key, value in parsed.value.items():
        shop, findings = checked_part(Shop, value, parsed)
        if shop is None:
            raise GameError(f"{path}, {key}: {findings[0].message}")
        shops[key] = shop
    return {f"{k}-{p}": Profile(f"{k}-{p}", shop, p) for k, shop in shops.items() for p in shop.products}


def _size(text: str, dpi: int) -> Size:
    """Returns a size written as `822x1122px` or `2.75x3.75in`. Raises ValueError if it cannot be read."""
    match = _PIXELS.fullmatch(text)
    if match and match[2]:
        return Size(_micrometres(match[1], dpi), _micrometres(match[2], dpi))
    return Size.parse(text)


def _length(text: str, dpi: int) -> int:
    """Returns a length written as `36px` or `0.125in`, in micrometres. Raises ValueError if it cannot be read."""
    match = _PIXELS.fullmatch(text)
    return _micrometres(match[1], dpi) if match and not match[2] else parse_length(text)


def _micrometres(pixels: str, dpi: int) -> int:
    return round(Fraction(pixels) * UM_PER_INCH / dpi)
