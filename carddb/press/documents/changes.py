"""The changes of a game between two states as text, Markdown, JSON, a web page with the faces, and an Atom feed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time
from functools import partial
from pathlib import Path
from string import ascii_letters
from typing import Any

from carddb.cards.cards import Card
from carddb.cards.changes import KINDS, CardChange, word_changes
from carddb.cards.print_history import Pull
from carddb.core.dates import moment_text, spoken
from carddb.core.names import capital
from carddb.core.plain_text import FORBIDDEN, amount, escaped
from carddb.game.game import GameSpec
from carddb.layout.documents.blocks import DocumentFonts
from carddb.paint.html import embedded_fonts, page_templates, skin_of
from carddb.press.bans.site import stable_id
from carddb.read.cards.export import cell_text

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")
_TEMPLATES = page_templates(Path(__file__).with_name("pages"))


@dataclass(frozen=True, slots=True)
class ChangeNotes:
    """The changes of a game from one state (`first`, a day or the name of a file) to the day `last`, or to
    the file called `file`.

    `bans` maps the title of each ban list that changed to its changes in words; `rules` are the sections of the rule
    sheet. `to_print` are cards that look different now, with copies; `pulls` are printed cards to throw away.
    """

    spec: GameSpec
    query: str
    first: str
    last: date
    cards: Sequence[CardChange]
    bans: Mapping[str, Sequence[str]]
    rules: Sequence[CardChange]
    to_print: Sequence[tuple[Card, int]] = ()
    pulls: Sequence[Pull] = ()
    file: str = ""

    @property
    def end(self) -> str:
        """The last day, or the name of the file that has the last state."""
        return self.file or self.last.isoformat()

    @property
    def title(self) -> str:
        return f"{self.spec.name}: changes from {self.first} to {self.end}"

    @property
    def sums(self) -> str:
        """A summary such as `3 changed, 1 renamed`, `nothing changed`, or `only faces changed`."""
        kinds = [change.kind for change in self.cards]
        parts = [f"{kinds.count(kind)} {kind}" for kind in KINDS if kind in kinds]
        lists, rules = len(self.bans), len(self.rules)
        parts += [f"{amount(lists, 'ban list')} changed"] if lists else []
        parts += [f"{amount(rules, 'section')} of the rules changed"] if rules else []
        return ", ".join(parts) or ("only faces changed" if self.to_print else "nothing changed")

    def of_kind(self, kind: str) -> list[CardChange]:
        """Returns the changes of one kind."""
        return [change for change in self.cards if change.kind == kind]

    def rows(self, change: CardChange) -> list[tuple[str, list[tuple[str, str]]]]:
        """Returns the label of each changed field, and its words as pairs of `same`, `old` or `new` and a text."""
        fields = self.spec.all_fields()
        return [
            (
                (fields[name].label if name in fields else "") or capital(name.replace("_", " ")),
                [(part.kind, part.text) for part in word_changes(*map(cell_text, pair))],
            )
            for name, pair in change.fields.items()
        ]

    def to_json(self) -> dict[str, Any]:
        """Returns what `changes --json` shows; `replay` makes the later state of the earlier one and `cards`."""
        return {
            "schema": "carddb.changes/1",
            "game": self.spec.key,
            "query": self.query,
            "from": self.first,
            "to": self.end,
            "cards": [change.to_json() for change in self.cards],
            "bans": {title: list(words) for title, words in self.bans.items()},
            "rules": [change.to_json() for change in self.rules],
            "print": [{"ref": card.ref, "name": card.name, "count": count} for card, count in self.to_print],
            "pull": [pull._asdict() for pull in self.pulls],
        }


def notes_text(notes: ChangeNotes) -> str:
    """Returns the changes as plain text; removed words are marked as `[-so-]` and new ones as `{+so+}`."""
    return escaped(_TEMPLATES.get_template("changes.txt").render(notes=notes))


def notes_markdown(notes: ChangeNotes) -> str:
    """Returns the changes as release notes in Markdown; removed words are struck out and new ones bold."""
    return _TEMPLATES.get_template("changes.md").render(notes=notes)


def _literal(text: str) -> str:
    """Returns a text that Markdown shows as it is."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _marked(parts: Sequence[tuple[str, str]], before: str, behind: str, begin: str, end: str, shown: Any = str) -> str:
    """Returns words with marks around the old and the new ones, on one line; spaces stay outside the marks."""
    marks = {"same": ("", ""), "old": (before, behind), "new": (begin, end)}
    out = ""
    for kind, text in parts:
        left, right = marks[kind]
        words = text.strip()
        out += " " if kind == "new" and out.endswith(behind) else ""
        head, tail = text[: len(text) - len(text.lstrip())], text[len(text.rstrip()) :] if words else ""
        out += head + (f"{left}{shown(words)}{right}" if words else "") + tail
    return " / ".join(filter(None, (line.strip() for line in out.splitlines())))


def _day(text: str) -> str:
    """Returns a date as it is read out, and any other text, such as the name of a file, unchanged."""
    try:
        return spoken(date.fromisoformat(text))
    except ValueError:
        return text


_TEMPLATES.globals |= {"KINDS": KINDS, "stable_id": stable_id, "marked": _marked, "literal": _literal}
_TEMPLATES.filters |= {"moment": moment_text, "literal": _literal, "day": _day}


def changes_page(notes: ChangeNotes, pictures: Mapping[str, tuple[bytes, bytes]], fonts: DocumentFonts) -> bytes:
    """Returns the changes as one web page in the game's own look, with its fonts in it.

    `pictures` are the faces of each card before and after as SVG, by reference; an empty one is left out. Raises
    FontError.
    """
    page = partial(
        _TEMPLATES.get_template("changes.html").render,
        notes=notes, skin=skin_of(fonts, notes.spec.accent, notes.spec.ground),
    )  # fmt: skip
    letters = page(pictures={}, faces=()) + ascii_letters  # a server and a site put a head with other words above it
    return page(pictures=pictures, faces=embedded_fonts(fonts, letters)).encode()


def changes_feed(spec: GameSpec, days: Sequence[ChangeNotes], last: date, url: str = "") -> bytes:
    """Returns an Atom feed with an entry for each day that changed anything, the latest first."""
    latest_first = sorted(days, key=lambda notes: notes.last, reverse=True)
    text = _TEMPLATES.get_template("changes.xml").render(
        spec=spec,
        entries=[(notes, _midnight(notes.last)) for notes in latest_first if notes.cards or notes.bans],
        base=f"{url.rstrip('/')}/" if url else "",
        updated=_midnight(last),
    )
    return FORBIDDEN.sub("\ufffd", text).encode()


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
