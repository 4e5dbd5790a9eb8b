"""Parts of a `game.yaml` for pages: the words that carddb itself says on the site of a game."""

from collections.abc import Iterator

from carddb.core.names import did_you_mean
from carddb.game.card_fields import PLACEHOLDER
from carddb.game.frozen import Frozen, Misfit, fields_of


class PageWords(Frozen):
    """The words of carddb on the pages of `carddb site`; a game in another language has its own.

    A word in braces stands for what is filled in, such as `{count}`.
    """

    skip: str = "To the text"
    """The link past the head of a page."""
    games: str = "Games"
    """All games of the site."""
    cards: str = "Cards"
    """The cards, as a room and as a file."""
    decks: str = "Decks"
    """The decks."""
    print: str = "Print"
    """What can be printed."""
    bans: str = "Ban lists"
    """The ban lists."""
    rule_sheet: str = "Rules"
    """The rule sheet, as a room and as a file."""
    rooms: str = "Rooms"
    """What a screen reader calls the links in the head."""
    by: str = "by {who}"
    """Who made the game, below its name."""
    game_by: str = ", a game by {who}"
    """The same behind the number of its cards."""
    one_card: str = "{count} card"
    """One card."""
    several_cards: str = "{count} cards"
    """Several cards."""
    some_cards: str = "{count} of {all}"
    """Those that a search finds; `{all}` is the number of all cards in words."""
    find: str = "Find cards by their words"
    """The label of the search."""
    nothing: str = "No card has these words."
    """What a search says that finds nothing."""
    deck_list: str = "List as PDF"
    """The list of a deck."""
    deck_text: str = "text"
    """The text of a deck."""
    cards_note: str = "Every card on sheets to cut, to print at actual size."
    """What the file of the cards is."""
    components: str = "Components"
    """The components, as a file."""
    components_note: str = "What the game needs besides its cards."
    """What that is."""
    rules_note: str = "The rule sheet"
    """What the file of the rules is."""
    rules_page: str = "as a page"
    """The same rules as a page."""
    fields: str = "Fields"
    """The title of the fields of a card."""
    front: str = "Face of {name}"
    """What the picture of a card’s front shows."""
    back: str = "Back of {name}"
    """What the picture of its back shows."""
    yes: str = "yes"
    """A field that is true."""
    no: str = "no"
    """A field that is false."""
    made_with: str = "Made with carddb {version}"
    """What a page ends with."""

    def misfits(self) -> Iterator[Misfit]:
        """Words in braces that nothing is filled in for."""
        for name in fields_of(PageWords):
            filled_in = PLACEHOLDER.findall(getattr(PageWords, name))
            for word in PLACEHOLDER.findall(getattr(self, name)):
                if word not in filled_in:
                    yield (name,), f"{name}: nothing is filled in for {{{word}}}", did_you_mean(word, filled_in)


PAGE_WORDS = PageWords()
"""Those of carddb itself, in English."""
