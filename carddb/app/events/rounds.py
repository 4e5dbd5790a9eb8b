"""The rounds of an event: check-in, pairing, results and standings, computed from a log of all changes."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any, NamedTuple

from carddb.app.decks.meta import Meta, meta
from carddb.app.events.entries import Recheck, recheck
from carddb.app.events.tournament import (
    OpenEvent,
    Overtaken,
    PlayerLink,
    event_json,
    links_for_new,
    player_called,
    prizes,
    request_of,
    rules_of,
    today_there,
)
from carddb.app.workspace.clock import creation, now
from carddb.app.workspace.published_folder import PrintedFile
from carddb.core.dates import moment_text
from carddb.core.errors import InputError, UsageError, check_kind
from carddb.core.names import did_you_mean, strip_accents
from carddb.core.plain_text import amount, json_bytes
from carddb.events.store import MOST_MINUTES, Event, Player
from carddb.findings import VERDICTS
from carddb.read.tables.grid import csv_table
from carddb.rounds.log import Act, Replay, consequences, next_round, pairing, replay, undone
from carddb.rounds.model import ELIMINATIONS, Match, MatchResult, Round, System, Tournament, possible_results
from carddb.rounds.standings import TIEBREAKS, Standings

DESK = "desk"
"""The author of a change made at the organiser's desk; the author of a player's change is the player's id."""
MOST_CLAIMS = 10
"""The most results that a player may send, for each round played so far."""
_RESULT = re.compile(r"\s*(\d)\s*[-:–]\s*(\d)\s*")


class CheckedIn(NamedTuple):
    """A player who is checked in. Only a new player has a `link`; `has_list` says whether there is a deck list."""

    player: Player
    link: PlayerLink | None
    has_list: bool


def match_between(event: OpenEvent, names: Sequence[str], number: int | None) -> Match:
    """Returns the match of the two players `names` in a round (None: the present one). Raises UsageError for none."""
    state = tournament_of(event)
    number = number or len(state.rounds)
    players = [player_called(event, name) for name in names]
    match = state.rounds[number - 1].match_of(players[0].id) if 0 < number <= len(state.rounds) else None
    if match is None or players[1].id not in match.players:
        problem = f"{players[0].name} does not meet {players[1].name} in round {number}"
        raise UsageError(problem, f"Look at the tables: carddb event pairings {event.key}.")
    return match


class Paired(NamedTuple):
    """A new round, and if it is the first of a day, the result of checking all decks again before it."""

    round: Round
    recheck: Recheck | None

    @property
    def changes(self) -> list[str]:
        """A sentence for each player whose deck has a new verdict, with the old verdict and the new one."""
        return [
            f"{player.name}: the deck was {VERDICTS[old].lower()}, now {VERDICTS[new].lower()}"
            for player, old, new in (self.recheck.changed if self.recheck else ())
        ]


def tournament_of(event: OpenEvent) -> Tournament:
    """Returns the present state of an event's tournament."""
    return _replayed(event, event.store.acts(event)).tournament()


def _replayed(event: OpenEvent, acts: Sequence[Act]) -> Replay:
    terms, rules = event.rounds, rules_of(event.project, event.terms, event.rounds)
    start = Tournament(rules, system=terms.system, seed=terms.seed, is_accelerated=terms.accelerated)
    return replay(start, acts, {player.id: player.name for player in event.store.players(event)})


class _Change:
    """Changes of a tournament within one transaction; each is added to the log as an act."""

    def __init__(self, event: OpenEvent) -> None:
        self._event, self.acts = event, event.store.acts(event)
        self._replay = _replayed(event, self.acts)

    @property
    def state(self) -> Tournament:
        return self._replay.tournament()

    def add(self, what: str, by: str = DESK, /, **details: Any) -> None:
        """Adds an act to the log. Raises UsageError if it is not possible now; this undoes the whole transaction."""
        act = self._event.store.add_act(self._event, now(), by, what, details)
        self.acts.append(act)
        if what == "undo":
            self._replay = _replayed(self._event, self.acts)
        else:
            self._replay.take(act)


def act(event: OpenEvent, what: str, **details: Any) -> Tournament:
    """Adds a change that the organiser makes to the log, and returns the tournament after it.

    `what` and `details` are a method of `carddb.rounds.log.Replay` and its parameters, such as `drop` with `player`.
    Raises UsageError if the change is not possible now.
    """
    with event.store.step():
        change = _Change(event)
        change.add(what, **details)
        return change.state


