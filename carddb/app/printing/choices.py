"""What can be chosen for print sheets and components, each value with its name in words: for forms, in their order."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from carddb.app.printing.options import PAPER
from carddb.app.printing.printers import open_book
from carddb.app.workspace.words import component_need
from carddb.app.workspace.workspace import Workspace
from carddb.core.names import capital
from carddb.core.units import to_mm
from carddb.games import Game
from carddb.layout.stock import CARDS, PAPERS, STOCKS, describe, paper_label, paper_name
from carddb.press.components.selection import EVERY_MODULE, modules_of, spreadsheets, variants
from carddb.press.shops.shops import profile, profiles


class Choice(NamedTuple):
    """A value of an option, what it is called, and a remark; the value that holds by itself is empty."""

    value: str
    label: str
    remark: str = ""


class ChoiceGroup(NamedTuple):
    """Choices under a heading, such as the products of one shop."""

    label: str
    choices: Sequence[Choice]


_KINDS = [
    Choice("", "Sheets to cut, a PDF"),
    Choice("png", "Pictures of each card, PNG"),
    Choice("svg", "Drawings of each card, SVG"),
    Choice("tts", "Tabletop Simulator"),
]


class PrintChoices:
    """The choices of a project; the one that it prints with by default stands first, with an empty value."""

    def __init__(self, project: Workspace) -> None:
        self._defaults = project.settings.defaults

    def __getitem__(self, name: str) -> list[Choice]:
        """Returns the values of an option. Raises InputError for a file of printers that cannot be used."""
        option = PAPER[name]
        own_words = (Choice(key, *option.labels.get(key, (key,))) for key in option.choices)
        choices = _NAMED[name]() if name in _NAMED else list(own_words)
        if option.hint:  # it is typed, and these are proposals
            return choices
        own = self._defaults.get(name) or option.default or "none"
        first = [choice._replace(value="") for choice in choices if choice.value == own]
        return [*(first or [Choice("", own)]), *(choice for choice in choices if choice.value != own)]

    @property
    def calibrated_papers(self) -> list[Choice]:
        """The papers, and the cards fed singly, on which a test sheet can be printed."""
        sizes = [stock.paper for stock in STOCKS.values() if stock.paper and stock.paper not in PAPERS.values()]
        return _papers() + [Choice(paper_name(size), "Index cards", describe(size)) for size in sizes]

    @property
    def products(self) -> list[ChoiceGroup]:
        """The products: sheets, pictures, or the cards of a print shop by profile."""
        shops: dict[str, list[Choice]] = {}
        for name, offer in profiles().items():
            label = f"{capital(offer.key.replace('-', ' '))}, {describe(offer.trim)}"
            shops.setdefault(offer.shop.name, []).append(Choice(name, label, offer.upload))
        return [ChoiceGroup("Here", _KINDS), *(ChoiceGroup(name, choices) for name, choices in shops.items())]


def _papers() -> list[Choice]:
    return [Choice(name, paper_label(size), describe(size)) for name, size in PAPERS.items()]


_STOCK_WORDS = {"plain": "Plain, to cut", "card": "Single cards, a page each"}
_NAMED: Mapping[str, Callable[[], list[Choice]]] = {
    "paper": _papers,
    "stock": lambda: [Choice(key, _STOCK_WORDS.get(key, capital(stock.label))) for key, stock in STOCKS.items()],
    "card_size": lambda: [Choice(name, describe(size)) for name, size in CARDS.items()],
    "printer": lambda: [Choice(name, name) for name in open_book().printers],
}
"""The values of options that have names elsewhere: sizes, stocks, and the printers that are calibrated."""


class ProductFacts(NamedTuple):
    """A shop's product in words: the size of a file and of the card, bleed and safe area, and a caution."""

    label: str
    upload: str
    card: str
    bleed: str
    safe: str
    caution: str


def product_facts(name: str) -> ProductFacts:
    """Returns the facts of a shop's product. Raises UsageError for an unknown one."""
    product = profile(name)
    bleed, safe = (f"{to_mm(length):.2f} mm" for length in (product.bleed, product.safe))
    return ProductFacts(product.label, product.upload, describe(product.trim), bleed, safe, product.shop.caution)


class ComponentChoice(NamedTuple):
    """A component: what it is printed for in words, and whether it can be a spreadsheet to fill in."""

    key: str
    id: str
    label: str
    need: str
    spreadsheet: bool


class VariantChoice(NamedTuple):
    """Something that components differ in, with its values; the default stands first, with an empty value."""

    key: str
    values: Sequence[Choice]


class ComponentChoices:
    """The components of a game, and what is chosen among them."""

    def __init__(self, game: Game) -> None:
        self._game = game

    @property
    def components(self) -> list[ComponentChoice]:
        """Those that are drawn."""
        tables = spreadsheets(self._game)
        return [
            ComponentChoice(key, part.id, part.label or key, component_need(part), key in tables)
            for key, part in self._game.spec.components.items()
            if part.drawn
        ]

    @property
    def modules(self) -> list[Choice]:
        """The modules that components are printed for, then all of them; first that of the deck, if there is one."""
        modules = [Choice(*pair) for pair in modules_of(self._game.spec).items()]
        return [Choice("", "the deck’s"), *modules, Choice(EVERY_MODULE, "every module")] if modules else []

    @property
    def variants(self) -> list[VariantChoice]:
        """The variants of components, each with the values that are printed."""
        spec, values = self._game.spec, dict[str, list[Choice]]()
        cards = self._game.in_print(self._game.own_cards)
        for key, value in (pair for variant in variants(spec, cards) for pair in variant.items()):
            variant = spec.variants[key]
            is_default = value == str(variant.default)
            label = variant.label.replace("{}", value)
            values.setdefault(key, []).insert(0 if is_default else len(values.get(key, ())),
                                              Choice("" if is_default else value, label))  # fmt: skip
        return [VariantChoice(key, choices) for key, choices in values.items()]
