"""The solo session as a game at a table: its start, its saves with hidden cards, its public view, its page (SD-13)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, get_args

from carddb.cards.cards import Card, Pool
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.module import Game, module_of
from carddb.games.cdg_solo.play.cards import CardText, exceptions_for, printed_number
from carddb.games.cdg_solo.play.display import LIMIT, SPACES, Common, DisplayText
from carddb.games.cdg_solo.play.hooks import HOOKS
from carddb.games.cdg_solo.play.phase import hand_range
from carddb.games.cdg_solo.play.plays import Use, choices
from carddb.games.cdg_solo.print.tweak_sheet import sentence
from carddb.games.cdg_solo.table import actions
from carddb.games.cdg_solo.table.actions import fighting, may_exchange, opening, place_of, situation, usage
from carddb.games.cdg_solo.table.session import Laid, Play, SessionState, Side, SoloSession
from carddb.games.text_screen import text_screen
from carddb.play.question import BadInput, Refusal, read
from carddb.play.table.engine import Action, TableGame, actions_of
from carddb.play.table.front import WIDTH as COLUMNS
from carddb.play.table.front import Board, Button, SeenCard
from carddb.play.table.session import Rng


def new(spec: GameSpec, game: Game, cards: Iterable[Mapping[str, Any]], seed: int) -> SoloSession:
    """Returns a session before its first phase, from the cards of the user's decks.

    A card has the fields of SD-2; its id is its printed number (`CP#1`, `#14`). Refuses with `deck_empty`,
    `card_number_missing`, `card_number_duplicate`. Raises BadInput for an unknown module or deck.
    """
    module = module_of(spec, game)
    texts: dict[str, CardText] = {}
    decks: dict[str, list[str]] = {deck: [] for deck in module.decks}
    for card in cards:
        text = read(CardText, card, "cards")
        deck = text.deck or (module.decks[0] if len(module.decks) == 1 else text.side)
        if deck not in decks:
            raise BadInput("cards.deck")
        if text.number is None:
            raise Refusal("card_number_missing", card=text.title)
        id_ = printed_number(deck, text.number)
        if id_ in texts:
            raise Refusal("card_number_duplicate", card=id_)
        texts[id_] = text
        decks[deck].append(id_)
    for deck, listed in decks.items():
        if not listed:
            raise Refusal("deck_empty", deck=deck)
    table = SessionState(module=game, rng=Rng(seed=seed), cards=texts, decks={k: tuple(v) for k, v in decks.items()})
    return initial(SoloSession.of(spec, module, table))


def initial(session: SoloSession) -> SoloSession:
    """Returns the session before its first action, with only the module, the seed and the decks."""
    module, table = session.module, session.table
    common = Common() if module.layout != "pile_in_c" else None
    empty = DisplayText(A=(), B=(), C=(), D=(), E=(), pile=None if common else ())
    start = SessionState(
        module=table.module,
        rng=Rng(seed=table.rng.seed),
        sides={side: Side(display=empty) for side in module.side_ids},
        common=common,
        cards=table.cards,
        decks=table.decks,
    )
    return SoloSession.of(session.spec, module, start)


def faults(session: SoloSession) -> Iterator[str]:
    """Yields the contradictions in a session, such as a card in two places, or a step that lacks its roll (SD-14)."""
    table, sides = session.table, session.module.side_ids
    if tuple(table.sides) != sides or set(table.decks) != set(session.module.decks):
        yield f"Its sides or decks are not those of the module {session.module.id}."
    elif (table.common is None) != (session.module.layout == "pile_in_c"):
        yield f"common: the module {session.module.id} has {'no' if table.common else 'a'} common pile."
    elif any((side.display.pile is None) != (table.common is not None) for side in table.sides.values()):
        yield "sides: a display has a pile although both sides share one, or has none although each has its own."
    else:
        yield from _card_faults(session)
        yield from _name_faults(session)
        yield from _step_faults(session)


def _card_faults(session: SoloSession) -> Iterator[str]:
    """Yields a fault for each card that is in two places or in none."""
    table = session.table
    dealt = Counter(card for deck in table.decks.values() for card in deck)
    if dealt != Counter(list(table.cards)):
        yield "decks: each card must be in exactly one deck, once."
    elif table.phase_no:
        lying = Counter(places(session))
        for card in sorted(lying - dealt):
            yield f"{card} lies in two places." if card in dealt else f"{card} is in no deck."
        for card in sorted(dealt - lying):
            yield f"{card} lies nowhere."


def _name_faults(session: SoloSession) -> Iterator[str]:
    """Yields a fault for each unknown side or card that the table names, and for impossible rows of chits."""
    table, pending = session.table, session.table.pending
    lying: list[Laid | Play] = [*table.laid, *([pending.play] if pending.play else [])]
    active = set() if table.active is None else {table.active}
    sides = active | {*pending.nominated, *pending.discarded, *(one.side for one in lying)}
    cards = {card for listed in pending.nominated.values() for card in listed} | {one.card for one in lying}
    cards |= {*pending.order_counts, *pending.reshuffle}
    for name, side in table.sides.items():
        cards |= {*side.flags} | (set() if side.first_round_card is None else {side.first_round_card})
        if side.chits.flipped > side.chits.total or side.chits.total > LIMIT:
            yield f"sides.{name}.chits: {side.chits.flipped} of {side.chits.total} flipped; at most {LIMIT} can be."
    for side_id in sorted(sides - set(session.module.side_ids)):
        yield f"There is no side {side_id!r}."
    for card in sorted(cards - set(table.cards)):
        yield f"There is no card {card}."


def _step_faults(session: SoloSession) -> Iterator[str]:
    """Yields a fault for what the step needs but the table lacks: an active side, a result, a play to resolve."""
    table, play = session.table, session.table.pending.play
    if (table.active is None) != (table.step in ("setup", "end_phase")):
        yield f"active: at the step {table.step} it cannot be {table.active}."
    if (table.phase_no == 0) != (table.step == "setup"):
        yield f"phase_no: at the step {table.step} it cannot be {table.phase_no}."
    chooses = table.step in ("choosing", "choose_flip", "choose_home")
    if (chooses and session.result is None) or (table.step == "choose_die" and table.roll is None):
        yield f"roll: at the step {table.step} there must be a roll."
    if play and play.open and play.side in table.sides:
        lying = session.display(play.side).find(play.card)
        if lying is None or not lying[1].up:
            yield f"pending.play: {play.card} does not lie face up on the display of {play.side}."


def places(session: SoloSession) -> list[str]:
    """Returns each card once for every place where it is: displays, piles, discards, removed, beside (SD-14)."""
    cards = [slot.card for pile in session.stock().piles for slot in pile]
    for name, side in session.table.sides.items():
        cards += [slot.card for lying in session.display(name).spaces.values() for slot in lying]
        cards += [*side.discard, *side.removed, *side.off_display.cards]
    return cards


HIDDEN = "?"


def view(session: SoloSession) -> dict[str, Any]:
    """Returns the session without secrets, as JSON values; nothing in it depends on hidden cards."""
    table, names = session.table, session.spec.data["print"]["results"]["names"]
    roll = table.roll
    return {
        "schema": "carddb.solo/1",
        "module": session.module.id,
        "title": session.module.title,
        "phase": table.phase_no,
        "round": table.round_no,
        "active": table.active,
        "roll": roll and {**roll.model_dump(mode="json"), "words": names.get(roll.result, "")},
        "sides": {side.id: _side(session, side.id, side.name) for side in session.module.sides},
        "pile": None if table.common is None else len(table.common.pile),
        "events": [_event(session, play) for play in session.events],
        "may": may(session),
        "warnings": list(table.warnings),
    }


def _side(session: SoloSession, name: str, label: str) -> dict[str, Any]:
    side, display = session.side(name), session.display(name)
    own_pile = session.table.common is None
    return {
        "name": label,
        "display": {
            space: [card(session, name, slot.card) if slot.up else HIDDEN for slot in display.at(space)]
            for space in SPACES
        },
        "pile": len(display.stock) if own_pile else None,
        "hand": side.hand,
        "chits": side.chits.model_dump() if session.module.counts_chits else None,
        "discard": [card(session, name, id_) for id_ in side.discard],
        "removed": [card(session, name, id_) for id_ in side.removed],
        "beside": {
            key: [card(session, name, id_) for id_ in cards] for key, cards in side.off_display.model_dump().items()
        },
        "conditions_met": sorted(side.conditions_met),
        "pass_barred": side.pass_barred,
    }


def _event(session: SoloSession, play: Play) -> dict[str, Any]:
    """Returns an event being played: the sentence about it on the game's sheet, the hooks carried out and pending."""
    own = exceptions_for(session.module, session.table.cards[play.card])
    return {
        "side": play.side,
        "card": card(session, play.side, play.card),
        "sentence": sentence(session.spec, session.table.module, own) if own else "",
        "done": list(play.done),
        "hooks": [{"name": one.hook, "takes": usage(one.hook)} for one in session.due if one.play is play],
    }


