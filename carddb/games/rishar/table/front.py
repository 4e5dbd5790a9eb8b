"""The description of a Battle's table: how it begins, its verbs and seats, its parts on a terminal and on pages."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any

from carddb.cards.cards import Card, Deck, Pool
from carddb.core.errors import InputError, UsageError
from carddb.core.groups import totals
from carddb.core.names import fold, slug
from carddb.core.options import as_typed
from carddb.game.frozen import as_plain
from carddb.game.game import GameSpec
from carddb.games.rishar.battle.engagement import ArmyState
from carddb.games.rishar.battle.record import Host as ArmyHost
from carddb.games.rishar.battle.state import engage
from carddb.games.rishar.play.armies import Commander
from carddb.games.rishar.play.cards import specials
from carddb.games.rishar.play.fields import ARMIES, Army
from carddb.games.rishar.table import game
from carddb.games.rishar.table.session import BattleSession
from carddb.games.text_screen import text_screen
from carddb.play.question import Refusal, read, refuse
from carddb.play.table.front import (
    READINGS,
    WIDTH,
    Board,
    Button,
    Front,
    Host,
    Parameter,
    SeenCard,
    Sheets,
    Shown,
    Verb,
)

_PARAMETERS = {"choose": "power", "become": "role", "save": "pay"}
"""The actions that take one of the words offered at their step, each with its parameter."""


class BattleBoard(Board[BattleSession]):
    """A seat's page of a Battle; without a seat, a watcher sees what everybody may see."""

    direct = frozenset(
        {"name", "play", "pass", "unable", "roll", "decline", "next", "back", "rescue", "choose", "become", "save"}
        | {"look", "disable", "begin"}
    )
    dice_words = staticmethod(game.dice_words)
    forecast_words = staticmethod(game.forecast_words)

    @property
    def own(self) -> Army | None:
        """The army of the seat; None for a watcher."""
        return None if self.seat is None else "a" if self.seat == "a" else "b"

    @property
    def is_asked(self) -> bool:
        """True if this seat has to decide at this step."""
        return self.own is not None and self.own in self.session.deciders[:1]

    @property
    def sentence(self) -> str:
        """The sentence that says what is to be done."""
        if self.session.step == "over":
            return self.session.log[-1].told.split(". ")[-1] if self.session.log else "The Battle is over."
        decider = self.view["decider"]
        who = self.view["armies"][decider]["name"] if decider else "Somebody"
        return str(self.session.words["sentence"]).format(who=who)

    @property
    def armies(self) -> list[str]:
        """The keys of both armies, the seat's own last, because it is shown nearest to the player."""
        return sorted(self.view["armies"], key=lambda army: army == (self.own or "a"))

    @property
    def deciding(self) -> str | None:
        """The army that decides at this step; None when the Battle is over."""
        decider: str | None = self.view["decider"]
        return None if self.session.step == "over" else decider

    def pile_button(self, army: str, pile: str, name: str) -> Button | None:
        """Returns the button of the card called `name` in a pile of the seat's own army; None if it cannot be used."""
        fields, words = {"card": name.replace(" #", "#")}, self.session.words
        usable = self.is_asked and army == self.own and pile in words.get("piles", ())
        if not usable or self.why_not(words["action"], **fields) is not None:
            return None
        return Button(words["label"], words["action"], fields)

    @cached_property
    def hand(self) -> list[SeenCard]:
        """The seat's own hand; empty for a watcher, and before the armies have been set up."""
        if self.own is None or self.session.battle is None:
            return []
        return [self._hand_card(card) for card in game.hand(self.session, self.own)]

    @staticmethod
    def figures(card: Mapping[str, Any]) -> str:
        """Returns the Strength, Role, Path and traits of a card in hand, in words."""
        strength = "" if card["strength"] is None else f"Strength {card['strength'] + card['trained']}"
        return ", ".join(filter(None, [strength, card["role"], (card["path"] or "").capitalize(), *card["traits"]]))

    def texts(self, card: Mapping[str, Any]) -> list[str]:
        """Returns the special texts of a card in the seat's own hand."""
        return game.named_texts(self.session.army(self.own or "a").cards[card["key"]])

    def _hand_card(self, card: Mapping[str, Any]) -> SeenCard:
        words = self.session.words
        action = words["action"] if "hand" in words.get("piles", ()) else ""
        if not action or (action != "discard" and not self.is_asked):
            return SeenCard(card)
        army = {"army": self.own} if action == "discard" else {}
        reason = self.why_not(action, card=card["key"], **army)
        if reason is not None:
            return SeenCard(card, reason=reason)
        return SeenCard(card, [Button(words["label"], action, {"card": card["key"]})])

    @property
    def buttons(self) -> Iterator[Button]:
        """The buttons at this step that do not use a card in hand."""
        usual = self.view["enter"]
        if self.rolls:
            yield Button("Roll", "roll", key="r", is_main=True)
        if not self.is_asked:
            return
        if self.session.step in ("dice", "reactions"):
            yield Button("Decline", "decline", key="n", is_main=usual == "decline")
        if self.session.step in ("offense", "defense"):
            if self.why_not("unable") is None:
                yield Button("No card can be played", "unable", is_main=True)
            if self.why_not("pass") is None:
                yield Button("Pass", "pass", key="p")
        if (action := self.session.words.get("action", "")) in _PARAMETERS:
            yield from (
                Button(word.replace("_", " ").capitalize(), action, {_PARAMETERS[action]: word})
                for word in self.view["choices"]
            )
        if self.session.step == "mending":
            other: Army = "b" if self.own == "a" else "a"
            for key in self.session.shown:
                yield Button(f"Disable {self.session.card(other, key)}", "disable", {"card": key})
        if self.session.step == "first":
            for army, view in self.view["armies"].items():
                label = "I begin" if army == self.own else f"{view['name']} begins"
                yield Button(label, "begin", {"army": army}, is_main=army == self.own)
        if self.session.step == "mender":
            yield Button("Look at two cards", "look", is_main=True)
        if self.why_not("next") is None:
            yield Button("Go on without it", "next", key="n", is_main=usual == "next")

    @property
    def rolls(self) -> bool:
        """True if dice are rolled at this step, so that a player, but not a watcher, may type them."""
        return self.view["enter"] == "roll" and self.own is not None

    @cached_property
    def prospects(self) -> list[tuple[str, float]]:
        """The possible results of the dice, each with its chance in percent."""
        return [(bar["label"], float(Fraction(bar["chance"]) * 100)) for bar in game.prospects(self.session)]

    def pictures(self, pool: Pool) -> dict[str, Card]:
        """Returns the catalogue's cards that the seat sees: in its hand by key, face up on the table by side."""
        seen: dict[str, Card] = {}
        if self.own is not None and self.session.battle is not None:
            state = self.session.army(self.own)
            seen |= {key: state.cards[key] for key in state.lying("hand")}
        for side, shown in self.view["table"].items():
            if isinstance(shown, dict) and "army" in shown:
                table = self.session.fought.engaged
                seen[side] = table.states[side].cards[table.cards[side]]
        pictures: dict[str, Card] = {}
        for key, card in seen.items():
            namesakes = [other for other in pool.named(card.name) if other.type == card.type]
            alike = [other for other in namesakes if other.get("strength") == card.get("strength")]
            if matching := alike or namesakes:
                pictures[key] = matching[0]
        return pictures