def check_in(event: OpenEvent, names: Sequence[str]) -> list[CheckedIn]:
    """Checks players in by name, and registers those who are new. Players already checked in stay checked in."""
    links = {link.player.id: link for link in links_for_new(event, names)[0]}
    entries = event.store.entries(event)
    with event.store.step():
        change = _Change(event)
        players = {player.id: player for player in (player_called(event, name) for name in names)}
        entrants = change.state.entrants
        for player in players:
            entrant = entrants.get(player)
            if entrant is None:
                change.add("enter", player=player)
            elif not entrant.is_active:
                change.add("rejoin", player=player)
    return [CheckedIn(each, links.get(player), player in entries) for player, each in players.items()]


def pair(event: OpenEvent, number: int | None = None, again: bool = False) -> Paired:
    """Pairs the next round; before the first of a day, all decks are checked again.

    `number` is the round that the organiser wants to pair, so that nobody pairs a second one by mistake. With `again`,
    the present round, if it has no results, is taken back first. Raises UsageError if a round cannot be paired.
    """
    checked = _recheck_of_day(event)
    with event.store.step():
        change = _Change(event)
        if again:
            pairings = [each.id for each in _to_take_back(change.acts).values() if each.what == "pair"]
            if not pairings:
                raise UsageError("no round has been paired yet", "Pair the first round.")
            _take_back(change, pairings[-1])
        if number is not None and number != len(change.state.rounds) + 1:
            problem = f"round {number} cannot be paired now; the next round is {len(change.state.rounds) + 1}"
            raise UsageError(problem, "Pair the next round; or if the last round is wrong, pair that one again.")
        if event.rounds.system in ELIMINATIONS and not change.state.cut:
            change.add("cut", system=event.rounds.system, seeds=[each.id for each in change.state.active])
        drawn = next_round(change.state)
        change.add("pair", **pairing(drawn))
    return Paired(drawn, checked)


def _recheck_of_day(event: OpenEvent) -> Recheck | None:
    """Checks all decks again and returns the result; None if this was done today, or the event has no deck lists."""
    day = today_there(event.terms).isoformat()
    if not event.rounds.lists or any(a.what == "recheck" and a.details["day"] == day for a in event.store.acts(event)):
        return None
    result = recheck(event)
    act(event, "recheck", day=day, changed=[player.id for player, _, _ in result.changed])
    return result


def to_result(text: str) -> MatchResult:
    """Returns the result in a text such as `2-1`. Raises UsageError for any other text."""
    match = _RESULT.fullmatch(text)
    if not match:
        raise UsageError(f"{text!r} is not a result", "Write how many games each player has won, such as 2-1.")
    return MatchResult(int(match[1]), int(match[2]))


def enter_result(
    event: OpenEvent, table: int, result: MatchResult, number: int | None = None, seen: str | None = None
) -> list[str]:
    """Enters or corrects the result at a table for the organiser. Returns sentences about what a correction changes.

    `number` is the round (default: the present one). `seen` is the result that the organiser saw before (empty: none);
    Overtaken is raised if it has changed since. Raises UsageError if no match can have this result.
    """
    with event.store.step():
        change = _Change(event)
        number = number or len(change.state.rounds)
        before = change.state
        match = before.rounds[number - 1].at(table) if 0 < number <= len(before.rounds) else None
        if match and match.result == result:
            return []
        if match and seen is not None and seen != str(match.result or ""):
            problem = f"the result at table {table} was changed in the meantime; now it is {match.result or 'missing'}"
            raise Overtaken(problem, "If the present result is wrong, correct it.")
        change.add("result", number=number, table=table, first=result.first, second=result.second)
    return consequences(before, change.state, number) if match and match.result else []


