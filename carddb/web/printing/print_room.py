"""The page that prints cards: its form, a preview of the sheets, the equivalent command line, and the file."""

from __future__ import annotations

import base64
import binascii
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, ClassVar, Self, cast, get_args
from urllib.parse import urlencode

from starlette.responses import Response

from carddb.app.printing.card_images import image_file
from carddb.app.printing.component_prints import BoxRequest, box_for
from carddb.app.printing.options import (
    PAPER,
    ImageRequest,
    Kind,
    PaperOptions,
    PrintOption,
    sheet_options,
    unused_options,
)
from carddb.app.printing.preflight import print_proof
from carddb.app.printing.print_room import BOX, PrintChoices
from carddb.app.printing.selection import select_cards, select_deck
from carddb.app.printing.sheet_job import PrintResult, SheetJob, measures, preview_json, total
from carddb.app.workspace.clock import today
from carddb.app.workspace.published_folder import zip_files
from carddb.app.workspace.workspace import Workspace
from carddb.core.errors import CarddbError, UsageError
from carddb.core.files import NamedBytes
from carddb.core.names import slug
from carddb.core.options import Option, declared
from carddb.findings import VERDICTS, Finding, has_errors, verdict
from carddb.layout.box import Style
from carddb.layout.stock import describe
from carddb.paint.rasterizer import page_png
from carddb.press.sheets.sheets import CutFile
from carddb.press.shops.shops import profile
from carddb.web.http.answers import (
    CHECK_FIELDS,
    Asked,
    Upload,
    as_file,
    check_request,
    day_of,
    deck_of,
    refuse_others,
    route,
    text_of,
    text_of_file,
)
from carddb.web.http.front import Front
from carddb.web.http.modes import Forbidden, Unknown
from carddb.web.http.pages import page

HOUSE_OPTION = "option."
"""The prefix of the fields that choose house readings of the game's rules."""
_OF_PRESS = tuple(name for name, option in PAPER.items() if option.group == "press")
_AT_ONCE = ("paper", "stock", "printer", "ink", "flip", "marks", *_OF_PRESS)
"""The options that the page's template places itself. All others are listed below them."""
_OF_OWNER = tuple(name for name, option in PAPER.items() if option.group == "printer")


@dataclass(frozen=True)
class PaperForm:
    """A print form: its fields by name, as texts. An empty text counts as missing.

    Besides the paper options, a subclass has the fields in `OWN`, those in `RARE`, which are seldom chosen, and all
    fields that begin with one of the `PREFIXES`. Strangers may not use the fields in `OF_OWNER`; those in `UPLOADED`
    may have the contents of a file. Raises UsageError for an unknown field, and for an unknown choice.
    """

    fields: Mapping[str, str]
    OWN: ClassVar[tuple[str, ...]] = ()
    RARE: ClassVar[tuple[str, ...]] = ()
    OF_OWNER: ClassVar[tuple[str, ...]] = ()
    PREFIXES: ClassVar[tuple[str, ...]] = (HOUSE_OPTION,)
    UPLOADED: ClassVar[tuple[str, ...]] = ("icc",)

    def __post_init__(self) -> None:
        refuse_others([name for name in self.fields if not name.startswith(self.PREFIXES)], *self._names())
        for name, option in PAPER.items():
            if option.choices and self.fields.get(name):
                option.value(self.fields[name])

    @classmethod
    def of(cls, fields: Mapping[str, str], public: bool) -> Self:
        """Returns the form without unknown fields and, if `public`, without the fields that only the owner may use."""
        left_out = (*_OF_OWNER, *cls.OF_OWNER) if public else ()
        names = set(cls._names()).difference(left_out)
        return cls({name: text for name, text in fields.items() if name in names or name.startswith(cls.PREFIXES)})

    @classmethod
    def _names(cls) -> tuple[str, ...]:
        return (*cls.OWN, *PAPER, *cls.RARE, "icc_name", "own_paper", "quick")

    @property
    def has_measures(self) -> bool:
        """True if the form uses an option that is listed below the common ones."""
        return any(self.text(name) for name in ("own_paper", *self.RARE, *PAPER) if name not in _AT_ONCE)

    @property
    def house_options(self) -> dict[str, str]:
        """The house readings of the game's rules that were chosen, by name."""
        return prefixed(self.fields, HOUSE_OPTION)

    @property
    def on(self) -> date | None:
        """The day for which to print, None for today. Raises UsageError if the field `on` is not a day."""
        return day_of(self.fields, "on")

    @property
    def paper(self) -> PaperOptions:
        """The options for printing faces and sheets. Raises UsageError if the form has a wrong number."""
        return cast("PaperOptions", self.typed(PAPER.values()))

    @property
    def query(self) -> str:
        """The form as the query of a URL; empty if it contains a file, which is too long for one."""
        if any(self.fields.get(name) for name in self.UPLOADED):
            return ""
        return urlencode({name: value for name, value in self.fields.items() if value and name != "quick"})

    def words(self, options: Mapping[str, Any]) -> Iterator[str]:
        """Yields options as words of a command line. An uploaded colour profile is named by its file name."""
        return option_words({**options, "icc": self.text("icc_name") or "press.icc"} if "icc" in options else options)

    def text(self, name: str) -> str:
        """Returns the text of a field, stripped; empty if the field is missing."""
        return self.fields.get(name, "").strip()

    def typed(self, options: Iterable[Option]) -> dict[str, Any]:
        """Returns the values of `options` that the form sets, by name. A custom paper size replaces the chosen paper.

        Without CMYK, the options of a printing press are left out, such as a colour profile that was opened before.
        Raises UsageError for a text that is not a number where a number is needed.
        """
        own = self.text("own_paper")
        texts = ((option, own if own and option.name == "paper" else self.text(option.name)) for option in options)
        left_out = () if self.text("colour") == "cmyk" else _OF_PRESS
        return {option.name: option.of_text(text) for option, text in texts if text and option.name not in left_out}


