"""The form and the request of a print job: its fields as the job, and as the command that makes the same file."""

from __future__ import annotations

import base64
import binascii
import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, cast, get_args

from carddb.app.printing.image_archive import Kind
from carddb.app.printing.image_request import ImageRequest
from carddb.app.printing.options import PaperOptions, check_words, sheet_options
from carddb.app.printing.selection import select_cards, select_deck
from carddb.app.printing.sheet_job import PrintResult, SheetJob
from carddb.app.workspace.clock import today
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import UsageError
from carddb.core.names import slug
from carddb.press.shops.shops import profile
from carddb.read.decks.owned import OwnedFile
from carddb.web.http.requests import CHECK_FIELDS, check_request, day_of, deck_of, refuse_others, text_of
from carddb.web.printing.paper_form import (
    FACES,
    HOUSE_OPTION,
    SHEET_SWITCHES,
    SHEETS,
    dashed,
    house_option_words,
    house_options_of,
    option_words,
    project_words,
    text_of_field,
    texts_of,
    typed_options,
)

_SELECTION = ("q", "deck", "game", "format", "editions", "on")
_SWITCHES = (*SHEET_SWITCHES, "no_remember")
_PICTURES = ("dpi", "url")
_ALLOWED = ("allow_illegal", "allow_faults")
_OTHERS = ("product", "own_paper", "since", "since_day", "missing", "owned_name", "owned_data", "quick")
FIELDS = (*_SELECTION, *FACES, *SHEETS, *_SWITCHES, *_PICTURES, *_ALLOWED, *_OTHERS)
MEASURES = ("own_paper", "card_size", "bleed", "gutter", "margin", "lang", "art_dpi", "max_mb", "tray", "since_day",
            "dpi", "url", *_SWITCHES)  # fmt: skip
"""The options that are seldom chosen."""