def card(session: SoloSession, side: str, id_: str) -> dict[str, Any]:
    """Returns a face-up card as its deck describes it; with `conditional` if the player must declare conditions met."""
    text = session.table.cards[id_]
    remarks = {"conditional": session.cards[side][id_].conditional, "conditions": text.conditions, "note": text.note}
    return {
        "id": id_,
        "title": text.title or "",
        "ops": text.ops,
        "kinds": list(text.kinds),
        **{name: words for name, words in remarks.items() if words},
    }


def named(card: Mapping[str, Any]) -> str:
    """Returns the number and the title of a card in the view."""
    return f"{card['id']} {card['title']}".strip()


def figures(card: Mapping[str, Any]) -> str:
    """Returns, in words, the ops value and the kinds of a card in the view."""
    ops = f"{card['ops']} ops" if card["ops"] is not None else "no ops"
    return ", ".join([ops, *(kind.replace("_", " ") for kind in card["kinds"] if kind != "ops")])


def may(session: SoloSession) -> dict[str, Any]:
    """Returns what the rules allow the active side now: how its round begins, or the cards that may be played."""
    step = session.table.step
    if step in ("round_ready", "forced"):
        return {"begin": opening(session, session.active).to_json()}
    if step != "choosing":
        return {}
    try:
        now = choices(situation(session))
    except Refusal as refusal:
        return {"needs": refusal.reason}
    return {
        "play": [choice.to_json() for choice in now.choices],
        "forced": now.forced,
        "beside": list(now.off_display),
    }


