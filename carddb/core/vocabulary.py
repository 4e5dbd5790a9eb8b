"""Words of closed lists: a value is matched by its key, label or alias, however it is spaced or accented.

For types, choices, sections, formats, phases, zones, roles, options and the like, in every door. Names of cards,
identities and fingerprints are compared otherwise, by `carddb.core.names`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from carddb.core.names import nearest, strip_accents

_GAPS = re.compile(r"[\s_\-\u2010-\u2015]+")
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc", "'''")


@lru_cache(maxsize=4096)  # the same words come in deck after deck
def fold_word(text: str) -> str:
    """The form in which words of lists are compared: no case, accents, spaces, hyphens or underscores.

    An apostrophe is the same straight or curved.
    """
    return _GAPS.sub("", strip_accents(text)).translate(_APOSTROPHES)


class Clash(NamedTuple):
    """A word that would mean two entries of one list."""

    word: str
    first: str
    second: str


class Vocabulary:
    """The entries of one list by key, and the words by which each is known.

    `labels` are the printed names of some keys, `aliases` further words of some. An exact key comes before a folded
    key, that before a label, that before an alias.
    """

    def __init__(
        self,
        keys: Iterable[str],
        labels: Mapping[str, str] | None = None,
        aliases: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        self.keys = dict.fromkeys(keys)
        self.labels = dict(labels or {})
        self._aliases = {key: tuple(words) for key, words in (aliases or {}).items()}
        self._by_word: dict[str, str] = {}
        for key, word in self._words():
            self._by_word.setdefault(fold_word(word), key)

    def __contains__(self, text: object) -> bool:
        return isinstance(text, str) and self.find(text) is not None

    def find(self, text: str) -> str | None:
        """The key that a text means; None for an unknown word."""
        if text in self.keys:
            return text
        return self._by_word.get(fold_word(text)) if self._by_word else None

    def nearest(self, text: str) -> str | None:
        """The key whose key, label or alias looks most like a text; None where none does."""
        words = {word: key for key, word in self._words()}
        near = nearest(text[:100], words, 1)
        return words[near[0]] if near else None

    def words_of(self, key: str) -> list[str]:
        """The words by which a key is known, itself first."""
        return [word for owner, word in self._words() if owner == key]

    def clashes(self) -> Iterator[Clash]:
        """Words that two entries share."""
        owners: dict[str, str] = {}
        for key, word in self._words():
            owner = owners.setdefault(fold_word(word), key)
            if owner != key:
                yield Clash(word, owner, key)

    def _words(self) -> Iterator[tuple[str, str]]:
        """Every key with each of its words: the keys first, then the labels, then the aliases."""
        yield from ((key, key) for key in self.keys)
        yield from ((key, label) for key, label in self.labels.items() if label)
        yield from ((key, word) for key, words in self._aliases.items() for word in words if word)


YES_AND_NO: Mapping[str, bool] = {"true": True, "yes": True, "false": False, "no": False}
"""What may stand for a boolean."""
