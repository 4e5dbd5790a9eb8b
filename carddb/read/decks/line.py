"""The syntax of deck lines: cards, headings, and claims about the number of cards."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, replace

from carddb.core.plain_text import amount, without_controls
from carddb.findings import Finding, Place, warning

_FORGIVEN = str.maketrans(
    {
        **dict.fromkeys((0xA0, 0x1680, *range(0x2000, 0x200B), 0x202F, 0x205F, 0x3000), " "),
        **dict.fromkeys((0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF)),
        **dict.fromkeys(map(ord, "‘’‚‛′＇‹›"), "'"),
        **dict.fromkeys(map(ord, "“”„‟″＂«»"), '"'),
        **dict(zip(map(ord, "０１２３４５６７８９ｘＸ（）［］｛｝：，＃／"), "0123456789xX()[]{}:,#/", strict=True)),
    }
)
_SPACES = re.compile(" {2,}")
_ESCAPE = re.compile(r"\\([!-/:-@\[-`{-~])")
_QUOTE_MARK = re.compile(r"(?:>\s*)+")
_BULLET = re.compile(r"(?:[-*+–]\s+|[•·‣]\s*)")
_LEADING = (
    re.compile(r"(-?[0-9]+)[\s,]+(\S.*)"),
    re.compile(r"(-?[0-9]+)\s*[xX×][\s,]+(\S.*)"),
    re.compile(r"[xX×]\s*(-?[0-9]+)[\s,]+(\S.*)"),
    re.compile(r"\(\s*(-?[0-9]+)\s*[xX×]?\s*\)[\s,]*(\S.*)"),
)
_TRAILING = (
    re.compile(r"(?:\s[xX]|×)\s*([0-9]+)$"),
    re.compile(r"(?:,|(?<!\s)[^\S\t]*+\t)\s*+([0-9]++)$"),
)
_LOOSE_TRAILING = (
    re.compile(r"\s\(\s?(?:[xX×]\s?)?([0-9]{1,6})[xX×]?\s?\)$"),
    re.compile(r"(?:[.…_]{2}|…|:|\s[-–—])\s?([0-9]{1,6})$"),
)
_MARKS = " .…·•●○◦◉★☆◆◇■□▪▫♦♥♠♣✓✔✗✘†‡_"
"""Marks that other programs put after a name: influence, favourites, dot leaders."""
_TAG = re.compile(r"\s(?:\*[A-Za-z]{1,3}\*|\*\([^()]{1,60}\)\*|\^[^^]{1,40}\^)$")
_BEFORE = re.compile(r"\[([^\[\]:#]{1,40})(?:[:#]\s?([\w-]{1,20}))?\]\s+(\S.*)")
_TIMES = re.compile(r"[xX×][\s,]+(\S.*)")
_GLUED = re.compile(r"([0-9]+)[xX×](\S.*)")
_UNIT = re.compile(
    r"(-?[0-9]+)\s*(?:[xX×]\s*)?(?:copies|copy|pcs?\.?|pieces?|cards?|stück|stk\.?|mal|exemplaires?)(?:\s+(?:of|von|de))?\s+(\S.*)",
    re.I,
)
_BY = re.compile(r"(?<=[0-9])\s?[xX]\s?(?=[0-9])")
"""The multiplication sign between two digits, typed as a letter."""
_NEXT_CARD = re.compile(r"(?<!\s)\s*[,;|]\s*(?=[0-9]+[xX×]?\s)|(?<![ \t])[ \t]{2,}(?=[0-9]+[xX×]?\s)")
"""The gap before another card on the same line."""
_ONLY_COUNT = re.compile(r"[(xX×\s]*(-?[0-9]+)[xX×)\s]*")
_NUMBER = re.compile("[0-9]+")
_ONLY_COUNTS = re.compile(r"[-0-9(xX×)\s]+")
_BARE = re.compile(r"(\S.*?)(?<!\s)\s++((?=[^\s]*[0-9])[\w.]+[-/][\w/-]+)")
_REMARK = re.compile(r"([\]}])\s*[*_]*\([^()\[\]{}]{1,60}\)[*_]*$")
_SET = re.compile(r"\(([^()]{1,60})\)\s*([\w/#-]{0,40})$")
_SQUARE_SET = re.compile(r"\[([^\[\]]{1,60})\]\s+#?([\w/-]{1,40})$")
_COUNTED = re.compile(r"[0-9]+[xX×]?\s+\S.*")
_KEY = re.compile(r"([^:]{1,40}):(.*)")
_MAX_BRACKETS = 6
_MOST_CELLS = 3
"""The most cells of a row that is read without a heading row: count, name and reference."""


@dataclass(frozen=True, slots=True)
class LineReading:
    """One way to read a card line; `count` is None if the line has no count. `(Set) 14` gives `set` and `number`."""

    count: int | None
    name: str
    ref: str = ""
    set: str = ""
    number: str = ""


def lines_of(text: str) -> list[str]:
    """Returns the lines of a text, which may end with LF, CR or both."""
    text = text.removeprefix("\ufeff")
    if "\r" in text:  # searching for both line ends took as long as splitting the text
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text.split("\n")


def tidy(line: str) -> str:
    """Returns a line with plain spaces, quotes and digits, without the `>` of mail and the backslashes of chat."""
    return unquoted(_SPACES.sub(" ", _ESCAPE.sub(r"\1", forgiven(without_controls(line))).strip()))


def forgiven(text: str) -> str:
    """Returns a text with plain spaces, quotes and digits."""
    return text.translate(_FORGIVEN)


def unquoted(line: str) -> str:
    """Returns a line without leading quote marks `>`."""
    mark = _QUOTE_MARK.match(line)
    return line[mark.end() :] if mark else line


def key_value(line: str) -> tuple[str, str] | None:
    """Returns key and value of a line `Key: value`, or None."""
    pair = _KEY.fullmatch(line)
    return (pair[1].strip(), pair[2].strip()) if pair else None


def readings(line: str) -> Iterator[LineReading]:
    """Yields every way to read a card line, most likely first. In the first, only a count is taken from the name."""
    line = line.strip().lstrip(", ")  # commas of a table row whose first cell is empty
    bullet = _BULLET.match(line)
    if bullet and bullet.end() < len(line):
        line = line[bullet.end() :]
    for pattern in _LEADING:
        if match := pattern.fullmatch(line):
            yield from _peeled(int(match[1]), match[2])
    yield from _ending_in_count(line)
    yield from _peeled(None, line)
    yield from _ending_in_count(line, patterns=_LOOSE_TRAILING)
    if match := _TIMES.fullmatch(line):
        yield from _peeled(None, match[1])
    for pattern in (_GLUED, _UNIT):
        if match := pattern.fullmatch(line):
            yield from _peeled(int(match[1]), match[2])
    for separator in "\t,":
        if separator in line:
            yield from _columns(line, separator)
    if _BY.search(line):
        yield from readings(_BY.sub("×", line))


def without_sign(reading: LineReading) -> LineReading:
    """Returns a reading without the × before its name, as `2 × Grain` has it, for a line that matches no card so."""
    name = reading.name
    while match := _TIMES.fullmatch(name):
        name = match[1]
    return replace(reading, name=name)


def parts(raw: str) -> list[str]:
    """Returns the parts of a line, which is divided before each further count: `3 Spearmen, 2 Pike Square`."""
    return [part for part in map(tidy, _NEXT_CARD.split(forgiven(raw).strip())) if part]


def begins_with_count(line: str) -> bool:
    """Returns whether a line is a count followed by text, which is how most lists write a card."""
    return bool(_COUNTED.fullmatch(line))


def could_be_card(reading: LineReading) -> bool:
    """Returns whether a reading may be a card: its name has letters, or if there is a count, letters or digits."""
    if reading.count is None:
        return any(char.isalpha() for char in reading.name) and only_count(reading.name) is None
    return any(char.isalnum() for char in reading.name)


def only_counts(text: str) -> int:
    """Returns how many numbers a text consists of; 0 if it contains anything else."""
    return len(_NUMBER.findall(text)) if _ONLY_COUNTS.fullmatch(text) else 0


def only_count(text: str) -> int | None:
    """Returns the number that a text consists of, or None if it contains anything else."""
    match = _ONLY_COUNT.fullmatch(text)
    return int(match[1]) if match else None


def _ending_in_count(
    line: str, ref: str = "", patterns: Sequence[re.Pattern[str]] = _TRAILING
) -> Iterator[LineReading]:
    for pattern in patterns:
        match = pattern.search(line)
        if match and (rest := line[: match.start()].strip()):
            if ref:
                yield LineReading(int(match[1]), rest, ref)
            else:
                yield from _peeled(int(match[1]), rest)


def _peeled(count: int | None, rest: str) -> Iterator[LineReading]:
    """Yields the readings of the text beside a count: all of it as the name, then without marks, reference or set."""
    rest = rest.strip()
    yield LineReading(count, rest)
    unmarked = _TAG.sub("", rest).rstrip(_MARKS) or rest  # a name that consists of marks stays
    if unmarked != rest:
        yield LineReading(count, unmarked)
        rest = unmarked
    rest = _REMARK.sub(r"\1", rest)
    for opening, closing in ("[]", "{}"):
        at = len(rest)
        for _ in range(_MAX_BRACKETS if rest.endswith(closing) else 0):
            at = rest.rfind(opening, 0, at)
            if at < 0:
                break
            name, ref = rest[:at].strip(), rest[at + 1 : -1].strip()
            yield LineReading(count, name, ref)
            if count is None:
                yield from _ending_in_count(name, ref)
    for pattern in (_SET, _SQUARE_SET):
        if match := pattern.search(rest):
            yield LineReading(count, rest[: match.start()].strip(), "", match[1].strip(), match[2])
    if match := _BEFORE.fullmatch(rest):
        yield LineReading(count, match[3], "" if match[2] else match[1])
        yield LineReading(count, match[3], "", match[1], match[2] or "")
    if "|" in rest:
        name, home, number, *_ = [*(part.strip() for part in rest.split("|")), "", ""]
        yield LineReading(count, name, "", home, number)
    if match := _BARE.fullmatch(rest):
        yield LineReading(count, match[1], match[2])
    if len(rest) > 2 and rest[0] == rest[-1] and rest[0] in "\"'":
        yield LineReading(count, rest[1:-1].strip())


def _columns(line: str, separator: str) -> Iterator[LineReading]:
    """Yields the readings of a line like `3, "Name, the", EG-014`: count, name and reference in any order."""
    try:
        cells = [cell.strip() for cell in next(csv.reader([line], delimiter=separator, skipinitialspace=True))]
    except csv.Error:
        return
    if _LEADING[0].fullmatch(cells[0]) or len(list(filter(None, cells))) > _MOST_CELLS:
        return
    counts = {index: count for index, cell in enumerate(cells) if (count := only_count(cell)) is not None}
    for index, count in counts.items() or [(-1, None)]:
        others = [cell for at, cell in enumerate(cells) if at != index and cell]
        if len(others) == 1:
            yield LineReading(count, others[0])
        elif len(others) == 2:
            yield LineReading(count, others[0], others[1])
            yield LineReading(count, others[1], others[0])


_RULED = re.compile(r"[-=–—~]{1,20}\s*(?P<body>[^-=–—~\s].*?)\s*[-=–—~]{1,20}")
_HEADING = re.compile(r"(?:(?P<hashes>##+)|(?P<slashes>//+))\s*(?P<body>\S.*)")
_BRACKETED = re.compile(r"\[(?P<label>[^\[\]]+)\]\s*(?P<rest>.*)")
_CLAIM = re.compile(r"\s*[-–:]?\s*(?:\(\s*([0-9]{1,6})(?:\s*cards?)?\s*\)|(?<![0-9])([0-9]{1,6})(?:\s*cards?)?)\s*:?$")
_COUNTED_HEADING = re.compile(r"([^()\[\]0-9][^()\[\]]*?)\s*:?\s*\(\s*([0-9]{1,6})(?:\s*cards?)?\s*\):?")
_MAX_HEADING = 120


@dataclass(frozen=True, slots=True)
class HeadingLine:
    """A line in the form of a heading: `mark` is `#`, `/`, `[`, `=` or `:`, or empty.

    Each possible label comes with the number of cards that it claims, or None.
    """

    mark: str
    labels: tuple[tuple[str, int | None], ...]


def heading(line: str) -> HeadingLine | None:
    """Returns the heading if a line looks like one, whether its label is known or not; otherwise None."""
    if len(line) > _MAX_HEADING:
        return None
    if match := _HEADING.fullmatch(line):
        return HeadingLine("#" if match["hashes"] else "/", _labels(match["body"].rstrip("# ")))
    if match := _BRACKETED.fullmatch(line):
        rest = match["rest"]
        claim = _CLAIM.fullmatch(rest)
        if claim:
            return HeadingLine("[", ((match["label"].strip(), int(claim[1] or claim[2])),))
        return HeadingLine("[", _labels(match["label"])) if rest in ("", ":") else None
    if match := _RULED.fullmatch(line):
        return HeadingLine("=", _labels(match["body"]))
    _, colon, rest = line.partition(":")
    return HeadingLine(":", _labels(line)) if colon and (not rest.strip() or _CLAIM.fullmatch(rest)) else None


def unmarked_heading(line: str) -> HeadingLine | None:
    """Returns the heading of a line with a label and a count in brackets but no mark, as `Soldiers (13)`, or None."""
    match = _COUNTED_HEADING.fullmatch(line.strip("*_ ")) if len(line) <= _MAX_HEADING else None
    return HeadingLine("", ((match[1].strip(), int(match[2])),)) if match else None


def _labels(body: str) -> tuple[tuple[str, int | None], ...]:
    """Returns a heading's possible labels: the whole text, and the text without a count, each with what it claims."""
    label = body.strip().rstrip(":").rstrip()
    claim = _CLAIM.search(body)
    if not claim or not body[: claim.start()].strip():
        return ((label, None),)
    return (label, None), (body[: claim.start()].strip().rstrip(":").rstrip(), int(claim[1] or claim[2]))