_RULE = re.compile(r"\b(?:S|SR|SD)-[0-9]+\b")


def usual(session: SoloSession) -> str:
    """Returns the command that Enter gives at this step, or an empty text if there is a choice."""
    if session.step == "resolving" and session.due:
        return "hook"
    if session.step == "resolving" and fighting(session):
        return "combat-end"
    return str(session.words.get("enter", ""))


TABLE: TableGame[SoloSession] = TableGame(
    key="cdg-solo",
    actions=actions_of(actions),
    usual=usual,
    initial=initial,
    view=view,
    form=SessionState,
    restore=lambda spec, table: SoloSession.of(spec, module_of(spec, table.module, "module"), table),
    faults=faults,
)


def stands_for(spec: GameSpec) -> Mapping[str, Sequence[str]]:
    """Returns the ids of the rules that each module implements, under names such as `module germany`."""
    return {f"module {key}": _RULE.findall(str(module)) for key, module in spec.data["modules"].items()}


_CARDS = ("card", "from_discard", "flip_card")
"""The parameters of hooks whose values are cards or places."""


def words_of(session: SoloSession, words: list[str]) -> list[str]:
    """Returns the command that a typed line means at this step: a number stands for a die, a place for its card."""
    step, first = session.step, words[0]
    if first == "exchange" and len(words) == 2:
        return ["hook", "exchange_632", f"card={words[1]}"]
    if first == "hook" and len(words) > 1 and "=" in words[1]:
        waiting = session.due
        return ["hook", waiting[0].hook, *words[1:]] if waiting else ["hook"]
    if alternatives := [code for code in session.module.alternatives if code.startswith(first.replace("-", "_"))]:
        return ["alternative", alternatives[0], *words[1:]]
    place = place_of(first)
    if first.isdecimal() and step in ("round_ready", "choose_die"):
        return ["roll" if step == "round_ready" else "pick", *words]
    if place and step == "choose_flip":
        return ["flip", *words]
    is_card = card_id(session.table, first) in session.table.cards
    return ["play", *words] if place or is_card else words


