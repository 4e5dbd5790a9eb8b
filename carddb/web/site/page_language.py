"""The language of a page: its attributes in HTML, and the words of carddb in it, marked where they are English."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from markupsafe import Markup

from carddb.core.languages import is_right_to_left
from carddb.game.page_parts import PAGE_WORDS, PageWords

_ENGLISH = "en"


class PageLanguage(NamedTuple):
    """The language of a page, the one of the game that it falls back to, and the words of carddb in it."""

    lang: str
    fallback: str
    words: PageWords

    @property
    def root(self) -> Markup:
        """The attributes of the page itself."""
        direction = Markup(' dir="rtl"') if is_right_to_left(self.lang) else ""
        return Markup('lang="{}"{}').format(self.lang, direction)

    @property
    def arrows(self) -> str:
        """What stands before the name of the card before, and behind that of the card after."""
        return "→←" if is_right_to_left(self.lang) else "←→"

    def attributes(self, lang: str) -> Markup:
        """The attributes of an element in a language; none where it is that of the page."""
        if lang == self.lang:
            return Markup("")
        turned = is_right_to_left(lang) != is_right_to_left(self.lang)
        direction = (' dir="rtl"' if is_right_to_left(lang) else ' dir="ltr"') if turned else ""
        return Markup(' lang="{}"{}').format(lang, Markup(direction))

    def marked(self, text: object, of_game: Collection[str]) -> Markup:
        """A text, in an element of its own where it is one of those in the game's own language."""
        return _spanned(str(text), self.attributes(self.fallback) if text in of_game else Markup(""))

    def text(self, name: str, /, **values: object) -> str:
        """A sentence of carddb with what is filled in, for an attribute."""
        text: str = getattr(self.words, name)
        for key, value in values.items():
            text = text.replace(f"{{{key}}}", str(value))
        return text

    def say(self, name: str, /, **values: object) -> Markup:
        """The same for a page; an English one on a page in another language is marked so."""
        is_english = getattr(self.words, name) == getattr(PAGE_WORDS, name)
        return _spanned(self.text(name, **values), self.english if is_english else Markup(""))

    def amount(self, count: int) -> Markup:
        """A number of cards in words."""
        return self.say("one_card" if count == 1 else "several_cards", count=count)

    @property
    def english(self) -> Markup:
        """The attributes of an element whose words are always English."""
        return self.attributes(_ENGLISH)


def _spanned(text: str, attributes: Markup) -> Markup:
    """A text, in an element with these attributes where there are any."""
    return Markup("<span{}>{}</span>").format(attributes, text) if attributes else Markup("{}").format(text)