def report(event: OpenEvent, player: Player, number: int, own: MatchResult) -> Match:
    """Stores the result that a player sends for round `number`, the player's own games first, and returns the match.

    The result counts as soon as the opponent has sent the same one. Sending it again changes nothing. Raises UsageError
    if the player has no match in this round now, or if the match has another result already.
    """
    with event.store.step():
        change = _Change(event)
        present = change.state.present
        match = present.match_of(player.id) if present and present.number == number else None
        if match is None or match.second is None:
            raise UsageError(f"you have no match in round {number}", "Load the page again.")
        result = own if player.id == match.first else own.turned
        if result not in (match.result, match.claims.get(player.id) if match.result is None else None):
            sent = sum(a.what == "claim" and a.by == str(player.id) for a in change.acts)
            if sent >= MOST_CLAIMS * number:
                raise UsageError(f"you have sent {sent} results, the most allowed until now", "Ask at the desk.")
            details = {"number": number, "table": match.table, "player": player.id}
            change.add("claim", str(player.id), **details, first=result.first, second=result.second)
            match = change.state.rounds[number - 1].at(match.table)
            assert match is not None
        return match


class OwnMatch(NamedTuple):
    """The match of a player in the present round; in all results, the games that the player won come first.

    `opponent` is empty for a bye. `sent` is the result that the player has sent, `choices` are the possible results.
    """

    number: int
    table: int
    opponent: str
    side: str
    result: MatchResult | None
    sent: MatchResult | None
    is_disputed: bool
    choices: list[MatchResult]
    ends: datetime | None


def own_match(tournament: Tournament, player: Player) -> OwnMatch | None:
    """Returns the match of a player in the present round; None if the player has no match."""
    present = tournament.present
    match = present.match_of(player.id) if present else None
    if present is None or match is None:
        return None
    is_first, other = player.id == match.first, match.other(player.id)
    sides = tournament.rules.sides

    def own(result: MatchResult | None) -> MatchResult | None:
        return result if is_first or result is None else result.turned

    return OwnMatch(
        present.number, match.table, tournament.entrants[other].name if other is not None else "",
        sides[0 if is_first else 1] if sides and other is not None else "",
        own(match.result), own(match.claims.get(player.id)), match.is_disputed,
        possible_results(tournament.rules, present.is_elimination), round_end(present),
    )  # fmt: skip


def undo(event: OpenEvent, number: int | None = None) -> Act:
    """Takes back the change with the id `number` (default: the last change), and returns it; it stays in the log.

    Raises UsageError if there is no such change, or if later changes depend on it.
    """
    with event.store.step():
        change = _Change(event)
        acts = _to_take_back(change.acts)
        if number is None:
            number = max((each.id for each in acts.values() if each.what != "undo"), default=0)
        if number not in acts:
            message = f"there is no change {number} to take back" if number else "there is no change to take back yet"
            raise UsageError(message, f"The log lists the changes: carddb event log {event.key}.")
        _take_back(change, number)
        return acts[number]


def _to_take_back(acts: Sequence[Act]) -> dict[int, Act]:
    """Returns the acts that can be taken back, by id, in their order: all that are in force, except checks of decks."""
    gone = undone(acts)
    return {each.id: each for each in acts if each.id not in gone and each.what != "recheck"}


def _take_back(change: _Change, number: int) -> None:
    try:
        change.add("undo", act=number)
    except UsageError as fault:
        problem = f"this change cannot be taken back, because later changes depend on it: {fault.message}"
        raise UsageError(problem, "Take back the later changes first.") from None


def cut(event: OpenEvent, size: int, system: System = "single") -> list[str]:
    """Ends the Swiss rounds or the round robin: the best `size` players go on by elimination. Returns their names.

    Raises UsageError for fewer players, fewer than two, or another `system`, and during a round.
    """
    if system not in ELIMINATIONS:
        raise UsageError(f"a cut cannot be played as {system!r}", "Write single or double.")
    with event.store.step():
        change = _Change(event)
        present = change.state.present
        if present is None or not present.is_over:
            raise UsageError("there is no cut until the present round is over", "Enter all results of the round first.")
        seeds = Standings(change.state).top(size)
        if not 2 <= size == len(seeds):
            raise UsageError(f"a cut to {size} is impossible", f"Choose a number from 2 to {len(change.state.active)}.")
        change.add("cut", system=system, seeds=seeds)
        return [change.state.entrants[seed].name for seed in seeds]


