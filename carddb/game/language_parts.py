"""The words of a game in another language, as `game.yaml` or a file such as `labels.ja.yaml` has them."""

from collections.abc import Mapping
from typing import Any

from carddb.game.frozen import Frozen


class LanguageSpec(Frozen):
    """The words of a game in one other language, by the keys that `game.yaml` has; what has none stays as it is."""

    name: str = ""
    """The game in words."""
    notice: str = ""
    """Whose game it is, and what the sample set is not."""
    footer: str = ""
    """A few words for the foot of every sheet."""
    types: Mapping[str, str] = {}
    """The printed names of types."""
    plurals: Mapping[str, str] = {}
    """The printed names of several cards of a type."""
    fields: Mapping[str, str] = {}
    """The printed names of fields."""
    values: Mapping[str, Mapping[str, str]] = {}
    """By field the printed names of its values."""
    sections: Mapping[str, str] = {}
    """The printed names of sections, which decks may use too."""
    formats: Mapping[str, str] = {}
    """The formats in words."""
    components: Mapping[str, str] = {}
    """The printed names of components."""
    sheet_words: Mapping[str, str] = {}
    """The words that carddb adds to the sheets of a game."""
    page_words: Mapping[str, str] = {}
    """The words that carddb has on the pages of a site."""
    data: Mapping[str, Any] = {}
    """Tables that stand for those of the game's own data."""