@dataclass(slots=True)
class _Claim:
    """A heading, the number of cards that it claims to be below it, and the number that are."""

    label: str
    claimed: int | None
    place: Place
    counted: int = 0


SECTION, CATEGORY = "section", "category"
"""The two kinds of headings: of a section, and of a category, that is, a card type within a section."""


class Claims:
    """The numbers of cards that a deck claims to have, in headings and other lines; a wrong one becomes a finding."""

    def __init__(self, findings: list[Finding]) -> None:
        self.findings = findings
        self._total = 0
        self._open: dict[str, _Claim] = {}
        self._sizes: list[tuple[int, str, Place]] = []

    def begin(self, part: str, label: str, claimed: int | None, place: Place) -> None:
        """Begins a SECTION or CATEGORY at its heading and ends the one before; `claimed` is the count there, if any."""
        self.end(part)
        self._open[part] = _Claim(label, claimed, place)

    def end(self, part: str) -> None:
        """Ends the current section or category, and with a section its category; the next cards belong to neither."""
        for each in (CATEGORY, SECTION) if part == SECTION else (CATEGORY,):
            claim = self._open.pop(each, None)
            if claim and claim.claimed is not None and claim.claimed != claim.counted:
                message = f"the heading {claim.label} says {amount(claim.claimed)}, but {claim.counted} follow"
                fix = f"Correct the cards below it, or write ({claim.counted}) in the heading."
                self._differs(message, claim.counted, claim.claimed, claim.place, fix)

    def count(self, copies: int, apart: bool = False) -> None:
        """Counts the copies in the next card line; if `apart`, not for the headings above it."""
        self._total += copies
        for claim in () if apart else self._open.values():
            claim.counted += copies

    def size(self, claimed: int, text: str, place: Place) -> None:
        """Records a claim about the whole deck, unless it fits the cards so far, or those below the last heading."""
        if claimed not in {self._total, *(claim.counted for claim in self._open.values())}:
            self._sizes.append((claimed, text, place))

    def close(self, sizes: Callable[[], Collection[int]]) -> None:
        """Ends the deck; a claim about the whole is wrong if it is neither the number of its cards nor among `sizes`.

        Sites such as NetrunnerDB do not count the leading card, `49 cards (min 45)`; others do not count the sideboard.
        """
        self.end(SECTION)
        for claimed, text, place in self._sizes:
            if claimed != self._total and claimed not in sizes():
                cards = amount(self._total, "card")
                message = f"the line {text[:80]!r} does not match the deck, which has {cards}, so it was ignored"
                self._differs(message, self._total, claimed, place, "Correct the deck's cards, or remove the line.")

    def _differs(self, message: str, count: int, claimed: int, place: Place, fix: str) -> None:
        data = {"count": count, "claimed": claimed}
        self.findings.append(warning("count_claim_differs", message, place, data=data, fix=fix))