ALIASES = {"p": "play", "d": "discard", "h": "heal", "r": "roll", "n": "next"}

_WORD_BY_WORD = ("roll", "look", "text", "status", "log", "undo", "hand", "?", "help")
"""The commands whose words are not joined to names."""

_USAGES = {
    "play": ["CARD alone does the same; `2 spear` is the second copy"],
    "discard": [
        "CARD alone does the same; CARD for TARGET where its text moves a card",
        "to off|def: which unit gets the Strength; add N: how much, if not as printed",
        "morale N, enemy N: Morale by its text; move CARD pile PILE of a|b: by its text",
        "by a|b: who discards; die N: a Battlemage's die",
    ],
    "use": ["off or def, or the CARD that an Etherealist brings; die N: an Illusionist's die"],
    "heal": ["HEALER for CARD; as ROLE: a Shapeshifter makes it a Healer; die N: a Battlemage's die"],
    "roll": ["4 2 3 alone does the same: first the dice of Offense"],
    "save": ["favor, influence or morale; without it the first that there is"],
    "rescue": ["CARD with favor|influence"],
}
"""Further ways to type actions, beside their usage lines."""


def line_words(session: BattleSession, words: list[str]) -> list[str]:
    """Returns the command that a typed line means at this step: dice, or a card for the step's action.

    The words of a name are joined. `discard field surgeons for 2 pike` has two names, separated by `for`; `to`, `add`
    and so on precede their values. `of` is part of a name, as in `wall of fire`, until a pile has been named.
    """
    first = words[0].lower()
    if all(word.isdecimal() for word in words) and session.words.get("enter") == "roll":
        return ["roll", *words]
    is_verb = ALIASES.get(first, first).replace("-", "_") in game.TABLE.actions or first in (*_WORD_BY_WORD, "quit")
    if not is_verb and (action := session.words.get("action")):
        first, words = action, [action, *words]
    action = ALIASES.get(first, first)
    if action in _WORD_BY_WORD:
        return [action, *words[1:]]
    return [action, *_arguments(action, words[1:], session.spec.data["table"]["marks"].get(action, {}))]


