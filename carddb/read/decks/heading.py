"""The headings of a deck: the shapes of their lines, whatever sections there are."""

from __future__ import annotations

import re
from dataclasses import dataclass

_RULED = re.compile(r"[-=–—~]{1,20}\s*(?P<body>[^-=–—~\s].*?)\s*[-=–—~]{1,20}")
_HEADING = re.compile(r"(?:(?P<hashes>##+)|(?P<slashes>//+))\s*(?P<body>\S.*)")
_BRACKETED = re.compile(r"\[(?P<label>[^\[\]]+)\]\s*(?P<rest>.*)")
_CLAIM = re.compile(r"\s*[-–:]?\s*(?:\(\s*([0-9]{1,6})(?:\s*cards?)?\s*\)|(?<![0-9])([0-9]{1,6})(?:\s*cards?)?)\s*:?$")
_COUNTED = re.compile(r"([^()\[\]0-9][^()\[\]]*?)\s*:?\s*\(\s*([0-9]{1,6})(?:\s*cards?)?\s*\):?")
_MAX_HEADING = 120


@dataclass(frozen=True, slots=True)
class Heading:
    """A line of the shape of a heading: `mark` is `#`, `/`, `[`, `=` or `:`.

    Each label has the count that it leaves as a claim.
    """

    mark: str
    labels: tuple[tuple[str, int | None], ...]


def heading(line: str) -> Heading | None:
    """A line in the shape of a heading, whether or not anyone knows its label."""
    if len(line) > _MAX_HEADING:
        return None
    if match := _HEADING.fullmatch(line):
        return Heading("#" if match["hashes"] else "/", _labels(match["body"].rstrip("# ")))
    if match := _BRACKETED.fullmatch(line):
        rest = match["rest"]
        claim = _CLAIM.fullmatch(rest)
        if claim:
            return Heading("[", ((match["label"].strip(), int(claim[1] or claim[2])),))
        return Heading("[", _labels(match["label"])) if rest in ("", ":") else None
    if match := _RULED.fullmatch(line):
        return Heading("=", _labels(match["body"]))
    _, colon, rest = line.partition(":")
    return Heading(":", _labels(line)) if colon and (not rest.strip() or _CLAIM.fullmatch(rest)) else None


def unmarked_heading(line: str) -> Heading | None:
    """A label with a count in brackets and no mark, as `Soldiers (13)`, or with stars of Markdown around it."""
    match = _COUNTED.fullmatch(line.strip("*_ ")) if len(line) <= _MAX_HEADING else None
    return Heading("", ((match[1].strip(), int(match[2])),)) if match else None


def _labels(body: str) -> tuple[tuple[str, int | None], ...]:
    """The whole as a label, then what is left when a count claim is taken off its end."""
    label = body.strip().rstrip(":").rstrip()
    claim = _CLAIM.search(body)
    if not claim or not body[: claim.start()].strip():
        return ((label, None),)
    return (label, None), (body[: claim.start()].strip().rstrip(":").rstrip(), int(claim[1] or claim[2]))
