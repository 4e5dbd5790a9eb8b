"""How words are compared: folding, slugs, file names, and the nearest of a list."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

_LONGEST_STEM = 80
"""Bytes of a file name before its ending: a system may allow no more than 255 bytes."""
_DEVICE = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\.|$)", re.I)
"""What Windows takes for a device, whatever ending follows."""
_ARTICLE = re.compile(r"^(the|a|an|der|die|das|le|la|les|el|los|las|il|lo|gli)\s+(?=\S)")
_LIGATURES = str.maketrans(
    {"æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "þ": "th", "ł": "l", "ı": "i", "&": " and "}
)


def strip_accents(text: str) -> str:
    """`text` in lower case without accents; letters that do not decompose are spelt out."""
    if text.isascii():
        return text.lower().replace("&", " and ")
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    bare = "".join(c for c in decomposed if not unicodedata.combining(c))
    return bare.translate(_LIGATURES)


def is_ideograph(char: str) -> bool:
    """Whether a character is of Han or kana: written without spaces, a word by itself, and a line may end beside it."""
    return "\u2e80" <= char <= "\u9fff" or "\uf900" <= char <= "\ufaff" or "\U00020000" <= char <= "\U0003ffff"


@lru_cache(maxsize=4096)  # the same headings and names come in deck after deck
def fold(text: str) -> str:
    """The form in which names are matched: no case, accents, punctuation or leading article."""
    bare = re.sub(r"['’ʼ`´]", "", strip_accents(text))
    words = re.sub(r"[^\w]+|_", " ", bare).split()
    return _ARTICLE.sub("", " ".join(words))


def fold_space(text: str) -> str:
    """The form in which identities are compared: case and runs of white space only."""
    return " ".join(text.casefold().split())


def slug(text: str) -> str:
    """A name as part of a reference or a file name: `Hannibal Barca` -> `hannibal-barca`."""
    return "-".join(re.findall(r"\w+", strip_accents(text).replace("_", " "))) or "x"


def portable(stem: str) -> str:
    """A file name without ending that no system takes for a device."""
    return f"x-{stem}" if _DEVICE.match(stem) else stem


def cut(stem: str, most: int) -> str:
    """The beginning of a file name, in so many bytes."""
    return stem.encode()[:most].decode(errors="ignore").strip(".-")


def file_stems(names: Iterable[str]) -> list[str]:
    """A file name without ending for each name, that every system can write; no two are alike in any case.

    What no file name may have becomes a hyphen; names that are alike then get a number.
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
    """Up to `count` of `choices` that are as like `word` as that, nearest first, compared folded."""
    import difflib  # a part of every start, for the few in which something is misspelt

    folded: dict[str, str] = {}
    for name in choices:
        folded.setdefault(fold(name), name)
    hits = difflib.get_close_matches(fold(word), folded, n=count, cutoff=likeness)
    return [folded[hit] for hit in hits]


def did_you_mean(word: str, choices: Iterable[str]) -> str:
    """A remedy: the nearest of `choices`, or all of them where none is near."""
    choices = list(choices)
    near = nearest(word, choices, 1)
    if near:
        return f"Did you mean {near[0]}?"
    return f"Known: {', '.join(choices)}." if choices else ""


def capital(text: str) -> str:
    """The words with a capital first letter, all others as they are."""
    return text[:1].upper() + text[1:]