def seldom_chosen(public: bool) -> dict[str, list[PrintOption]]:
    """Returns the options listed below the common ones, by group: `faces`, `sheets` (switches last), and `words`."""
    rare = [option for name, option in PAPER.items() if name not in (_AT_ONCE + _OF_OWNER if public else _AT_ONCE)]
    return {
        "faces": [option for option in rare if option.of_faces and option.group != "words"],
        "sheets": sorted((option for option in rare if not option.of_faces), key=lambda option: option.is_switch),
        "words": [option for option in rare if option.group == "words"],
    }


def prefixed(fields: Mapping[str, str], prefix: str) -> dict[str, str]:
    """Returns the fields whose names begin with `prefix`, by the rest of their names, without empty ones."""
    return {name.removeprefix(prefix): value for name, value in fields.items() if name.startswith(prefix) and value}


def option_words(options: Mapping[str, Any]) -> Iterator[str]:
    """Yields `options` as words of a command line.

    A mapping becomes `--option name=value` for each pair, a list an option for each part; empty values are left out.
    """
    for name, value in options.items():
        flag = f"--{name.replace('_', '-')}"
        parts = [f"{key}={part}" for key, part in value.items()] if isinstance(value, Mapping) else value
        if isinstance(parts, list):
            yield from (word for part in parts for word in (flag, part))
        elif value:
            yield from (flag,) if value is True else (flag, str(value))


def command_line(project: Workspace | None, *words: str) -> str:
    """Returns a carddb command line. With `project`, it has the project's own catalogue and game folders, if any."""
    own: list[str] = []
    if project and project.explicit_catalog:
        own += ["--catalog", str(project.explicit_catalog)]
    for folder in project.game_folders if project else ():
        own += ["--games", str(folder)]
    return shlex.join(["carddb", *own, *words])


_SWITCHES = ("allow_illegal", "allow_faults")
_PICTURES = declared(ImageRequest)
_BOXES = {name: option for name, option in declared(BoxRequest).items() if name != "style"}