def _arguments(action: str, words: list[str], marks: Mapping[str, str]) -> list[str]:
    names: list[list[str]] = [[]]
    options: list[tuple[str, list[str]]] = []
    for word in words:
        of_a_name = word == "of" and "--pile" not in dict(options)
        if word in marks and not of_a_name:
            options.append((marks[word], []))
        elif word == "for":
            names.append([])
        elif options:
            options[-1][1].append(word)
        else:
            names[-1].append(word)
    if action == "heal" and len(names) == 1:
        # `flask 2 barrow` is the Healer (a word, or a number and a word) followed by the card that comes back.
        words = names[0]
        cut = 2 if words and words[0].isdecimal() else 1
        names = [words[:cut], words[cut:]]
    joined = [" ".join(name) for name in names if name]
    return joined + [part for option, value in options for part in (option, " ".join(value))]


def with_armies(session: BattleSession, words: dict[str, Any]) -> dict[str, Any]:
    """Returns the typed options with armies as `a` and `b`, found by the beginning of a Commander's name."""
    out = dict(words)
    for name in ("army", "of"):
        if isinstance(word := out.get(name), str):
            armies = [army for army, label in session.table.names.items() if fold(label).startswith(fold(word))]
            out[name] = word if word in session.table.names or len(armies) != 1 else armies[0]
    return out


screen = text_screen(
    Path(__file__).with_name("screen.txt"), dice_words=game.dice_words, forecast_words=game.forecast_words
)


def begin(
    host: Host,
    seed: int,
    decks: tuple[str | Path, str | Path],
    first: Army | None = None,
    after: Path | None = None,
    new_day: bool = False,
    refresh: bool = False,
    options: Mapping[str, Any] | None = None,
) -> BattleSession:
    """Returns a new Battle between the armies of two decks. If `first` is None, the first turn is drawn at random.

    `after` is the save of an earlier Battle, whose Morale and losses carry over; `new_day` means that it was on another
    Day, `refresh` that a Commander's own Morale is back at its start (R-45). Raises InputError, with the findings, for
    an army that is not legal, or if the earlier Battle forbids this one; UsageError if `first` is not an army.
    """
    if first is not None and first not in ARMIES:
        raise UsageError(f"there is no army {first!r}", "Write a or b, or leave --first out for a random choice.")
    house = options or {}
    a, b = (_army(host, deck, house) for deck in decks)
    names: dict[Army, str] = {"a": a[0], "b": b[0] if b[0] != a[0] else f"{b[0]} (b)"}
    hosts: dict[Army, ArmyHost] = {"a": a[1], "b": b[1]}
    if after is not None:
        try:
            hosts = carried(host.saved(after), hosts, new_day=new_day, refresh=refresh)
        except Refusal as refusal:
            fix = "Finish that Battle first; if it was on another Day, add --new-day."
            raise InputError(f"no Battle after {after}: {host.reason(refusal)}", fix) from None
    spec = host.spec
    changed = {
        name: value
        for name, value in spec.option_values(as_typed({**host.house_readings, **house})).items()
        if value != spec.options[name].default
    }
    try:
        return game.new(spec, hosts, names, seed, first, changed)
    except Refusal as refusal:
        codes = refusal.details.get("errors") or [refusal.details.get("path", "")]
        raise InputError(host.reason(refusal), f"Correct what these say: {', '.join(map(str, codes))}.") from None


