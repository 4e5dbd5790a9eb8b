"""A Battle as a seat's page shows it: both armies, the seat's hand, the table, and what can be done."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cached_property
from typing import Any

from carddb.cards.cards import Card, Pool
from carddb.games.rishar.play.fields import Army
from carddb.games.rishar.table.game import dice_words, forecast_words, hand, named_texts, prospects
from carddb.games.rishar.table.session import Session
from carddb.play.table.front import Board, Button, SeenCard

_PARAMETERS = {"choose": "power", "become": "role", "save": "pay"}
"""The actions that take one of the words offered at their step, each with its parameter."""


class BattleBoard(Board[Session]):
    """A seat's page of a Battle; without a seat, a watcher sees what everybody may see."""

    direct = frozenset(
        {"name", "play", "pass", "unable", "roll", "decline", "next", "back", "rescue", "choose", "become", "save"}
        | {"look", "disable", "begin"}
    )
    dice_words = staticmethod(dice_words)
    forecast_words = staticmethod(forecast_words)

    @property
    def own(self) -> Army | None:
        """The army of the seat; None for a watcher."""
        return None if self.seat is None else "a" if self.seat == "a" else "b"

    @property
    def is_asked(self) -> bool:
        """Returns whether this seat has to decide at this step."""
        return self.own is not None and self.own in self.session.deciders[:1]

    @property
    def sentence(self) -> str:
        """Returns a sentence that says what is to be done."""
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
        """Returns the button of a card in a pile of the seat's own army, None if it cannot be used."""
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
        return [self._hand_card(card) for card in hand(self.session, self.own)]

    @staticmethod
    def figures(card: Mapping[str, Any]) -> str:
        """Returns the Strength, Role, Path and traits of a card in hand, in words."""
        strength = "" if card["strength"] is None else f"Strength {card['strength'] + card['trained']}"
        return ", ".join(filter(None, [strength, card["role"], (card["path"] or "").capitalize(), *card["traits"]]))

    def texts(self, card: Mapping[str, Any]) -> list[str]:
        """Returns the special texts of a card in the seat's own hand."""
        return named_texts(self.session.army(self.own or "a").cards[card["key"]])

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
    def buttons(self) -> list[Button]:
        """Returns the buttons at this step that do not use a card in hand."""
        if self.own is None or not (self.is_asked or self.rolls):
            return []
        return list(self._buttons())

    def _buttons(self) -> Iterator[Button]:
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
        """Returns whether dice are rolled at this step, so that they may be typed."""
        return self.view["enter"] == "roll" and self.own is not None

    @cached_property
    def prospects(self) -> list[tuple[str, float]]:
        """Returns the possible results of the dice, with their chances in percent."""
        return [(bar["label"], float(Fraction(bar["chance"]) * 100)) for bar in prospects(self.session)]

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