def start_timer(event: OpenEvent, minutes: int | None = None) -> Round:
    """Starts the clock of the present round for `minutes` (None: the event's; 0 stops it). Returns the round."""
    minutes = event.rounds.minutes if minutes is None else minutes
    if not 0 <= minutes <= MOST_MINUTES:
        raise UsageError(f"a round cannot last {minutes} minutes", f"Write 1 to {MOST_MINUTES}; 0 stops the clock.")
    number = len(tournament_of(event).rounds)
    state = act(event, "timer", number=number, minutes=minutes, at=moment_text(now()))
    return state.rounds[number - 1]


def round_end(shown: Round | None) -> datetime | None:
    """Returns the moment when the time of a round is over; None if there is no round, or its clock does not run."""
    if shown is None or shown.timer is None:
        return None
    begin, minutes = shown.timer
    return datetime.fromisoformat(begin) + timedelta(minutes=minutes)


class LogLine(NamedTuple):
    """A change in the log, in words. `is_undone` means that it was taken back, `may_undo` that it may be taken back."""

    act: Act
    by: str
    words: str
    is_undone: bool
    may_undo: bool


def log_of(event: OpenEvent) -> list[LogLine]:
    """Returns the log of a tournament in words, the latest change first."""
    acts = event.store.acts(event)
    names = {str(player.id): player.name for player in event.store.players(event)}
    gone, may_undo, words = undone(acts), _to_take_back(acts), {each.id: _words(each, names) for each in acts}
    lines = []
    for each in reversed(acts):
        text = f"Taken back: {words[each.details['act']]}" if each.what == "undo" else words[each.id]
        by = "the desk" if each.by == DESK else names.get(each.by, "a player")
        lines.append(LogLine(each, by, text, each.id in gone, each.id in may_undo))
    return lines


_WORDS = {
    "enter": "{name} is checked in", "drop": "{name} drops out", "rejoin": "{name} is back",
    "pair": "Round {number} is paired", "cut": "Cut to the best {size} players", "undo": "Take back",
    "result": "Round {number}, table {table}: {first}-{second}",
    "claim": "Round {number}, table {table}: {name} says {first}-{second}",
    "timer": "The clock of round {number}: {minutes} minutes", "recheck": "All decks checked again for {day}",
}  # fmt: skip


def _words(act: Act, names: Mapping[str, str]) -> str:
    name = names.get(str(act.details.get("player")), "A player who was removed")
    if act.what == "bye":
        return f"{name} {'gets a bye' if act.details['given'] else 'gets no bye'} in the next round"
    if act.what == "table":
        return f"{name} sits at table {act.details['table']}" if act.details["table"] else f"{name} sits at any table"
    return _WORDS[act.what].format(name=name, size=len(act.details.get("seeds", ())), **act.details)


def pairings_json(tournament: Tournament) -> dict[str, Any]:
    """Returns the pairings of the present round as JSON has them."""
    shown, names = tournament.present, {player: each.name for player, each in tournament.entrants.items()}
    return {
        "schema": "carddb.pairings/1", "round": shown.number if shown else 0,
        "pairings": [
            {
                "table": match.table, "players": [names[player] for player in match.players], "why": match.why,
                "result": str(match.result) if match.result else None, "disputed": match.is_disputed,
            }
            for match in (shown.matches if shown else ())
        ],
    }  # fmt: skip


def standings_json(event: Event, tournament: Tournament) -> dict[str, Any]:
    """Returns the standings as JSON has them; the handbook describes the keys."""
    gifts, facts = prizes(event.rounds.prizes), event_json(event)
    head = {name: facts[name] for name in ("key", "name", "game", "format", "day")}
    return {
        "schema": "carddb.standings/1", "event": head, "rounds": len(tournament.rounds),
        "over": bool(tournament.present and tournament.present.is_over),
        "cut": len(tournament.cut.seeds) if tournament.cut else None,
        "standings": [
            {
                "rank": row.place, "player": row.entrant.name, "points": row.record.points,
                "played": row.record.rounds, "active": row.entrant.is_active,
                "tie_breaks": {n: {"value": float(f.value), "sum": f.sum} for n, f in row.figures.items()},
                "prize": gifts.get(row.place, ""),
            }
            for row in Standings(tournament).rows
        ],
    }  # fmt: skip