def usages(action: Action[SoloSession, Any], session: SoloSession | None) -> list[str]:
    """Returns further ways to type an action; none for most actions.

    For hooks, these are the hooks with their parameters, in a session only the pending ones; for an alternative to the
    roll, its codes, which may be typed alone; for a scenario, the setups of the module.
    """
    if action.name == "alternative" and session is not None:
        return [code.replace("_", "-") for code in session.module.alternatives]
    if action.name == "set_up" and session is not None:
        return [f"set-up {key}" for key in session.module.setup_exceptions]
    if action.name != "hook":
        return []
    names: Sequence[str] = list(HOOKS)
    if session is not None:
        names = [*(event.hook for event in session.due), *(["exchange_632"] if may_exchange(session) else [])]
    return [" ".join([name, *usage(name)]) for name in names]


def with_cards(session: SoloSession, words: dict[str, Any]) -> dict[str, Any]:
    """Returns the typed options with cards as ids: `14` becomes `#14`, `cp22` or (for CP) `22` becomes `CP#22`."""
    out = dict(words)
    for name in ("card", "cards"):
        if isinstance(out.get(name), str):
            out[name] = card_id(session.table, out[name])
        elif isinstance(out.get(name), list):
            out[name] = [card_id(session.table, text) for text in out[name]]
    if isinstance(out.get("params"), dict):
        ids = {name: card_id(session.table, str(out["params"][name])) for name in _CARDS if name in out["params"]}
        out["params"] = {**out["params"], **ids}
    return out


def card_id(table: SessionState, text: str) -> str:
    """Returns the id of a card as typed, or `text` unchanged if there is no such card."""
    if text in table.cards:
        return text
    ids = {_flat(id_): id_ for id_ in table.cards}
    return ids.get(_flat(text)) or ids.get(_flat(f"{table.active}{text}")) or text


def _flat(text: str) -> str:
    return "".join(filter(str.isalnum, text)).casefold()