class PrintForm(PaperForm):
    """The form for printing cards."""

    OWN = ("q", "deck", "game", "format", "editions", "on", *_SWITCHES, "product", "since", "missing", "owned_name",
           "owned_data")  # fmt: skip
    RARE = ("dpi", "url", "since_day", "no_remember", *_BOXES)
    OF_OWNER = ("since", "since_day")
    UPLOADED = ("deck", "owned_data", "icc")

    @property
    def is_empty(self) -> bool:
        """True if the form chooses no cards."""
        return not (self.text("q") or self.text("deck"))

    @property
    def product(self) -> str:
        """The chosen product: empty for sheets, else `png`, `svg`, `tts`, a box, or the key of a shop's profile."""
        return self.text("product")

    @property
    def box(self) -> Style | None:
        """The style of the box to print; None for other products."""
        style = self.product.removeprefix(BOX)
        return cast(Style, style) if self.product.startswith(BOX) and style in get_args(Style) else None

    @cached_property
    def kind(self) -> Kind | None:
        """The kind of files with pictures of cards; None for sheets and boxes.

        For a print shop, it is `pdf` if the shop takes PDF, otherwise `png`. Raises UsageError for an unknown shop.
        """
        if self.box:
            return None
        if not self.product or self.product in get_args(Kind):
            return cast(Kind, self.product) or None

        return "pdf" if "pdf" in profile(self.product).shop.takes else "png"

    @property
    def profile(self) -> str:
        """The key of the chosen print shop's profile, such as `mpc-poker`; empty if none is chosen."""
        return "" if self.box or self.product in ("", *get_args(Kind)) else self.product

    @property
    def since(self) -> str | None:
        """The earlier print to compare with: `last`, a day, or None. Raises UsageError for a wrong `since_day`."""
        day = day_of(self.fields, "since_day") if not self.kind else None
        return day.isoformat() if day else "last" if self.fields.get("since") and not self.kind else None

    @property
    def owned(self) -> NamedBytes | None:
        """The file of owned cards, if only missing cards are printed, or None. Raises UsageError if it is damaged."""
        if not (self.fields.get("missing") and self.fields.get("owned_name")):
            return None
        try:
            data = base64.b64decode(self.fields.get("owned_data", ""), validate=True)
        except binascii.Error:
            raise UsageError("the file of your cards did not arrive whole", "Choose the file again.") from None
        return NamedBytes(data, self.fields["owned_name"])

    @property
    def options(self) -> dict[str, Any]:
        """The chosen options, named as on the command line with `_` for `-`. Raises UsageError for a wrong number."""
        pictures = () if self.profile or not self.kind else ("dpi", "url") if self.kind == "tts" else ("dpi",)
        of_press = _OF_PRESS if self.kind == "pdf" else ()
        paper = [option for name, option in PAPER.items() if option.of_faces or not self.kind or name in of_press]
        switches = () if self.box else _SWITCHES if self.kind else (*_SWITCHES, "no_remember")
        options = self.typed([*paper, *(_PICTURES[name] for name in pictures)])
        boxes = self.typed(_BOXES.values()) if self.box else {}
        return options | boxes | {name: True for name in switches if self.text(name)}

    @property
    def paper(self) -> PaperOptions:
        return cast("PaperOptions", {name: value for name, value in self.options.items() if name in PAPER})

    @property
    def editions(self) -> list[str]:
        return [name.strip() for name in self.fields.get("editions", "").split(",") if name.strip()]

    @property
    def image_request(self) -> ImageRequest:
        """The request by which pictures of the cards are drawn."""
        options = self.options
        return ImageRequest(profile=self.profile, dpi=options.get("dpi"), url=options.get("url", ""))

    def box_request(self, title: str) -> BoxRequest | None:
        """Returns the box to print for cards of this title; None without one. Raises UsageError for a wrong number."""
        values = {name: _BOXES[name].value(value) for name, value in self.options.items() if name in _BOXES}
        return BoxRequest(title, self.box, **values) if self.box else None

    def job(self, project: Workspace) -> SheetJob:
        """Returns the print job, without owned cards. Raises CarddbError for a wrong field, deck or query."""
        chosen: dict[str, Any] = {name: self.text(name) for name in ("game", "format", "on") if self.text(name)}
        if self.text("deck"):
            text = self.fields["deck"].replace("\r\n", "\n").rstrip("\n")
            chosen |= {"deck": text, "editions": self.editions, "options": self.house_options}
        else:
            chosen["q"] = self.text("q")
        job = job_of(project, chosen | self.options)
        if not job.copies:
            raise UsageError("no card matches", "Try the query in the gallery (/cards) first.")
        if owned := self.owned:
            job.leave_owned(owned)
        return job

    def command(self, title: str, project: Workspace | None) -> str:
        """Returns the command line that makes the same file, with the folders that `project` names if given."""
        is_deck = bool(self.text("deck"))
        subject = deck_file_name(title) if is_deck else self.text("q")
        if self.box:
            chosen = option_words({"on": self.text("on"), "style": self.box})
            return command_line(project, "box", subject, *chosen, *self.words(self.options), "-o", "box.pdf")
        checks = {"format": self.text("format"), "edition": self.editions, "option": self.house_options}
        chosen = option_words({"game": self.text("game"), "on": self.text("on"), **(checks if is_deck else {})})
        owned = self.owned.name if self.owned else ""
        last = option_words({"since": self.since, "missing": owned, "profile": self.profile})
        files = {None: ("-o", "sheets.pdf"), "pdf": ("-o", "cards.pdf")}
        place = files.get(self.kind, (f"--{self.kind}", "pictures"))
        return command_line(project, "sheets", subject, *chosen, *self.words(self.options), *last, *place)


