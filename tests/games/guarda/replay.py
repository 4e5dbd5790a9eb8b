"""Plays the log of a simulated game again, asking the referee about every single action."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from tests.games.guarda.samples import ask

ORDER = {"draw": 0, "move": 1, "push": 1, "set": 2, "prepare": 3, "attack": 3, "react": 4, "settle": 5, "score": 6}
"""The phases of a turn, as far as they leave a trace."""


@dataclass
class Seated:
    """What a reader of the log knows of a player."""

    id: str
    seat: str
    team: str | None
    health: int | None
    draw: int
    cell: list[int] | None = None
    hand: Counter[str] = field(default_factory=Counter)
    burn: int = 0
    guard: dict[str, Any] | None = None
    prepared: int = -1
    points: int = 0
    hill: int = 0
    out: bool = False

    def spend(self, cards: Sequence[str], burned: bool = True) -> None:
        """Hand cards are played; they must have been there."""
        assert Counter(cards) <= self.hand, (self.id, cards, self.hand)
        self.hand -= Counter(cards)
        self.burn += len(cards) if burned else 0

    def total(self) -> int:
        return self.hand.total() + self.draw + self.burn + (self.guard is not None)


class Replay:
    """One game, from its question and its answer."""

    def __init__(self, question: Mapping[str, Any], answer: Mapping[str, Any]) -> None:
        self.n = question.get("n", 5)
        self.mode = question["mode"]
        self.options = question.get("options", {})
        self.answer = answer
        self.log: list[dict[str, Any]] = answer["log"]
        self.config = ask("config", n=self.n, options=self.options)
        health = {"elimination": 10, "victory": None, "exhaustion": 5, "king": 10}[self.mode]
        self.players = {
            p["id"]: Seated(p["id"], p["seat"], p["team"], health, self.config["deck"]) for p in answer["players"]
        }
        self.played = 0
        self.seen: Counter[str] = Counter()

    def run(self) -> None:
        """Every turn, and the end."""
        turns = {number: list(entries) for number, entries in groupby(self.log, key=lambda entry: entry["turn"])}
        self._set_up(turns.pop(0))
        assert list(turns) == list(range(1, self.answer["turns"] + 1))
        player = None
        for number, entries in turns.items():
            assert self._judged() == (None, False), "a game that is over goes on"
            player = self._next(player)
            assert player.id == next(entry["player"] for entry in entries if entry["do"] == "draw")
            self._turn(number, player, entries)
            for one in self._present():
                lying = self.played if one is player else 0
                assert one.total() + lying == self.config["deck"], (number, one)
            assert not self.played or player.out or self._judged() != (None, False), "played cards are not settled"
            self.played = 0
        assert self._judged() == (self.answer["winner"], self.answer["draw"])
        assert self.answer["finished"] == (self._judged() != (None, False))

    def _present(self) -> list[Seated]:
        return [player for player in self.players.values() if not player.out]

    def _after(self, player: Seated) -> list[Seated]:
        """The others who are in, clockwise."""
        order = list(self.players.values())
        at = order.index(player)
        return [one for one in order[at + 1 :] + order[:at] if not one.out]

    def _next(self, player: Seated | None) -> Seated:
        if player is None:
            first = self.players[self.answer["first"]]
            return self._after(first)[0] if first.out else first
        return self._after(player)[0]

    def _occupied(self, but: Seated | None = None) -> list[list[int]]:
        return [one.cell for one in self._present() if one.cell and one is not but]

    def _judged(self) -> tuple[str | None, bool]:
        """What the referee says of the position; whoever is out has left before."""
        players = [
            {"id": p.id, "team": p.team, "health": 0 if p.out else p.health, "points": p.points, "hill": p.hill}
            for p in self.players.values()
        ]
        found = ask("victory", mode=self.mode, players=players)
        assert self.mode == "victory" or set(found["eliminated"]) == {p.id for p in self.players.values() if p.out}
        return found["winner"], found["draw"]

    def _set_up(self, entries: list[dict[str, Any]]) -> None:
        placed = [entry for entry in entries if entry["do"] == "place"]
        for entry in placed:
            player = self.players[entry["player"]]
            asked = {"n": self.n, "seat": player.seat, "occupied": self._occupied(), "options": self.options}
            assert entry["cell"] in ask("place", drawn=entry["drawn"], **asked)["cells"]
            assert not ask("place", drawn=entry["drawn"][:-1], **asked)["can_place"]
            assert self._occupied() or len(entry["drawn"]) <= self.n + 1
            player.cell = entry["cell"]
            player.draw -= len(entry["drawn"])
            player.burn += len(entry["drawn"])
        assert self.answer["first"] == placed[0]["player"] and len(placed) == len(self.players)
        for entry in entries[len(placed) :]:
            player = self.players[entry["player"]]
            if entry["do"] == "deal":
                self._draw(player, entry["cards"], self.config["opening_hand"])
            else:
                self._leave(player, entry)

    def _draw(self, player: Seated, cards: list[str], size: int) -> dict[str, Any]:
        numbers = {"hand": player.hand.total(), "draw": player.draw, "burn": player.burn, "hand_size": size}
        found = ask("draw_phase", mode=self.mode, options=self.options, **numbers)
        assert found["drawn"] == len(cards)
        player.hand += Counter(cards)
        player.draw, player.burn = found["draw"], found["burn"]
        return found

    def _leave(self, player: Seated, entry: Mapping[str, Any]) -> None:
        assert entry["do"] == "leave"
        without_cards = self.mode == "exhaustion"
        assert player.health == 0 or without_cards
        player.out, player.cell, player.guard, player.hand = True, None, None, Counter()

    def _turn(self, number: int, player: Seated, entries: list[dict[str, Any]]) -> None:
        own = [ORDER[entry["do"]] for entry in entries if entry["player"] == player.id and entry["do"] != "leave"]
        assert own == sorted(own), "the phases are out of order"
        acts = [entry for entry in entries if entry["do"] in ("attack", "prepare") and entry["player"] == player.id]
        assert len(acts) <= 1
        path: list[list[int]] = []
        start = list(player.cell or ())
        steps = iter(entries)
        for entry in steps:
            self.seen[entry["do"]] += 1
            one = self.players[entry["player"]]
            assert not one.out
            if entry["do"] == "move":
                path.append(entry["to"])
                bare = {"n": self.n, "options": self.options}
                asked = {**bare, "cell": one.cell, "path": [entry["to"]], "hand": one.hand.total()}
                found = ask("move", occupied=self._occupied(one), **asked)
                assert found["ok"] and found["cost"] == len(entry["cards"])
                whole = ask("move", cell=start, path=path, hand=len(path), **bare)
                assert whole["ok"] and whole["to"] == entry["to"]
                one.cell = entry["to"]
                one.spend(entry["cards"])
            elif entry["do"] == "push":
                self._push(one, entry)
            elif entry["do"] == "draw":
                found = self._draw(one, entry["cards"], self.n)
                assert (found["burned"], found["reshuffled"]) == (len(entry["burned"]), entry["reshuffled"])
                one.burn -= found["burned"]
                one.spend(entry["burned"])
                short = one.hand.total() < self.n
                assert one.hand.total() == self.n or (short and (self.mode == "exhaustion" or not one.draw + one.burn))
                if found["eliminated"]:
                    self._leave(one, next(steps))
            elif entry["do"] == "set":
                asked = {"phase": "act_start", "prepared_this_turn": one.prepared == number}
                found = ask("guard_action", action="set", guard=one.guard, orientation=entry["orientation"], **asked)
                assert found["ok"] and found["guard"]["card"] == entry["card"]
                one.guard = found["guard"]
            elif entry["do"] == "prepare":
                self._prepare(one, entry, "act", number)
            elif entry["do"] == "attack":
                self._attack(one, entry, steps, entries, number)
            elif entry["do"] == "settle":
                assert len(entry["played"]) == self.played
                one.burn += self.played
                self.played = 0
                one.spend(entry["burned"])
            elif entry["do"] == "score":
                assert ask("hill", cell=one.cell, n=self.n)["hill"]
                one.hill += 1
                assert entry["hill"] == one.hill
            else:
                self._leave(one, entry)

    def _push(self, one: Seated, entry: Mapping[str, Any]) -> None:
        target = self.players[entry["target"]]
        opponent = one.team is None or one.team != target.team
        asked = {"cell": one.cell, "target": target.cell, "steps": len(entry["cards"]), "hand": one.hand.total()}
        others = self._occupied(target)
        found = ask("push", n=self.n, occupied=others, opponent=opponent, options=self.options, **asked)
        assert found["ok"] and found["to"] == entry["to"]
        target.cell = entry["to"]
        one.spend(entry["cards"])

    def _prepare(self, one: Seated, entry: Mapping[str, Any], phase: str, number: int) -> None:
        found = ask("guard_action", action="prepare", guard=one.guard, phase=phase, card=entry["card"])
        assert found["ok"] and found["burned"] == entry["burned"]
        one.spend([entry["card"]], burned=False)
        one.burn += len(found["burned"])
        one.guard, one.prepared = found["guard"], number

    def _attack(
        self,
        one: Seated,
        entry: Mapping[str, Any],
        steps: Iterator[dict[str, Any]],
        entries: list[dict[str, Any]],
        number: int,
    ) -> None:
        reactions = {found["player"]: found for found in entries if found["do"] == "react"}
        others = self._after(one)
        assert list(reactions) == [other.id for other in others if other.id in reactions], "not clockwise"
        opponents = [
            {
                "id": other.id,
                "seat": other.seat,
                "cell": other.cell,
                "health": other.health,
                "team": other.team,
                "hand": list(other.hand.elements()),
                "guard": other.guard,
                "reaction": _reaction(reactions.get(other.id)),
            }
            for other in others
        ]
        attacker: dict[str, object] = {"seat": one.seat, "cell": one.cell, "health": one.health, "team": one.team}
        attacker["hand"] = list(one.hand.elements())
        found = ask(
            "attack", n=self.n, attacker=attacker, cards=entry["cards"], opponents=opponents, options=self.options
        )
        assert found["ok"], found
        one.spend(entry["cards"], burned=False)
        self.played = len(entry["cards"])
        for _ in reactions:
            self._react(next(steps), found["targets"], entries, steps, number)
        for other in others:
            target = found["targets"][other.id]
            assert (target["hits"] > 0) == (other.id in reactions)
            other.health = target["health"]
            other.points += found["dealt"][other.id]
        one.health = found["attacker"]["health"]
        one.points += found["dealt"]["attacker"]

    def _react(
        self,
        entry: dict[str, Any],
        targets: Mapping[str, Any],
        entries: list[dict[str, Any]],
        steps: Iterator[dict[str, Any]],
        number: int,
    ) -> None:
        self.seen[f"{entry['do']} {entry['guard']}"] += 1
        other, target = self.players[entry["player"]], targets[entry["player"]]
        assert {key: entry[key] for key in target.keys() & entry.keys()} == {
            key: target[key] for key in target.keys() & entry.keys()
        }
        other.spend(entry["cards"])
        if other.guard and target["guard"] in ("broken", "burned"):
            other.burn += 1
            other.guard = None
        elif other.guard and target["guard"] == "hand":
            other.hand[other.guard["card"]] += 1
            other.guard = None
            at = next(number for number, one in enumerate(entries) if one is entry)
            following = entries[at + 1] if at + 1 < len(entries) else {"do": ""}
            if following["do"] == "prepare":
                self._prepare(other, next(steps), "critical_block", number)
                self.seen["renewed"] += 1


def _reaction(entry: Mapping[str, Any] | None) -> dict[str, Any]:
    return {"type": entry["type"], "cards": entry["cards"]} if entry else {"type": "none"}
