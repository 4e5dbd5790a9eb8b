"""A solo table as a page shows it: both displays, what each card may be played as or why not, and what is to do."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple, get_args

from carddb.cards.cards import Card, Pool
from carddb.games.cdg_solo.play.phase import hand_range
from carddb.games.cdg_solo.play.refusals import Use
from carddb.games.cdg_solo.session import Session, public_view
from carddb.play.table.front import WhyNot

_LABELS = {"event": "Event", "other": "Other", "discard": "Discard", "fo_hold": "Hold"}
_KEYS = {"event": "{}", "ops": "shift+{}"}
"""The keys that play the card of a place, by mode."""
_SENTENCES = {
    "setup": "Begin the first phase.",
    "round_ready": "{side} rolls.",
    "choose_die": "{side} picks one of the dice.",
    "choose_home": "{side} plays a Home card, or none.",
    "choose_flip": "{side} turns up a card that lies face down.",
    "resolving": "{side} carries out the play; then the round ends.",
    "phase_over": "The phase is over.",
    "end_phase": "Discard, or begin the next phase.",
}
DIRECT = frozenset(
    {"roll", "pick", "play", "choose_flip", "next_round", "start_phase", "end_phase", "no_home", "home", "alternative"}
    | {"set_flag", "go_first", "c_unplayable", "order_count"}
)
"""The actions that the board has buttons for; all others that serve have a form of their own."""


class PlayButton(NamedTuple):
    """A way to play a card: the mode, what the button says, the key that presses it."""

    mode: str
    label: str
    key: str


class BoardCard(NamedTuple):
    """A card that lies up; `reason` says why it is not played where others are."""

    id: str
    title: str
    figures: str
    remarks: Sequence[str]
    place: str
    plays: Sequence[PlayButton] = ()
    reason: str = ""
    aside: str = ""
    """A remark beside the letter of the place."""
    condition: bool | None = None
    """Whether its conditions are declared met; None where it has none, or where that matters to nobody now."""


class BoardPlace(NamedTuple):
    """A space of a display: its letter and its cards, None for one that lies face down."""

    letter: str
    cards: Sequence[BoardCard | None]
    turns_up: Sequence[str]
    """The places of down cards that may be turned up now."""


class BoardSide(NamedTuple):
    """A side: its display and what lies beside it."""

    key: str
    name: str
    number: int
    is_active: bool
    chits: Mapping[str, int] | None
    hand: int
    places: Sequence[BoardPlace]
    pile: int | None
    beside: Sequence[tuple[str, str]]


class SoloBoard:
    """What the page of a solo table shows."""

    direct = DIRECT

    def __init__(self, session: Session, _seat: str | None, why_not: WhyNot) -> None:
        self.session = session
        self.why_not = why_not
        self.view: dict[str, Any] = public_view(self.session)

    @property
    def sides(self) -> list[BoardSide]:
        """The sides in the order of the module."""
        return [_side(self, key, number) for number, key in enumerate(self.view["sides"], 1)]

    @property
    def step(self) -> str:
        return self.session.step

    @property
    def active_name(self) -> str:
        active = self.view["active"]
        return str(self.view["sides"][active]["name"]) if active else ""

    @property
    def sentence(self) -> str:
        """What is to do, in one sentence."""
        if self.step in ("choosing", "forced"):
            return self._choice()
        return _SENTENCES[self.step].format(side=self.active_name)

    def _choice(self) -> str:
        if self.view["may"].get("needs"):
            return "Say how many units each Section card would order."
        places = [card.place for _, card in self.cards() if card.plays]
        if not places:
            return f"{self.active_name} has no card of the display to play."
        choices = places[0] if len(places) == 1 else f"{', '.join(places[:-1])} or {places[-1]}"
        must = "must play" if self.step == "forced" or self.view["may"].get("forced") else "plays"
        return f"{self.active_name} {must} {choices}."

    def cards(self) -> Iterator[tuple[str, BoardCard]]:
        """The up cards of the active side with its key."""
        for side in self.sides:
            if side.is_active:
                yield from ((side.key, card) for place in side.places for card in place.cards if card)

    @property
    def hands(self) -> list[tuple[str, str, int]]:
        """The sides with their names and the hands of the phase that begins, as far as the module knows them."""
        defaults = self.session.module.hand.default
        return [(key, side["name"], side["hand"] or defaults.get(key) or 0) for key, side in self.view["sides"].items()]

    @property
    def hand_bounds(self) -> tuple[int, int]:
        return hand_range(self.session.module)

    def pictures(self, pool: Pool) -> dict[str, Card]:
        """The cards of the catalogue that lie up, by their ids at the table."""
        up = {
            card["id"]
            for side in self.view["sides"].values()
            for lying in side["display"].values()
            for card in lying
            if isinstance(card, dict)
        }
        by_number = {(card.get("number"), card.get("title") or card.name, card.get("ops")): card for card in pool}
        by_title = {key[1:]: card for key, card in by_number.items()}
        texts = {id_: self.session.table.cards[id_] for id_ in up}
        pictures = {
            id_: by_number.get((text.number, text.title, text.ops)) or by_title.get((text.title, text.ops))
            for id_, text in texts.items()
        }
        return {id_: card for id_, card in pictures.items() if card is not None}


def _side(board: SoloBoard, key: str, number: int) -> BoardSide:
    side = board.view["sides"][key]
    is_active = key == board.view["active"]
    places = [_place(board, key, letter, lying, is_active) for letter, lying in side["display"].items()]
    return BoardSide(
        key, side["name"], number, is_active, side["chits"], side["hand"], places, side["pile"], list(_beside(side))
    )


def _beside(side: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    if side["discard"]:
        yield f"{len(side['discard'])} discarded", f"last {side['discard'][-1]['title'] or side['discard'][-1]['id']}"
    if side["removed"]:
        yield "out of the game", _titles(side["removed"])
    for name, cards in side["beside"].items():
        if cards:
            yield name.replace("_", " "), _titles(cards)
    if side["pass_barred"]:
        yield "may not pass", ""


def _titles(cards: Sequence[Mapping[str, Any]]) -> str:
    return ", ".join(f"{card['id']} {card['title']}".strip() for card in cards)


def _place(board: SoloBoard, side: str, letter: str, lying: Sequence[Any], is_active: bool) -> BoardPlace:
    names = [letter if number == 0 else f"{letter}{number + 1}" for number in range(len(lying))]
    turns = [
        name for name, card in zip(names, lying, strict=True)
        if board.step == "choose_flip" and is_active and not isinstance(card, dict)
    ]  # fmt: skip
    if board.step == "choose_flip" and is_active and not lying and letter == "C" and board.view["pile"]:
        turns = ["C"]
    cards = [
        _card(board, side, card, name, is_active) if isinstance(card, dict) else None
        for name, card in zip(names, lying, strict=True)
    ]
    return BoardPlace(letter, cards, turns)


def _card(board: SoloBoard, side: str, card: Mapping[str, Any], place: str, is_active: bool) -> BoardCard:
    remarks = [*([f"If: {card.get('conditions') or 'its conditions'}"] if card.get("conditional") else [])]
    remarks += [card["note"]] if card.get("note") else []
    figures = f"{card['ops']} ops" if card["ops"] is not None else "no ops"
    kinds = ", ".join(kind.replace("_", " ") for kind in card["kinds"] if kind != "ops")
    shown = BoardCard(card["id"], card["title"], f"{figures}{', ' if kinds else ''}{kinds}", remarks, place)
    if not is_active:
        return shown
    if card.get("conditional"):
        shown = shown._replace(condition=card["id"] in board.view["sides"][side]["conditions_met"])
    return _playable(board, shown, card) if board.step in ("choosing", "forced") else shown


def _playable(board: SoloBoard, shown: BoardCard, card: Mapping[str, Any]) -> BoardCard:
    """The card with the modes in which it may be played now, or why it may not."""
    modes = get_args(get_args(Use)[0])
    reasons = {mode: board.why_not("play", card=shown.id, mode=mode) for mode in modes}
    plays = [_button(mode, card, shown.place) for mode, reason in reasons.items() if reason is None]
    if plays:
        no_event = "event" in card["kinds"] and reasons.get("event")
        aside = "condition not met" if no_event and shown.condition is False else ""
        return shown._replace(plays=plays, aside=aside)
    return shown._replace(reason=reasons["ops" if card["ops"] is not None else "event"] or "")


def _button(mode: str, card: Mapping[str, Any], place: str) -> PlayButton:
    label = f"{card['ops']} ops" if mode == "ops" else _LABELS[mode]
    key = _KEYS.get(mode, "").format(place.lower()) if len(place) == 1 else ""
    return PlayButton(mode, label, key)