def _army(host: Host, deck: str | Path, options: Mapping[str, Any]) -> tuple[str, ArmyHost]:
    """Returns the name of a deck's army, and the army. Raises InputError, with the findings, if it is not legal."""
    legal, verdict, findings = host.checked_deck(deck, options)
    if verdict != "legal":
        name = str(deck) if isinstance(deck, Path) else legal.name or "the deck"
        raise InputError(f"the army of {name} is not legal", "Correct what is listed above.", findings)
    return army_of_deck(legal, host.spec)


def army_of_deck(deck: Deck, spec: GameSpec) -> tuple[str, ArmyHost]:
    """Returns the name of the army, and the army. Raises BadInput for a header that a check would refuse.

    A card's id is its name in lower case, or its reference if another card of the deck has the same name.
    """
    by_ref = {entry.card.ref: entry.card for entry in deck.entries if entry.card}
    counts = totals((entry.card.ref, entry.count) for entry in deck.entries if entry.card)
    names = [slug(card.name) for card in by_ref.values()]
    cards = [
        _card(card, spec, slug(ref if names.count(slug(card.name)) > 1 else card.name)) | {"count": counts[ref]}
        for ref, card in by_ref.items()
    ]
    header = {key: value for key, value in deck.headers.items() if key in spec.header.values()}
    commander = read(Commander, header, "commander", spec=spec)
    return commander.name or deck.name or deck.file, ArmyHost(commander=commander, cards=tuple(cards))


def _card(card: Card, spec: GameSpec, id_: str) -> dict[str, Any]:
    values: dict[str, Any] = {name: as_plain(card.get(name)) for name in spec.fields if card.get(name) is not None}
    if "special" in values:
        values["special"] = [dict(text) for text in specials(card)]
    return {"id": id_, "name": card.name, "role": card.type, "strength": card.get("strength"), **values}


def carried(
    before: BattleSession, hosts: Mapping[Army, ArmyHost], new_day: bool = False, refresh: bool = False
) -> dict[Army, ArmyHost]:
    """Returns the armies with what an earlier Battle left of them; armies are matched by their Commander's name.

    Morale carries over (R-45) unless `refresh` restores it; on a new Day, the Base's pool and the uses of the Day are
    restored (R-83, R-134). Killed cards are gone (R-115). Refuses with `battle_not_over`, or `routed_today` (R-91).
    """
    refuse(battle_not_over=before.step != "over")
    after = dict(hosts)
    for army in ARMIES:
        for old in ARMIES:
            if hosts[army].commander.name == before.hosts[old].commander.name:
                state = before.army(old)
                engage(same_armies=False, routed_today=state.routed and not new_day, spec=before.spec)
                after[army] = _left(hosts[army], state, new_day, refresh)
    return after


def _left(host: ArmyHost, state: ArmyState, new_day: bool, refresh: bool) -> ArmyHost:
    commander = host.commander.model_copy(update={"favors": state.favors, "influence": state.influence})
    gone = [key.partition("#")[0] for key in state.lying("killed")]
    own = None if refresh or (new_day and state.own == 0) else state.own
    return host.model_copy(
        update={
            "commander": commander,
            "cards": tuple(
                {**item, "count": left}
                for item in host.cards
                if (left := int(item.get("count") or 1) - gone.count(item["id"])) > 0
            ),
            "own": own,
            "base": None if new_day else state.base,
            "used_day": 0 if new_day else state.used_day,
        }
    )


_OF_ARMY = ("discard", "use", "heal", "pray")
"""The actions that name the army that acts in `army`; all other actions are for the army that decides at the step."""
_ANYBODY = ("roll", "text")
"""The actions that either Commander may do on behalf of both."""
_LEAST_TEXT = 12
"""The number of letters of each card's text that the hand shows at least."""


def _seated(session: BattleSession, seat: str, action: str, fields: Mapping[str, Any]) -> dict[str, Any]:
    if action in _OF_ARMY:
        return {**fields, "army": seat}
    decider = session.deciders[:1]
    refuse(not_your_turn=bool(decider) and action not in _ANYBODY and seat not in decider)
    return dict(fields)