def packed(parts: Sequence[str]) -> str:
    """Returns `parts` one after the other, with a new line whenever a part does not fit the width of the screen."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1] + part) <= COLUMNS:
            lines[-1] += part
        else:
            lines.append(" " * 8 + part)
    return "\n".join(lines)


screen = text_screen(Path(__file__).with_name("screen.txt"), named=named, figures=figures, packed=packed)


_LABELS = {"event": "Event", "other": "Other", "discard": "Discard", "fo_hold": "Hold"}
_KEYS = {"event": "{}", "ops": "shift+{}"}
"""The keyboard keys that play the card at a place, by mode."""


class SoloBoard(Board[SoloSession]):
    """The page of a solo table."""

    direct = frozenset(
        {"roll", "pick", "play", "choose_flip", "next_round", "start_phase", "end_phase", "no_home", "home"}
        | {"alternative", "set_flag", "go_first", "c_unplayable", "order_count"}
    )
    figures = staticmethod(figures)

    @property
    def active_name(self) -> str:
        active = self.view["active"]
        return str(self.view["sides"][active]["name"]) if active else ""

    @property
    def sentence(self) -> str:
        """The sentence that says what is to be done."""
        if self.session.step in ("choosing", "forced"):
            return self._choice()
        return str(self.session.words["sentence"]).format(side=self.active_name)

    def _choice(self) -> str:
        if self.view["may"].get("needs"):
            return "Say how many units each Section card would order."
        places = [place for place, use in self.uses.items() if use.buttons]
        if not places:
            return f"{self.active_name} has no card of the display to play."
        choices = places[0] if len(places) == 1 else f"{', '.join(places[:-1])} or {places[-1]}"
        must = "must play" if self.session.step == "forced" or self.view["may"].get("forced") else "plays"
        return f"{self.active_name} {must} {choices}."

    def _lying(self) -> Iterator[tuple[str, Any]]:
        """Yields the places of the active side's display, each with its card as the view shows it."""
        active = self.view["active"]
        for letter, cards in self.view["sides"][active]["display"].items() if active else ():
            yield from ((letter if number == 1 else f"{letter}{number}", card) for number, card in enumerate(cards, 1))

    @cached_property
    def uses(self) -> dict[str, SeenCard]:
        """The face-up cards of the active side, by place."""
        return {place: self._use(card, place) for place, card in self._lying() if isinstance(card, dict)}

    def use(self, side: str, place: str, card: Mapping[str, Any]) -> SeenCard:
        """Returns a face-up card; if it is the active side's, with buttons, or a reason why it has none."""
        return self.uses[place] if side == self.view["active"] else SeenCard(card)

    @property
    def turns_up(self) -> list[str]:
        """The places whose face-down cards the active side may turn up now."""
        if self.session.step != "choose_flip":
            return []
        side = self.view["sides"][self.view["active"]]
        pile = ["C"] if self.view["pile"] and not side["display"]["C"] else []
        return [*(place for place, card in self._lying() if not isinstance(card, dict)), *pile]

    @property
    def hands(self) -> list[tuple[str, str, int]]:
        """Each side as (key, name, hand size for the next phase); the size is 0 if neither side nor module sets it."""
        defaults = self.session.module.hand.default
        return [(key, side["name"], side["hand"] or defaults.get(key) or 0) for key, side in self.view["sides"].items()]

    @property
    def hand_bounds(self) -> tuple[int, int]:
        return hand_range(self.session.module)

    def pictures(self, pool: Pool) -> dict[str, Card]:
        """Returns the catalogue's cards for the face-up cards, by their ids at the table."""
        table, displays = self.session.table, map(self.session.display, self.session.module.side_ids)
        texts = {id_: table.cards[id_] for display in displays for id_ in display.ups()}
        by_number = {(card.get("number"), card.get("title") or card.name, card.get("ops")): card for card in pool}
        by_title = {key[1:]: card for key, card in by_number.items()}
        pictures = {
            id_: by_number.get((text.number, text.title, text.ops)) or by_title.get((text.title, text.ops))
            for id_, text in texts.items()
        }
        return {id_: card for id_, card in pictures.items() if card is not None}

    @staticmethod
    def beside(side: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yields (name, content), in words, for each pile beside a side's display."""
        if side["discard"]:
            last = side["discard"][-1]
            yield f"{len(side['discard'])} discarded", f"last {last['title'] or last['id']}"
        if side["removed"]:
            yield "out of the game", ", ".join(map(named, side["removed"]))
        for name, cards in side["beside"].items():
            if cards:
                yield name.replace("_", " "), ", ".join(map(named, cards))
        if side["pass_barred"]:
            yield "may not pass", ""

    @staticmethod
    def remarks(card: Mapping[str, Any]) -> list[str]:
        """Returns the conditions, if they must be declared met, and the note of a face-up card."""
        condition = [f"If: {card.get('conditions') or 'its conditions'}"] if card.get("conditional") else []
        return [*condition, *([card["note"]] if card.get("note") else [])]

    def condition(self, side: str, card: Mapping[str, Any]) -> bool | None:
        """Returns whether the conditions of a card of the active side are declared met; None if it has none."""
        if side != self.view["active"] or not card.get("conditional"):
            return None
        return card["id"] in self.view["sides"][side]["conditions_met"]

    def _use(self, card: Mapping[str, Any], place: str) -> SeenCard:
        """Returns a card of the active side with a button for each mode in which it may be played now."""
        if self.session.step not in ("choosing", "forced"):
            return SeenCard(card)
        reasons = {mode: self.why_not("play", card=card["id"], mode=mode) for mode in get_args(get_args(Use)[0])}
        plays = [
            Button(
                f"{card['ops']} ops" if mode == "ops" else _LABELS[mode],
                "play",
                {"card": card["id"], "mode": mode},
                _KEYS.get(mode, "").format(place.lower()) if len(place) == 1 else "",
            )
            for mode, reason in reasons.items()
            if reason is None
        ]
        return SeenCard(card, plays, "" if plays else reasons["ops" if card["ops"] is not None else "event"] or "")