def deck_file_name(title: str) -> str:
    """Returns a file name for a deck, `deck.deck` if it has no name, so that the sheets get the same title."""
    return f"{slug(title) or 'deck'}.deck"


SHEET_FIELDS = (*CHECK_FIELDS, "q", *_SWITCHES, *PAPER)


def job_of(project: Workspace, fields: Mapping[str, Any]) -> SheetJob:
    """Returns the print job for the deck, or for the cards that the query `q` finds.

    Raises UsageError for a wrong field, QueryError for a query that cannot be parsed.
    """
    request = check_request(fields)
    on = request.on or today()
    if "deck" in fields:
        selection = select_deck(project, deck_of(fields), request)
    else:
        query = text_of(fields, "q")
        if query is None:
            raise UsageError("no cards are chosen", 'Send a deck as "deck", or a query as "q".')
        selection = select_cards(project, query, request.game, on)
    paper = cast(PaperOptions, {name: fields[name] for name in PAPER if name in fields})
    allowed = [fields.get(name) is True for name in _SWITCHES]
    return SheetJob(project, selection, sheet_options(project, paper, on), on, *allowed)


def sheets_of(project: Workspace, fields: Mapping[str, Any]) -> PrintResult:
    """Prints the sheets that `fields` describe. There is no data if an illegal deck or faulty faces prevent it."""
    job = job_of(project, fields)
    return job.print_sheets() if job.may_print() else PrintResult(job, None, [])


_DPI = 76
_PROOF_DPI = 300
_SIDES = ("front", "back")
_INKS = {"": "full", "light": "light", "text": "text"}
"""The ink modes, by the value of the form's field."""


def check_printing(front: Front) -> None:
    """Raises Forbidden if this server does not print."""
    if not front.may_print:
        raise Forbidden("this server prints no sheets", "Print them with `carddb serve` on your own machine.")


def _form(asked: Asked, prints: bool = True) -> PrintForm:
    """Returns the form of a request. Uploaded decks become texts, and uploaded lists of owned cards become fields.

    Raises Forbidden if `prints` is true and this server does not print, UsageError for an unknown field in a URL.
    """
    if prints:
        check_printing(asked.front)
    if asked.method == "GET":
        PrintForm(asked.query_params)  # raises UsageError for an unknown field
        return PrintForm.of(asked.query_params, asked.front.public)
    fields, _, files = asked.sent
    if "file" in files:
        fields["deck"] = text_of_file(files["file"][-1])
    if "owned" in files:
        owned = files["owned"][-1]
        fields |= {"owned_name": owned.name, "owned_data": base64.b64encode(owned.data).decode(), "missing": "1"}
    return PrintForm.of(with_profile(fields, files), asked.front.public)


