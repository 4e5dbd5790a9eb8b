"""A solo table as a page shows it: both displays, how each card may be played or why not, and what is to be done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, get_args

from carddb.cards.cards import Card, Pool
from carddb.games.cdg_solo.play.phase import hand_range
from carddb.games.cdg_solo.play.plays import Use
from carddb.games.cdg_solo.table.game import figures, named
from carddb.games.cdg_solo.table.session import Session
from carddb.play.table.front import Board, Button, SeenCard

_LABELS = {"event": "Event", "other": "Other", "discard": "Discard", "fo_hold": "Hold"}
_KEYS = {"event": "{}", "ops": "shift+{}"}
"""The keyboard keys that play the card at a place, by mode."""


class SoloBoard(Board[Session]):
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
        """Returns a sentence that says what is to be done."""
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
        """Yields the places of the active side's display, each with the card there as in the view."""
        active = self.view["active"]
        for letter, cards in self.view["sides"][active]["display"].items() if active else ():
            yield from ((letter if number == 1 else f"{letter}{number}", card) for number, card in enumerate(cards, 1))

    @cached_property
    def uses(self) -> dict[str, SeenCard]:
        """The face-up cards of the active side, by place."""
        return {place: self._use(card, place) for place, card in self._lying() if isinstance(card, dict)}

    def use(self, side: str, place: str, card: Mapping[str, Any]) -> SeenCard:
        """Returns a face-up card, with buttons or a reason if it is the active side's."""
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
        """The sides with key, name, and hand size for the next phase (0 if the module does not know it)."""
        defaults = self.session.module.hand.default
        return [(key, side["name"], side["hand"] or defaults.get(key) or 0) for key, side in self.view["sides"].items()]

    @property
    def hand_bounds(self) -> tuple[int, int]:
        return hand_range(self.session.module)

    def pictures(self, pool: Pool) -> dict[str, Card]:
        """Returns the catalogue's cards for the face-up cards, by their ids at the table."""
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

    @staticmethod
    def beside(side: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
        """Yields, in words, the piles beside a side's display and their content."""
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
        """Returns the conditions and the note of a face-up card."""
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
