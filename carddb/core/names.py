"""Names and words: folding and comparing them, finding the nearest, and vocabularies of closed lists."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nsmallest
from typing import Generic, TypeVar

from carddb.core.groups import grouped
from carddb.core.plain_text import without_invisibles

T = TypeVar("T")


class Identity(Generic[T]):
    """A wrapper that makes any value a dictionary key by identity: it equals only a wrapper of the same object."""

    __slots__ = ("value",)

    def __init__(self, value: T) -> None:
        self.value = value

    def __hash__(self) -> int:
        return id(self.value)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and other.value is self.value


_LONGEST_STEM = 80
"""The most bytes of a file name before its suffix, since some systems allow only 255 bytes in all."""
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)", re.I)
"""Names that Windows takes for devices, whatever suffix follows."""
_ARTICLE = re.compile(r"^(the|a|an|der|die|das|le|la|les|el|los|las|il|lo|gli)\s+(?=\S)")
SPELT_OUT = {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "&": " and "}
"""Letters that do not decompose, and the ampersand, as they are spelt out for comparison."""
_LIGATURES = str.maketrans(SPELT_OUT)


def strip_accents(text: str) -> str:
    """Returns a text in lower case without accents; letters that do not decompose are spelt out."""
    if text.isascii():
        return text.lower().replace("&", " and ")
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return bare.translate(_LIGATURES)


_LOOKALIKES = str.maketrans(
    "авсԁеёгнһіјкмоԛрѕтуԝхьӏαβεζηικμνορτυχγօսո01i|",
    "abcdeerhhljkmoqpstywxblabezhlkmvoptuxyounolll",
)
"""The Latin letter that a foreign letter, its capital or a sign looks like: those of UTS 39 that occur in names."""


def skeleton(text: str) -> str:
    """Returns a form that is equal for texts that look alike: without case, accents and spaces, in Latin letters."""
    bare = re.sub(r"[\W_]+", "", strip_accents(without_invisibles(text)).translate(_LOOKALIKES))
    return bare.replace("rn", "m").replace("vv", "w")


def is_ideograph(char: str) -> bool:
    """Returns whether a character is an ideograph or kana. Each is a word of its own, beside which a line may break."""
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\U00020000" <= char <= "\U0003ffff"


@lru_cache(maxsize=4096)  # the same headings and names occur in deck after deck
def fold(text: str) -> str:
    """Returns the form in which names are matched: no case, accents, punctuation or leading article."""
    bare = re.sub(r"['’ʼ`´]", "", strip_accents(text))
    words = re.sub(r"[^\w]+|_", " ", bare).split()
    return _ARTICLE.sub("", " ".join(words))


def fold_space(text: str) -> str:
    """Returns the form in which identities are compared: without case, and with single spaces."""
    return " ".join(text.casefold().split())


_NUMBERS = re.compile(r"(\d+)", re.ASCII)


def natural(text: str) -> tuple[list[str | tuple[int, str]], str]:
    """Returns a sort key that compares numbers within a text by value: `EG-2` before `EG-10`."""
    parts: list[str | tuple[int, str]] = list(_NUMBERS.split(text.casefold()))
    for at in range(1, len(parts), 2):
        digits = str(parts[at]).lstrip("0")
        parts[at] = (len(digits), digits)
    return parts, text


def slug(text: str) -> str:
    """Returns a name in a form for references and file names, such as `hannibal-barca` for `Hannibal Barca`."""
    return "-".join(re.findall(r"\w+", strip_accents(text).replace("_", " "))) or "x"


def portable(stem: str) -> str:
    """Returns the file stem, preceded by `x-` if Windows would take it for a device."""
    return f"x-{stem}" if _DEVICE.match(stem) else stem


def cut(stem: str, most: int) -> str:
    """Returns the beginning of a file stem, of at most `most` bytes."""
    return stem.encode()[:most].decode(errors="ignore").strip(".-")


def file_stems(names: Iterable[str]) -> list[str]:
    """Returns for each name a file stem that every system accepts, all different even when case is ignored.

    Characters that are not allowed in file names are replaced by hyphens. A stem that is already taken gets a number.
    """
    used: set[str] = set()
    stems = []
    for name in names:
        plain = re.sub(r"[^\w.-]+", "-", unicodedata.normalize("NFC", name)).strip(".-")
        base = portable(cut(plain, _LONGEST_STEM) or "card")
        stem, number = base, 1
        while stem.casefold() in used:
            number += 1
            stem = f"{base}-{number}"
        used.add(stem.casefold())
        stems.append(stem)
    return stems


def nearest(word: str, choices: Iterable[str], count: int = 3, likeness: float = 0.6) -> list[str]:
    """Returns up to `count` choices whose likeness to `word` is at least `likeness` (0 to 1), most similar first."""
    folded: dict[str, str] = {}
    for name in choices:
        folded.setdefault(fold(name), name)
    hits = difflib.get_close_matches(fold(word), folded, n=count, cutoff=likeness)
    return [folded[hit] for hit in hits]


def likeness(word: str, other: str) -> float:
    """Returns how alike two words are, from 0 to 1 (equal), once both are folded."""
    return difflib.SequenceMatcher(None, fold(word), fold(other)).ratio() if other else 0.0


def did_you_mean(word: str, choices: Iterable[str], otherwise: str | None = None) -> str:
    """Returns a remedy: the nearest of `choices`, or if none is near, `otherwise`, or if that is None, all choices."""
    choices = list(choices)
    near = nearest(word, choices, 1)
    if near:
        return f"Did you mean {near[0]}?"
    return otherwise if otherwise is not None else f"Choose one of: {', '.join(choices)}." if choices else ""


def capital(text: str) -> str:
    """Returns the text with its first letter in upper case, the rest unchanged."""
    return text[:1].upper() + text[1:]


_CANDIDATES = 40
"""The number of names, those with the most trigrams in common, that are compared letter by letter."""

_MOST = 3
"""The number of names that are suggested."""

_LIKENESS = 0.62
"""The least likeness of a suggested name; “of the” in the middle of both does not make two names alike."""


class NearNames:
    """Finds near names among many, comparing only those that share the most trigrams."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = names
        self._by_part = grouped((part, index) for index, name in enumerate(names) for part in _parts(name))

    def near(self, name: str) -> list[str]:
        """Returns up to `_MOST` known names that look most like `name`, nearest first."""
        shared = Counter(index for part in _parts(name[:200]) for index in self._by_part.get(part, ()))
        # Of names with equally many trigrams in common, the shorter first: a word precedes longer names with that word.
        best = nsmallest(_CANDIDATES, shared, key=lambda index: (-shared[index], len(self._names[index]), index))
        candidates = [self._names[index] for index in best]
        near = nearest(name[:200], candidates, likeness=_LIKENESS)
        if not near:
            return []
        alike = [other for other in near if _close(name, [fold(other)])]
        of_a_word = [other for other in candidates if _close(name, fold(other).split())]
        return list(dict.fromkeys([*alike, *of_a_word, *near]))[:_MOST]