def with_profile(fields: Mapping[str, str], files: Mapping[str, Sequence[Upload]]) -> dict[str, str]:
    """Returns the fields of a form with its uploaded colour profile as Base64, if there is one."""
    if "icc" not in files:
        return dict(fields)
    file = files["icc"][-1]
    return {**fields, "icc_name": file.name, "icc": base64.b64encode(file.data).decode()}


def room(asked: Asked) -> Response:
    """Shows the print form for the cards selected in the URL, or for a deck that was posted to it."""
    form = _form(asked)
    return _room(asked, form, quick=asked.method == "GET" or bool(form.fields.get("quick")))


def _room(asked: Asked, form: PrintForm, quick: bool = False, faults: Sequence[Finding] = ()) -> Response:
    """Shows the form. With `quick`, what would have to be drawn is left out; `faults` are those that prevent printing.

    What has changed since a print is known only from the drawn faces, so for that they are drawn all the same.
    """
    project, public = asked.project, asked.front.public
    choices = PrintChoices(project)
    if not public:
        form = PrintForm({**choices.preselected(form.fields), **form.fields})
    values: dict[str, Any] = {
        "fields": form.fields, "choices": choices, "house": form.house_options, "games": project.searched_games(None),
        "more": form.has_measures, "seldom": seldom_chosen(public), "paper": PAPER,
        "of_pictures": [_PICTURES[name] for name in ("dpi", "url")], "of_boxes": _BOXES.values(),
        "pictures": form.query, "inks": {}, "findings": [], "faults": [],
        "job": None, "previews": [], "sizes": [], "all_sizes": [],
        "verdict": "", "kind": None, "box": None, "refused": False, "fault": None,
    }  # fmt: skip
    try:
        values |= {} if form.is_empty else _of_job(asked.front, project, form, quick)
    except CarddbError as fault:
        values |= {"fault": fault, "findings": list(fault.findings)}
    if faults:
        values |= {"faults": list(faults), "refused": True}
    return page("printing/print.html", asked.front, "print", **values)


def _of_job(front: Front, project: Workspace, form: PrintForm, quick: bool) -> dict[str, Any]:
    """Returns the template's values for the form's print job; `quick` draws nothing if possible.

    Raises CarddbError for a wrong field, deck or query.
    """
    kind, job = form.kind, form.job(project)
    illegal = has_errors(job.selection.findings) and not job.allow_illegal
    owned_faulty = has_errors(job.findings)
    lacking, result = total(job.copies), None
    unused = [] if kind else filter(None, [unused_options(form.paper, job.options.stock)])
    if not (kind or form.box or (quick and not form.since) or illegal or owned_faulty or not job.copies):
        result = front.prints.result(job, form.since)
        job.copies = result.job.copies  # those that have to be printed since then
    previews = job.preview() if job.copies and not kind and not form.box else []
    return {
        "job": job,
        "game": job.game,
        "kind": kind,
        "box": form.box_request(job.title),
        "shop": profile(form.profile) if form.profile else None,
        "describe": describe,
        "verdict": VERDICTS[verdict(job.selection.findings)] if form.fields.get("deck") else "",
        "illegal": illegal,
        "findings": [*job.selection.findings, *job.findings],
        "refused": illegal or owned_faulty or bool(result and not result.data) or not job.copies,
        "needed": job.needed,
        "lacking": lacking,
        "previews": previews,
        "all_sizes": [measures(size) for size in dict.fromkeys(size for each in previews for size in each.grid.cards)],
        "sizes": [(each.first, preview_json(job.title, [each])) for each in previews],
        "result": result,
        "inks": {value: front.prints.ink(job, mode) for value, mode in _INKS.items()} if result and job.copies else {},
        "faults": list(result.face_findings) if result else [],
        "notices": [*unused, *(notice.message for notice in (result.notices if result else ()))],
        "command": form.command(job.title, None if front.public else project),
    }


def picture(asked: Asked) -> Response:
    """Answers with a preview as PNG: a side of a sheet (by default the first) or, for pictures, of the first card."""
    form, side = _form(asked), asked.path_params["side"]
    if side not in _SIDES:
        raise Unknown(f"a sheet has no side {side!r}", "Choose front or back.")
    data = _preview(asked, form, _SIDES.index(side), asked.path_params.get("sheet", 1))
    return Response(data, media_type="image/png", headers={"Cache-Control": "no-store"})


