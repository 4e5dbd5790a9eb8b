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
from carddb.game.parts import FieldSpec
from carddb.layout.documents.blocks import DocumentFonts
from carddb.paint.html import embedded_fonts, page_templates, skin_of
from carddb.press.bans.site import stable_id
from carddb.read.cards.export import cell_text

_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>#|~])")
_TEMPLATES = page_templates(Path(__file__).with_name("pages"))


@dataclass(frozen=True, slots=True)
class ChangeNotes:
    """The changes of a game between two states.

    `first` is the earlier state: a day or the name of a file. The later state is the day `last`, or `file`, the name of
    a file. `query` selects the compared cards. `bans` has the changes of ban lists in words, by the list's title, and
    `rules` the changes of the sections of the rule sheet. `to_print` are the cards that look different now, with their
    numbers of copies, and `pulls` the printed cards to throw away.
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
        """The later state: a day or the name of a file."""
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
        """Returns the label of each changed field with its words, as pairs (`same`, `old` or `new`; text).

        Values are worded as on the page of a card, but texts keep their markup, because only this may have changed.
        """
        fields, words = self.spec.all_fields(), self.spec.page_words
        rows = []
        for name, pair in change.fields.items():
            field = fields.get(name, FieldSpec())
            values = [cell_text(value if value is None else field.shown(value, words, str)) for value in pair]
            label = field.label or capital(name.replace("_", " "))
            rows.append((label, [(part.kind, part.text) for part in word_changes(*values)]))
        return rows

    def to_json(self) -> dict[str, Any]:
        """Returns the changes as `carddb changes --json` shows them."""
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
    """Returns the changes as plain text; removed words are marked like `[-this-]`, new ones like `{+this+}`."""
    return escaped(_TEMPLATES.get_template("changes.txt").render(notes=notes))


def notes_markdown(notes: ChangeNotes) -> str:
    """Returns the changes as release notes in Markdown; removed words are struck out and new ones bold."""
    return _TEMPLATES.get_template("changes.md").render(notes=notes)


def _literal(text: str) -> str:
    """Returns `text` on one line, escaped so that Markdown shows it unchanged."""
    return _MARKDOWN.sub(r"\\\1", " ".join(text.split()))


def _marked(parts: Sequence[tuple[str, str]], before: str, behind: str, begin: str, end: str, shown: Any = str) -> str:
    """Returns the parts of a text on one line, old words between `before` and `behind`, new ones `begin` and `end`.

    Spaces stay outside these marks. `shown` converts the words.
    """
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
    """Returns an ISO date in words; any other text, such as the name of a file, unchanged."""
    try:
        return spoken(date.fromisoformat(text))
    except ValueError:
        return text


_TEMPLATES.globals |= {"KINDS": KINDS, "stable_id": stable_id, "marked": _marked, "literal": _literal}
_TEMPLATES.filters |= {"moment": moment_text, "literal": _literal, "day": _day}


def changes_page(notes: ChangeNotes, pictures: Mapping[str, tuple[bytes, bytes]], fonts: DocumentFonts) -> bytes:
    """Returns the changes as one web page in the game's own look, with its fonts embedded.

    `pictures` has the faces of each card before and after the change as SVG, by the card's reference; an empty one is
    not shown. Raises FontError if a font is missing.
    """
    page = partial(
        _TEMPLATES.get_template("changes.html").render,
        notes=notes, skin=skin_of(fonts, notes.spec.accent, notes.spec.ground),
    )  # fmt: skip
    letters = page(pictures={}, faces=()) + ascii_letters  # for the header that the server or a site adds above
    return page(pictures=pictures, faces=embedded_fonts(fonts, letters)).encode()


def changes_feed(spec: GameSpec, days: Sequence[ChangeNotes], last: date, url: str = "") -> bytes:
    """Returns an Atom feed with an entry for each day that changed cards or bans, the latest first.

    `last` is the day of its last update, and `url` the base of its links, empty if unknown.
    """
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