def _close(name: str, words: Sequence[str]) -> bool:
    """Returns whether `name` differs from one of the folded `words` by a letter or two: Hanibal from Hannibal."""
    return bool(nearest(name[:200], words, 1, likeness=0.8))


def _parts(name: str) -> set[str]:
    text = f" {fold(name)} "
    return {text[at : at + 3] for at in range(len(text) - 2)}


_GAPS = re.compile(r"[\s_\-\u2010-\u2015]+")
_APOSTROPHES = str.maketrans("\u2018\u2019\u02bc", "'''")


@lru_cache(maxsize=4096)  # the same words occur in deck after deck
def fold_word(text: str) -> str:
    """Returns the form in which words of vocabularies are compared: no case, accents, spaces, hyphens or underscores.

    Straight and curved apostrophes are equal.
    """
    return _GAPS.sub("", strip_accents(text)).translate(_APOSTROPHES)


class Vocabulary:
    """The keys of a closed list, and the words by which each key may be written.

    `labels` are the printed names of some keys, `aliases` further words for them. If a word may mean several keys, an
    exact key wins over a folded key, a folded key over a label, and a label over an alias.
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
        """Returns the key that `text` means, or None if it is unknown."""
        if text in self.keys:
            return text
        return self._by_word.get(fold_word(text)) if self._by_word else None

    def nearest(self, text: str) -> str | None:
        """Returns the key whose key, label or alias looks most like `text`, or None if none is near."""
        words = {word: key for key, word in self._words()}
        near = nearest(text[:100], words, 1)
        return words[near[0]] if near else None

    def remedy(self, text: str) -> str:
        """Returns a remedy for a word that is unknown: the key that looks most like it, or else all keys."""
        near = self.nearest(text)
        return f"Did you mean {near}?" if near else did_you_mean(text[:100], self.keys)

    def words_of(self, key: str) -> list[str]:
        """Returns the words that mean `key`, the key itself first."""
        return [word for owner, word in self._words() if owner == key]

    def clashes(self) -> Iterator[tuple[str, str, str]]:
        """Yields each word that means two keys, with both keys."""
        owners: dict[str, str] = {}
        for key, word in self._words():
            owner = owners.setdefault(fold_word(word), key)
            if owner != key:
                yield word, owner, key

    def _words(self) -> Iterator[tuple[str, str]]:
        """Yields each pair of key and word: first the keys themselves, then the labels, then the aliases."""
        yield from ((key, key) for key in self.keys)
        yield from ((key, label) for key, label in self.labels.items() if label)
        yield from ((key, word) for key, words in self._aliases.items() for word in words if word)


YES_AND_NO: Mapping[str, bool] = {"true": True, "yes": True, "false": False, "no": False}
"""The words for a boolean."""