def _preview(asked: Asked, form: PrintForm, number: int, sheet: int) -> bytes:
    """Returns, as PNG, side `number` (0: front) of a sheet, from 1, or the first card. Raises Unknown for no side."""
    job, prints = form.job(asked.project), asked.front.prints
    if box := form.box_request(job.title):
        return page_png(box_for(job.project, job.selection, box, job.options).data, 0, _DPI)
    if form.kind:
        pictures = prints.example(job, form.kind, form.image_request)
        if number < len(pictures):
            return pictures[number]
        raise Unknown("the card has no back", "Look at its front.")
    if form.since:
        job.copies = prints.result(job, form.since).job.copies
    previews = job.preview() if job.copies else []
    shown = next((each for each in previews if each.first <= sheet < each.first + each.sheets), None)
    if shown is None:
        raise Unknown(f"there is no sheet {sheet}", "Choose one of the sheets that the page shows.")
    printed = prints.sheet(job, sheet)
    if number >= printed.pages // printed.sheets:
        raise Unknown(f"the back of sheet {sheet} is empty", "Look at its front.")
    return page_png(printed.data, number, _DPI, shown.grid.paper)


def file(asked: Asked) -> Response:
    """Answers with the file to print. The owner's server remembers which cards are then on paper."""
    form = _form(asked)
    try:
        answer, faults = _file(asked, form)
    except CarddbError:
        return _room(asked, form)  # which shows the error
    return answer or _room(asked, form, faults=faults)


def _file(asked: Asked, form: PrintForm) -> tuple[Response | None, Sequence[Finding]]:
    """Returns the answer with the file to print (None if faults prevent it), and the findings about its faces."""
    job = form.job(asked.project)
    if has_errors(job.findings) or not job.may_print():
        return None, ()
    if box := form.box_request(job.title):
        printed = box_for(job.project, job.selection, box, job.options)
        cut_files = printed.cut_files if job.options.cutter else ()  # who cuts by hand opens a PDF and no archive
        return as_printed(f"{job.title}-box", printed.data, cut_files), printed.findings
    if form.kind:
        printed = image_file(job, form.kind, form.image_request)
        name = f"{job.title}.{'pdf' if form.kind == 'pdf' else 'zip'}"
        return as_file(printed.data, name) if printed.data else None, printed.findings
    result = asked.front.prints.result(job, form.since)
    if result.data and not asked.front.public and not form.fields.get("no_remember"):
        result.remember()
    return as_printed(job.title, result.data, result.cut_files) if result.data else None, result.face_findings


def as_printed(title: str, data: bytes, cut_files: Sequence[CutFile]) -> Response:
    """Answers with a PDF, or with a ZIP of the PDF and its files with cut lines."""
    if not cut_files:
        return as_file(data, f"{title}.pdf")
    files = {f"{title}.pdf": data, **{f"{title}{each.ending}": each.data for each in cut_files}}
    return as_file(zip_files(files), f"{title}.zip")


def deck(asked: Asked) -> Response:
    """Answers with the deck as a file, under the name that the command line uses."""
    form = _form(asked, prints=False)
    name = deck_file_name(form.job(asked.project).title)
    return as_file(form.fields["deck"].replace("\r\n", "\n").encode(), name)


def proof(asked: Asked) -> Response:
    """Answers with a proof of the first selected card as PDF, with trim and safe lines, as `carddb proof` draws it."""
    form, project = _form(asked), asked.project
    job = form.job(project)
    ref = job.copies[0][0].ref
    printed = print_proof(project, [ref], job.game.key, job.on, "pdf", _PROOF_DPI, form.paper)
    return as_file(printed.data, f"{ref}-proof.pdf")


ROUTES = [
    route("/print/proof", proof, ["POST"]),
    route("/print", room, ["GET", "POST"]),
    route("/print/file", file, ["POST"]),
    route("/print/deck", deck, ["POST"]),
    route("/print/{side}.png", picture, ["GET", "POST"]),
    route("/print/{sheet:int}/{side}.png", picture, ["GET", "POST"]),
]