def standings_table(event: Event, tournament: Tournament) -> tuple[list[str], list[list[str]]]:
    """Returns the standings as a table: the headings of the columns, and the rows of texts."""
    gifts, standings = prizes(event.rounds.prizes), Standings(tournament)
    breaks = [name for name in standings.tiebreaks if name != "random"]
    heads = ["place", "player", "points", *(TIEBREAKS[name].lower() for name in breaks), *(["prize"] if gifts else [])]
    rows = []
    for row in standings.rows:
        name = row.entrant.name if row.entrant.is_active else f"{row.entrant.name} (dropped)"
        cells = [str(row.place), name, str(row.record.points), *(str(row.figures[each]) for each in breaks)]
        rows.append([*cells, *([gifts.get(row.place, "")] if gifts else [])])
    return heads, rows


def standings_file(event: OpenEvent, tournament: Tournament, kind: str, paper: str = "a4") -> bytes:
    """Returns the standings as a file. Raises UsageError if `kind` is not `.pdf`, `.csv` or `.json`."""
    if kind == ".pdf":
        return print_round(event, tournament, ["standings"], paper).data
    if kind == ".json":
        return json_bytes(standings_json(event, tournament))
    check_kind("standings are", kind, (".pdf", ".csv", ".json"))
    heads, rows = standings_table(event, tournament)
    return csv_table(tuple(heads), (tuple(row) for row in rows))


def field(event: OpenEvent) -> Meta:
    """Returns the statistics of the decks of an event: archetypes, cards, pairs. Raises InputError without decks."""
    texts = [f"{entry.text}\n" for entry in event.store.entries(event).values()]
    if not texts:
        raise InputError("there is no deck list yet", "Wait until a player submits one.")
    return meta(event.project, texts, request_of(event.terms))


PAPERS = {
    "list": "The pairings by name, to post", "slips": "Slips to sign", "cards": "Table numbers",
    "standings": "The standings",
}  # fmt: skip
"""The kinds of papers that can be printed for a round, with their labels."""


def print_round(event: OpenEvent, tournament: Tournament, kinds: Sequence[str], paper: str = "a4") -> PrintedFile:
    """Returns one PDF with the papers `kinds` (keys of `PAPERS`) for the present round.

    Raises UsageError for an unknown kind, InputError if no round is paired.
    """
    from carddb.press.documents.round_papers import Papers  # typesetting, which nothing else here needs

    if unknown := [kind for kind in kinds if kind not in PAPERS]:
        raise UsageError(f"nothing called {unknown[0]!r} is printed for rounds", did_you_mean(unknown[0], PAPERS))
    present = tournament.present
    if present is None:
        raise InputError("no round has been paired yet", "Pair the first round.")
    papers = Papers(event.project.game(event.terms.game), event.name, paper)
    names = {player: each.name for player, each in tournament.entrants.items()}
    matches = [match for match in present.matches if match.second is not None]
    subtitle = f"Round {present.number}"
    for kind in kinds:
        if kind == "list":
            rows = [
                (names[p], str(m.table) if m.second is not None else "bye", names.get(m.other(p) or 0, ""))
                for m in present.matches
                for p in m.players
            ]
            papers.pairings(subtitle, sorted(rows, key=lambda row: strip_accents(row[0])))
        elif kind == "slips":
            sides = tournament.rules.sides or ("", "")
            papers.slips(
                subtitle, [(m.table, [*zip([names[p] for p in m.players], sides, strict=True)]) for m in matches]
            )
        elif kind == "cards":
            papers.cards([match.table for match in matches])
        else:
            papers.standings(f"After round {present.number}", *standings_table(event, tournament))
    data = papers.pdf(creation(event.terms.day))
    summary = f"{subtitle}: {amount(len(papers.faces), 'page')}"
    return PrintedFile(data, len(papers.faces), len(papers.faces), 0, tuple(papers.findings), summary=summary)


def change_rounds(event: OpenEvent, **changes: Any) -> OpenEvent:
    """Changes an event's `RoundTerms`, and returns the event. Raises UsageError if the results so far exclude them."""
    terms = replace(event.rounds, **changes)
    new = replace(event, rounds=terms)
    with event.store.step():
        if terms.system != event.rounds.system and tournament_of(event).rounds:
            problem = f"the event is paired by {event.rounds.system}, which cannot change after the first round"
            raise UsageError(problem, f"Make a new event that is paired by {terms.system}.")
        _replayed(new, event.store.acts(event))
        event.store.change(event, rounds=terms)
    return new
