"""Languages by their tags: how a tag is written, and in which order words are looked for."""

from __future__ import annotations

import re

_TAG = re.compile(r"([A-Za-z]{2,3})(?:-([A-Za-z]{4}))?(?:-([A-Za-z]{2}|[0-9]{3}))?")
_RIGHT_TO_LEFT = frozenset({"ar", "arc", "ckb", "dv", "fa", "he", "nqo", "ps", "sd", "syr", "ug", "ur", "yi"})
_RIGHT_TO_LEFT_SCRIPTS = frozenset({"Adlm", "Arab", "Hebr", "Nkoo", "Rohg", "Samr", "Syrc", "Thaa"})
_SHORT = 2
"""The letters of a language that a file's name may end with; longer ones are words, as in `base.set.csv`."""


def language_tag(text: str) -> str:
    """A tag as it is usually written, `pt-BR` for `pt-br` (RFC 5646, section 2.1.1); empty for what is none.

    Language, script and region are known, all else is none.
    """
    match = _TAG.fullmatch(text.strip().replace("_", "-"))
    if not match:
        return ""
    language, script, region = (part or "" for part in match.groups())
    return "-".join(filter(None, (language.lower(), script.title(), region.upper())))


def read_tag(text: str) -> str:
    """Returns the tag that somebody wrote as it is usually written; no text stays none. Raises ValueError."""
    if text and not language_tag(text):
        raise ValueError(f"{text!r} is no tag of a language, such as ja or pt-BR")
    return language_tag(text)


def language_chain(lang: str) -> tuple[str, ...]:
    """A language and those that stand in for it, the nearest first: `zh-Hant-TW`, `zh-Hant`, `zh`."""
    parts = language_tag(lang).split("-") if language_tag(lang) else []
    return tuple("-".join(parts[:count]) for count in range(len(parts), 0, -1))


def is_right_to_left(lang: str) -> bool:
    """Whether a language is written from right to left, by its script where the tag names one."""
    language, _, rest = language_tag(lang).partition("-")
    script = rest.partition("-")[0]
    return script in _RIGHT_TO_LEFT_SCRIPTS if len(script) == 4 else language in _RIGHT_TO_LEFT


def language_of_stem(stem: str) -> str:
    """The language that the name of a file ends with, `ja` for `cards.ja`; empty where it ends with none."""
    head, _, tail = stem.rpartition(".")
    return language_tag(tail) if head and len(tail.replace("_", "-").split("-")[0]) == _SHORT else ""