@dataclass(frozen=True)
class PrintForm:
    """The fields of the form by name, as texts; those that are empty say nothing."""

    fields: Mapping[str, str]

    def __post_init__(self) -> None:
        refuse_others(
            {name: value for name, value in self.fields.items() if not name.startswith(HOUSE_OPTION)}, *FIELDS
        )
        check_words(self.fields)

    @property
    def is_empty(self) -> bool:
        """Whether nothing is chosen to be printed."""
        return not (self._text("q") or self._text("deck"))

    @property
    def has_measures(self) -> bool:
        """Whether one of the options is chosen that a form shows below the others."""
        return any(self._text(name) for name in MEASURES)

    @property
    def product(self) -> str:
        """What is made: empty for sheets, `png`, `svg`, `tts`, or the profile of a print shop."""
        return self._text("product")

    @cached_property
    def kind(self) -> Kind | None:
        """How pictures are made; None for sheets. Raises UsageError for an unknown profile."""
        if not self.product or self.product in get_args(Kind):
            return cast(Kind, self.product) or None

        return "pdf" if "pdf" in profile(self.product).shop.takes else "png"

    @property
    def profile(self) -> str:
        """The profile of a print shop; empty without."""
        return "" if self.product in ("", *get_args(Kind)) else self.product

    @property
    def since(self) -> str | None:
        """What is compared with: `last` or a day. Raises UsageError."""
        day = day_of(self.fields, "since_day") if not self.kind else None
        return day.isoformat() if day else "last" if self.fields.get("since") and not self.kind else None

    @property
    def owned(self) -> OwnedFile | None:
        """The file of what a player owns, where only the rest is to be printed. Raises UsageError."""
        if not (self.fields.get("missing") and self.fields.get("owned_name")):
            return None
        try:
            data = base64.b64decode(self.fields.get("owned_data", ""), validate=True)
        except binascii.Error:
            raise UsageError("the file of what you own did not come whole", "Choose it again.") from None
        return OwnedFile(self.fields["owned_name"], data)

    @property
    def options(self) -> dict[str, Any]:
        """The options by the names of the command line, with `_` for `-`. Raises UsageError."""
        texts = texts_of(self.fields, (*FACES, *(_PICTURES if self.kind else SHEETS)))
        if self.profile:
            texts["dpi"] = ""
        if self.kind != "tts":
            texts.pop("url", None)
        return typed_options(self.fields, texts, (*_ALLOWED, *(() if self.kind else _SWITCHES)))

    @property
    def paper(self) -> PaperOptions:
        """Those of the options that say how faces and sheets are printed. Raises UsageError."""
        return cast(PaperOptions, {name: value for name, value in self.options.items() if name in PAPER_FIELDS})

    @property
    def house_options(self) -> dict[str, str]:
        """The readings of the game's rules that the table has chosen."""
        return house_options_of(self.fields)

    @property
    def editions(self) -> list[str]:
        return [name.strip() for name in self.fields.get("editions", "").split(",") if name.strip()]

    @property
    def image_request(self) -> ImageRequest:
        """How pictures are drawn."""
        options = self.options
        return ImageRequest(profile=self.profile, dpi=options.get("dpi"), url=options.get("url", ""))

    def job(self, project: Workspace) -> SheetJob:
        """The job, without what is owned. Raises UsageError, InputError, QueryError."""
        chosen: dict[str, Any] = {name: self._text(name) for name in ("game", "format", "on") if self._text(name)}
        if self._text("deck"):
            text = self.fields["deck"].replace("\r\n", "\n").rstrip("\n")
            chosen |= {"deck": text, "editions": self.editions, "options": self.house_options}
        else:
            chosen["q"] = self._text("q")
        job = job_of(project, chosen | self.options)
        if not job.copies:
            raise UsageError("no card matches", "Search in the gallery first.")
        if owned := self.owned:
            job.leave_owned(owned)
        return job

    def command(self, title: str, project: Workspace | None) -> str:
        """The command that makes the same file of a job of this title; `project` where its own files are told."""
        words = ["carddb", *(project_words(project) if project else ()), "sheets"]
        words.append(deck_file_name(title) if self._text("deck") else self._text("q"))
        words += self._options_of_deck() if self._text("deck") else self._pairs("game", "on")
        words += option_words(self.options)
        if self.since:
            words += ["--since", self.since]
        if owned := self.owned:
            words += ["--missing", owned.name]
        return shlex.join([*words, *self._place()])

    def _options_of_deck(self) -> Iterator[str]:
        yield from self._pairs("game", "on", "format")
        for name in self.editions:
            yield from ("--edition", name)
        yield from house_option_words(self.house_options)

    def _place(self) -> list[str]:
        """Where the result goes."""
        if not self.kind:
            return ["-o", "sheets.pdf"]
        profile = ["--profile", self.profile] if self.profile else []
        return [*profile, "-o", "cards.pdf"] if self.kind == "pdf" else [*profile, f"--{self.kind}", "pictures"]

    def _pairs(self, *names: str) -> Iterator[str]:
        for name in names:
            if self._text(name):
                yield from (dashed(name), self._text(name))

    def _text(self, name: str) -> str:
        return text_of_field(self.fields, name)


def deck_file_name(title: str) -> str:
    """What the file of a deck is called; the sheets of a deck without a name have the title of its file, `deck`."""
    return f"{slug(title) or 'deck'}.deck"


PAPER_FIELDS = tuple(PaperOptions.__annotations__)
SHEET_FIELDS = (*CHECK_FIELDS, "q", "allow_illegal", "allow_faults", *PAPER_FIELDS)


def job_of(project: Workspace, fields: Mapping[str, Any]) -> SheetJob:
    """The job that a request describes: a deck, or the cards of a query `q`. Raises UsageError, QueryError."""
    request = check_request(fields)
    on = request.on or today()
    if "deck" in fields:
        selection = select_deck(project, deck_of(fields), request)
    else:
        query = text_of(fields, "q")
        if query is None:
            raise UsageError("nothing is chosen", 'Send a "deck", or a query as "q".')
        selection = select_cards(project, query, request.game, on)
    paper = cast(PaperOptions, {name: fields[name] for name in PAPER_FIELDS if fields.get(name) not in (None, "")})
    allowed = [fields.get(name) is True for name in ("allow_illegal", "allow_faults")]
    return SheetJob(project, selection, sheet_options(project, paper, on), on, *allowed)


def sheets_of(project: Workspace, fields: Mapping[str, Any]) -> PrintResult:
    """The sheets of a request; empty where its deck or its faces forbid them."""
    job = job_of(project, fields)
    return job.print_sheets() if job.may_print() else PrintResult(job, None, [])