def _hand(host: Host, army: str) -> Shown:
    """Returns the hand of an army as rows that fit the width of the screen. Raises UsageError for an unknown army."""
    session = host.load()
    key = with_armies(session, {"army": army})["army"]
    if key not in session.table.names:
        raise UsageError(f"there is no army {army!r}", "Write a or b.")
    cards = game.hand(session, key)
    rows = [
        (
            card["name"],
            "-" if card["strength"] is None else str(card["strength"] + card["trained"]),
            card["role"],
            card["path"].capitalize(),
            ", ".join(card["traits"]).capitalize(),
        )
        for card in cards
    ]
    head = ("card", "S", "role", "path", "traits")
    room = max(_LEAST_TEXT, WIDTH - sum(max(map(len, column)) + 2 for column in zip(head, *rows, strict=True)))
    texts = [" ".join(card["texts"]).replace("\n", " / ") for card in cards]
    cut = [text if len(text) <= room else text[: room - 1] + "…" for text in texts]
    return Shown(head=(*head, "text"), rows=[(*row, text) for row, text in zip(rows, cut, strict=True)], private=True)


FRONT: Front[BattleSession] = Front(
    verb="battle",
    label="Battle",
    help="""Fight a Battle of Rishar at the table, with armies from deck files.

    `carddb battle A.deck B.deck` begins it and sits down at the table: type cards as `soldier` or `2 spear`, Enter for
    the usual thing, `?` for what may be done. `carddb battle table` goes on with it, `carddb battle report` writes the
    campaign sheets. The file holds the hands of both, so do not look into it.
    """,
    file_help="The file of the Battle.",
    taken=(
        "there is a Battle in {path} already",
        "Go on: carddb battle --session {path} table. Or name another file with --session, or overwrite with --force.",
    ),
    hint="Begin a Battle: carddb battle A.deck B.deck.",
    table=lambda: game.TABLE,
    begin=Verb(
        "new",
        "Begin a Battle between the armies of two decks, and sit down at the table.",
        begin,
        (
            Parameter("decks", kind="deck", metavar="A.deck B.deck", count=2, required=True),
            Parameter("--session", "The session file of the Battle (default: battle.json).", "file"),
            Parameter("--seed", "The seed of dice and draws (default: random).", "whole"),
            Parameter("--first", "The army that has the first turn (default: random, R-41).", choices=ARMIES),
            Parameter("--after", "An earlier Battle, whose Morale and losses are carried over.", "save", "FILE"),
            Parameter("--new-day", "The earlier Battle was on another Day.", "flag"),
            Parameter("--refresh", "Set each army's own Morale back to its start (R-45).", "flag"),
            Parameter("--open", "Also show what is typed for Offense and Defense.", "flag"),
            Parameter("--force", "Overwrite an existing Battle.", "flag"),
            READINGS,
        ),
    ),
    begun=lambda session: f"{session.name('a')} against {session.name('b')}. {session.message}".strip(),
    seats=lambda session: session.table.names,
    seated=_seated,
    board=BattleBoard,
    screen=screen,
    line=line_words,
    fields=with_armies,
    aliases=ALIASES,
    usages=lambda action, _: _USAGES.get(action.name, ()),
    unseen=lambda session: session.step in ("offense", "defense"),  # a card is laid face down
    width=WIDTH,
    by_decks="A.deck B.deck",
    verbs=(
        Verb(
            "hand",
            "Show the hand of one army to its Commander; on a terminal, Enter hides it again.",
            _hand,
            (Parameter("army", metavar="a|b", required=True),),
        ),
        Verb(
            "record",
            "Print the Battle as a question for `carddb judge rishar.replay`, which replays it.",
            lambda host: Shown(json=game.record(host.load())),
        ),
    ),
    always=("hand",),
    sheets=Sheets(
        "campaign",
        """Write the campaign sheet of each Commander: Battles, Upkeep due, the Killed, what is left.

        Without files, the running session is used; several files are the Battles of one Day, in order.
        """,
        "campaign-sheet",
        game.COLUMNS,
        game.filled_sheets,
    ),
)
