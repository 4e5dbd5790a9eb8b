"""A small event for tests: a project with the sample cards, an event of C.A.H.R.D., and deck lists."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from pathlib import Path

from carddb.app.events.entries import EventChecks
from carddb.app.events.tournament import OpenEvent, new_event, open_events
from carddb.door import Project
from carddb.events.store import EventTerms

DECKS = Path(__file__).parents[3] / "carddb" / "games" / "cahrd" / "decks"
LEGAL = (DECKS / "long-game.deck").read_text("utf-8").strip()
ILLEGAL = "Name: Roads\nGame: cahrd\n\n## Main\n4 Trebuchet\n1 Hanibal Barca"
DAY = date(2099, 6, 20)
"""Far ahead, so that no test is after it."""


def terms(deadline: datetime = datetime(2099, 6, 19, 16, tzinfo=UTC), day: date = DAY) -> EventTerms:
    """The terms of an event that is still open, unless another deadline is given."""
    return EventTerms("Granary Cup", "cahrd", "war", day, deadline, "Europe/Berlin")


@contextmanager
def event_of(project: Project, event_terms: EventTerms | None = None) -> Iterator[tuple[OpenEvent, EventChecks]]:
    """A new event in its open database, and what its decks are checked by."""
    with open_events(project) as events:
        event = new_event(project, events, event_terms or terms())
        yield event, EventChecks(event)
