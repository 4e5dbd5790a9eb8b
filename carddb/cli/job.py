"""One job of sheets: what is left to print of a selection, printing it, and remembering what is on paper then."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from carddb.cli import show
from carddb.cli.changed import Copies, Wanted, before, keep, lacking, named, tell_pulls, total
from carddb.findings import Finding, has_errors, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from carddb.cards import Card
    from carddb.cli.session import Session
    from carddb.games import Game
    from carddb.press.face_streams import FaceStreams
    from carddb.press.sheet_options import SheetOptions
    from carddb.press.sheets import PrintResult
    from carddb.press.workshop import Workshop
    from carddb.print_history import PrintedCard, Pull


@dataclass
class Job:
    """A selection on its way to paper.

    `found` is how its decks were judged, `sections` where its cards stand in them, `allow_faults` whether faces with
    errors are printed; the rest is what came of it.
    """

    game: Game
    copies: Copies
    title: str
    options: SheetOptions
    wanted: Wanted
    on: date
    found: list[Finding]
    sections: Mapping[str, str]
    allow_faults: bool = False
    as_json: bool = False
    needed: int | None = None
    missing: int = 0
    pulls: tuple[Pull, ...] = ()
    printed: PrintResult | None = None
    faults: list[Finding] = field(default_factory=list)
    _workshop: Workshop | None = field(default=None, init=False)

    @property
    def cards(self) -> list[Card]:
        """Each card once."""
        return list({card.ref: card for card, _ in self.copies}.values())

    def workshop(self, session: Session) -> Workshop:
        """Everything its cards are drawn with, opened once."""
        from carddb.press.workshop import open_workshop

        if self._workshop is None:
            self._workshop = open_workshop(self.game, self.cards, session.project.art_folder, self.options.lang)
        return self._workshop

    def leave_owned(self, session: Session, path: Path) -> list[Finding]:
        """Leaves out what the player owns; what is wrong with the file that tells it."""
        self.needed = total(self.copies)
        self.copies, found = lacking(session, self.game, self.copies, path, self.on)
        self.missing = total(self.copies)
        show.findings(found, err=True)
        session.say(f"{self.needed} needed, {self.needed - self.missing} of them owned, {self.missing} missing")
        return found

    def print_sheets(self, session: Session, output: Path) -> list[Finding]:
        """Draws and writes sheets of all, or of what changed, and remembers them; what is wrong with the faces."""
        from carddb.press.card_sheets import face_bank
        from carddb.press.face_streams import FaceStreams
        from carddb.press.print_record import print_job
        from carddb.press.sheets import print_cards
        from carddb.press.size_budget import within_budget

        workshop = self.workshop(session)
        streams = FaceStreams(face_bank(workshop, self.options), digesting=True)
        selected, after = self.copies, None
        if self.wanted.since:
            after = self._leave_unchanged(session, streams, self.wanted.since)
        if self.copies:
            with show.progress(f"drawing {len(self.copies)} cards", session.quiet) as step:
                name = f"{self.game.spec.name}: {self.title}"
                printed = within_budget(
                    self.options,
                    lambda o: print_cards(workshop, self.copies, o, name, self.title, streams, self.sections, step),
                )
            if self._refuses(session, printed.findings):
                return list(printed.findings)
            self.printed = printed
            session.write(output, self.printed.data)
            session.say(summary(output, self.printed) + coarser(self.options, self.printed))
            say_ink(session, self.printed)
        else:
            session.say(f"nothing changed since {named(self.wanted.since or '')}: nothing is printed")
        if self.wanted.since and (self.printed or self.pulls):
            tell_pulls(session, self.pulls, self.title, self.wanted.pull_list, self.as_json or str(output) == "-")
        if self.wanted.keeps and (self.printed or self.pulls):
            paper = print_job(streams, selected, self.options, self.title)
            keep(session, paper._replace(cards=after) if after is not None else paper, self.wanted, self.on)
        return list(self.printed.findings) if self.printed else streams.bank.findings

    def refused(self, session: Session, look: Callable[[], list[Finding]]) -> list[Finding]:
        """What is wrong with its faces, where it keeps them from being drawn; nothing where they may be."""
        if self.allow_faults:
            return []
        with show.progress(f"looking at {show.amount(len(self.cards), 'card')}", session.quiet):
            found = look()
        return found if self._refuses(session, found) else []

    def _refuses(self, session: Session, found: Sequence[Finding]) -> bool:
        if self.allow_faults or not has_errors(found):
            return False
        session.say("nothing was printed: mend the faces first, or print them with --allow-faults")
        return True

    def _leave_unchanged(self, session: Session, streams: FaceStreams, when: str) -> tuple[PrintedCard, ...] | None:
        """Leaves out what is on paper already; what will be there, where it is known what was."""
        from carddb.press.print_record import print_job, size_named
        from carddb.print_history import difference, some_of

        size = size_named(self.game.spec, self.options)
        old = before(session, when, self.game, self.title, size)
        if old is None:
            session.say(f"nothing is known of {named(when)} at {size}: all is printed")
            return None
        if not old.whole:
            session.say(f"{self.title} was not printed yet: each card is compared with its last print")
        with show.progress(f"comparing {len(self.copies)} cards", session.quiet):
            made = difference(old, print_job(streams, self.copies, self.options, self.title).cards)
        self.copies, self.pulls = some_of(self.copies, made.copies), made.pulls
        return made.after

    def report(self, place: Path | None) -> dict[str, Any]:
        """The job as JSON."""
        printed = self.printed
        return {
            "schema": "carddb.sheets/1",
            "game": self.game.key,
            "title": self.title,
            "on": self.on.isoformat(),
            "verdict": verdict(self.found),
            "stamp": self.options.stamp,
            "file": str(place) if printed else None,
            "sheets": printed.sheets if printed else 0,
            "pages": printed.pages if printed else 0,
            "cards": [{"ref": c.ref, "name": c.name, "count": n} for c, n in self.copies] if printed else [],
            "missing": None
            if self.needed is None
            else {"needed": self.needed, "owned": self.needed - self.missing, "missing": self.missing},
            "pull": [pull._asdict() for pull in self.pulls],
            "findings": [finding.to_json() for finding in (*self.found, *self.faults)],
        }


def summary(output: Path, printed: PrintResult) -> str:
    """One line about a printed file."""
    faces = "both sides" if printed.pages > printed.sheets else "one side"
    where = f"{show.amount(printed.cards, 'card')} on {show.amount(printed.sheets, 'sheet')}"
    return f"{output}: {where}, {faces}; {printed.label}"


def say_ink(session: Session, printed: PrintResult) -> None:
    """A line about the ink that a job takes."""
    if printed.ink and not session.quiet:
        session.say(str(printed.ink()))


def coarser(options: SheetOptions, printed: PrintResult) -> str:
    """What was done to keep a file small."""
    if printed.art_dpi == options.art_dpi:
        return ""
    return f"; pictures at {printed.art_dpi} dpi, for {options.most_bytes / 1e6:g} MB"
