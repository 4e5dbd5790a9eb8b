"""Modules: what a board game changes in the general method, as shipped data or a patch of them (SD-1, SD-6)."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import lru_cache
from itertools import chain
from typing import Any, Literal, overload

from pydantic import Field, ValidationError

from carddb.cards.cards import Deck
from carddb.core.names import Identity, Vocabulary
from carddb.game.game import GameSpec
from carddb.games.cdg_solo.play.display import Layout, RefillMode, Result, Space, result_of
from carddb.play.question import Answer, BadInput, Count, Many, Object, Options, Part, Record, operation

DeckMode = Literal["separate", "common_split", "common_off"]
OnEmpty = Literal["reshuffle_own", "rebalance_then_reshuffle", "reshuffle_all", "stop"]


class Side(Record):
    """One of the two sides of a game."""

    id: str
    name: str = ""


class Hand(Record):
    """The number of cards in each side's hand (null if it varies), and the range allowed for both."""

    default: dict[str, int | None] = Field(default_factory=dict)
    min: int | None = None
    max: int | None = None


class NoUp(Record):
    """The condition that no face-up card in `spaces` is of one of `kinds`."""

    kinds: Many[str]
    spaces: Many[Space]


class RowCondition(Record):
    """The conditions under which a row of choices applies; null sets no condition."""

    c_unplayable: bool | None = None
    no_up: NoUp | None = None


class CardFilter(Record):
    """A filter: cards of one of `kinds` (None: of any kind), of none of `not_kinds`, with or without an ops value."""

    kinds: Many[str] | None = None
    not_kinds: Many[str] = ()
    ops: Literal["with", "without"] | None = None


class ChoiceRow(CardFilter):
    """Cards that may be played under a result: their spaces, kinds and mode of play; all, or only the lowest."""

    spaces: Many[Space] = Field(min_length=1)
    pick: Literal["all", "lowest"] = "all"
    mode: Literal["any", "event", "discard"] = "any"
    when: RowCondition | None = None


class ResultForm(Record):
    """The cards that may be played under a result, and how the space of the played card is refilled."""

    choices: Many[ChoiceRow]
    refill: RefillMode


class ResultOverride(Record):
    """A module's changes to the rules of a result; null means that the general rule applies."""

    choices: Many[ChoiceRow] | None = None
    refill: RefillMode | None = None


class Combat(Record):
    """The rules for cards played in combat or reaction (SD-1)."""

    kind: str | None
    flips_chit: bool
    limit_per_side: Count | None
    reserve_for_mandatory: bool


class BattleDiscard(CardFilter):
    """The cards that a side may discard in a battle instead of playing a card."""

    kinds: Many[str]
    flips_chit: bool


class CombatDetail(Record):
    """The kinds of card that may be played in combat or reaction, the roles of the sides that may, and conditions."""

    kinds: Many[str]
    roles: Many[str]
    combat_only_kinds: Many[str]
    min_chits: int
    discard: BattleDiscard | None
    active_results: dict[str, Many[Result] | None] | None


class MandatoryRule(Record):
    """The rules for Mandatory cards: when one must be played, the chits kept, and the return of surplus cards."""

    forced_when: Literal["last_chit", "chits_equal_mandatory"]
    reserve: Literal["none", "one", "each"]
    excess_returns: bool


class Alternative(Record):
    """An action that a side may choose instead of rolling."""

    chits_left: int | None
    available: Literal["always", "player"]
    after_roll: bool
    ends_phase_for_side: bool
    bars_next_phase: bool


class OffDisplay(Record):
    """The rules for cards beside the display. If `results` is null, they may be played after every result.

    `without_roll` lists the purposes for which they may be played when no die is rolled.
    """

    results: Many[Result] | None
    without_roll: Many[str]
    replaces_c_flip: bool
    flips_chit: bool
    once_per_phase: bool


class GoesFirst(CardFilter):
    """Cards that a side may play before the roll to go first (S-177)."""

    sides: Many[str]


class Lowest(Record):
    """The value that decides which card is the lowest, and the kinds of card that are compared (null: all)."""

    by: Literal["ops", "order_count"]
    kinds: Many[str] | None


class Draws(Record):
    """The rules for cards that draw cards."""

    one_flips_chit: bool
    one_off_display_adds_chits: int
    two_refill_up: bool


class CardException(Record):
    """An exception from the method's rules for one card (§7.8)."""

    deck: str | None
    number: int | None
    title: str
    hook: str
    params: Object = Field(default_factory=dict)
    aliases: Many[str] = ()


class SetupCard(Record):
    """A card that a scenario places face up before the deal."""

    side: str
    card: str
    space: Space
    up: bool = True


def options_of(spec: GameSpec, raw: Mapping[str, Any]) -> tuple[str, ...]:
    """Returns the names of a module's options: those of all modules, its own, any to which `raw` gives a value."""
    elsewhere = {name for module in spec.data["modules"].values() for name in module["own_options"]}
    own = {*(raw.get("own_options") or ()), *(raw.get("options") or ())}
    return tuple(name for name in spec.options if name in own or name not in elsewhere)


def values_of(spec: GameSpec, own: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the value of every option: the value in `own`, or the game's default if `own` has none or null.

    A default that is not a choice of its option (`by module`) becomes None. Raises ValueError for an option that the
    game does not have, and for a value that the option does not allow.
    """
    values = dict(spec.readings)
    for name, value in own.items():
        if name not in values:
            raise ValueError(name)
        if value is not None:
            values[name] = spec.options[name].value_of(value)
    for name, option in spec.options.items():
        if option.type == "choice" and values[name] not in option.of:
            values[name] = None
    if values["die_table"] is not None:
        values["die_table"] = {face: result_of(spec, word) for face, word in values["die_table"].items()}
    return values


ANY_ROLE = ("attacker", "defender", "active", "inactive")


class Patched(Part):
    """A shipped module with some values replaced: `patch` maps the dotted path of each to its new value."""

    base: str
    patch: Object = Field(default_factory=dict)


Game = str | Patched
"""The game of a question (SD-9): the id of a shipped module, or a patched module."""


class Module(Record):
    """A game as data for the method: its sides, decks, hands, results, exceptions and options."""

    id: str
    title: str
    sides: Many[Side] = Field(min_length=2, max_length=2)
    layout: Layout
    deck_mode: DeckMode
    on_empty: OnEmpty
    chit_mode: Literal["fixed", "variable", "none"]
    hand: Hand
    hand_adjustment: Literal["none", "display_extras"]
    jolly_roger: Literal["none", "play_special", "augment"]
    special_kinds: Many[str]
    alternatives: Many[str]
    off_display: Many[str]
    combat: Combat
    end_discard: Literal["none", "any_up", "combat_up", "ops_unless_must_play"]
    die_table: dict[str, Result]
    forms: dict[Result, ResultForm]
    exceptions: Many[CardException]
    setup_exceptions: dict[str, Many[SetupCard]]
    options: Object
    """The value of every option; None means that the module's own rule applies."""
    lowest: Lowest
    combat_detail: CombatDetail
    mandatory: MandatoryRule
    alternative_rules: dict[str, Alternative]
    off_display_rules: dict[str, OffDisplay]
    draws: Draws
    goes_first: GoesFirst | None = None
    hooks: Object
    """The hooks of the game that belong to no card: the parameters of each, by the hook's name."""

    @property
    def side_ids(self) -> tuple[str, ...]:
        return tuple(side.id for side in self.sides)

    @property
    def counts_chits(self) -> bool:
        """True if chits count the cards played; without chits a side never runs out of cards (SR-68)."""
        return self.chit_mode != "none"

    @property
    def table(self) -> Mapping[str, Result]:
        """The die's faces and their results (SR-9)."""
        return self.options["die_table"] or self.die_table

    @property
    def extras_on_display(self) -> bool:
        """True if the side with the larger hand has extra cards on its display (SR-34)."""
        return (self.options["hand_adjustment"] or self.hand_adjustment) == "display_extras"

    @property
    def combat_kinds(self) -> frozenset[str]:
        """The kinds of card that may be played in combat or reaction."""
        kind, kinds = self.combat.kind, self.combat_detail.kinds
        return frozenset(kinds if kind is None or kind in kinds else (kind,))

    @property
    def combat_roles(self) -> tuple[str, ...]:
        """The roles of the sides that may play combat cards; all roles if `combat_detail` does not list their kind."""
        listed, kind = self.combat_detail, self.combat.kind
        return ANY_ROLE if kind and kind not in listed.kinds else tuple(listed.roles)

    @property
    def reserve(self) -> str:
        """The chits reserved for face-up Mandatory cards: `none`, `one` in all, or one for `each` card."""
        if not self.combat.reserve_for_mandatory:
            return "none"
        return "one" if self.mandatory.reserve == "none" else self.mandatory.reserve

    def deck_of(self, side: str) -> str:
        """Returns the id of the deck that a side draws from."""
        return side if self.deck_mode == "separate" else "main"

    @property
    def decks(self) -> tuple[str, ...]:
        """The ids of the module's decks."""
        return self.side_ids if self.deck_mode == "separate" else ("main",)

    @overload
    def side(self, word: str, path: str) -> str: ...
    @overload
    def side(self, word: None, path: str) -> None: ...
    def side(self, word: str | None, path: str) -> str | None:
        """Returns the id of the side with the id or name `word`. Raises BadInput if the module has no such side."""
        if word is None or word in self.side_ids:
            return word
        return key_of(self._side_words, word, path)

    def side_or_deck(self, word: str | None) -> str | None:
        """Returns the id of the side or deck with the id or name `word`; `word` itself if there is none."""
        return word if word is None or word in self.decks else self._side_words.find(word) or word

    @property
    def _side_words(self) -> Vocabulary:
        return Vocabulary(self.side_ids, {side.id: side.name for side in self.sides})


def key_of(words: Vocabulary, word: str, path: str) -> str:
    """Returns the key that `word` means in `words`. Raises BadInput, with the nearest and all keys, if it has none."""
    key = words.find(word)
    if key is None:
        raise BadInput(path, did_you_mean=words.nearest(word), words=list(words.keys))
    return key


def module_key(spec: GameSpec, word: str, path: str) -> str:
    """Returns the id of the shipped module with the id, title or alias `word`. Raises BadInput if there is none."""
    modules: Mapping[str, Any] = spec.data["modules"]
    if word in modules:
        return word
    titles = {key: module["title"] for key, module in modules.items()}
    return key_of(Vocabulary(modules, titles, {key: module["aliases"] for key, module in modules.items()}), word, path)


def raw_module(spec: GameSpec, game: Game, path: str = "game") -> dict[str, Any]:
    """Returns the data of a module, with the patch in `game` applied. The caller must not change the data.

    Raises BadInput if the module does not exist, or if a path of the patch leads to no place in the data.
    """
    base = module_key(spec, game, path) if isinstance(game, str) else module_key(spec, game.base, _under(path, "base"))
    shipped: dict[str, Any] = spec.data["modules"][base]
    if isinstance(game, str):
        return shipped
    raw = deepcopy(shipped)
    for dotted, value in game.patch.items():
        _set(raw, steps(dotted), value, _under(path, f"patch.{dotted}"))
    return raw


def whole_module(spec: GameSpec, raw: Mapping[str, Any]) -> dict[str, Any]:
    """Returns the data of the module `raw`, with the values of all its options added."""
    values, own = values_of(spec, {}), raw.get("options") or {}
    return {**raw, "options": {name: values[name] for name in options_of(spec, raw)} | own}


def module_of(spec: GameSpec, game: Game, path: str = "game") -> Module:
    """Returns the module that `game` means. Raises BadInput if there is none, or if its patch is invalid."""
    if isinstance(game, str):
        return _shipped(Identity(spec), module_key(spec, game, path))
    return _parse(spec, game, path)


@lru_cache(maxsize=64)
def _shipped(spec: Identity[GameSpec], key: str) -> Module:
    """Returns a shipped module, which is cached: reading it takes 0.12 ms, answering a question 0.23 ms."""
    return _parse(spec.value, key, "game")


def _parse(spec: GameSpec, game: Game, path: str) -> Module:
    raw = dict(raw_module(spec, game, path))
    try:
        overrides = {key: ResultOverride.model_validate(value) for key, value in (raw.get("results") or {}).items()}
        raw["forms"] = {
            result: {"choices": own.choices or form["choices"], "refill": own.refill or form["refill"]}
            for result, form in spec.data["forms"].items()
            for own in [overrides.get(result, ResultOverride())]
        }
        for key in ("alternative_rules", "off_display_rules"):
            shipped = (module[key].items() for module in spec.data["modules"].values())
            raw[key] = dict(chain.from_iterable(shipped)) | raw[key]
        raw["options"] = values_of(spec, raw.get("options") or {})
        module = Module.model_validate(raw)
    except ValidationError as fault:
        raise _unfit(path, ".".join(map(str, fault.errors()[0]["loc"]))) from None
    except ValueError:
        raise _unfit(path, "options") from None
    except (TypeError, AttributeError):
        raise BadInput(_under(path, "patch")) from None
    for field, rules in (("alternatives", module.alternative_rules), ("off_display", module.off_display_rules)):
        for at, name in enumerate(getattr(module, field)):
            if name not in rules:
                raise _unfit(path, f"{field}.{at}")
    return module


def _unfit(path: str, field: str) -> BadInput:
    """Returns the BadInput for an invalid patch; `field` is the dotted path of the wrong value in the module."""
    return BadInput(_under(path, "patch"), field=field)


def _under(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def steps(path: str) -> list[str]:
    """Returns the steps of a dotted path; `setup_exceptions[key]` and `setup_exceptions.key` mean the same."""
    return re.sub(r"\[([^\]]*)\]", r".\1", path).split(".")


def _set(holder: Any, path: Sequence[str], value: Any, where: str) -> None:
    for step in path[:-1]:
        if isinstance(holder, dict):
            if not isinstance(holder.get(step), dict | list):
                holder[step] = {}
            holder = holder[step]
        else:
            holder = holder[_place(holder, step, where)]
    if isinstance(holder, list):
        holder[_place(holder, path[-1], where)] = value
    elif isinstance(holder, dict):
        holder[path[-1]] = value
    else:
        raise BadInput(where)


def _place(holder: Any, step: str, where: str) -> int:
    if not isinstance(holder, list) or not step.isdecimal() or int(step) >= len(holder):
        raise BadInput(where)
    return int(step)


@operation()
def game_data(game: Game, path: str, *, spec: GameSpec) -> Answer:
    """The value at a dotted path of a bundled or patched module."""
    module_of(spec, game)  # refuses an invalid patch
    value: Any = whole_module(spec, raw_module(spec, game))
    for step in steps(path):
        if isinstance(value, list):
            value = value[_place(value, step, "path")]
        elif isinstance(value, dict) and step in value:
            value = value[step]
        else:
            raise BadInput("path")
    return {"value": value}


@operation()
def exceptions(game: Game, hook: str | None = None, deck: str | None = None, *, spec: GameSpec) -> Answer:
    """The numbers of the cards for which a module has exceptions; `hook` and `deck` limit them to a hook, a deck."""
    module = module_of(spec, game)
    listed = module.exceptions
    if hook is not None:
        shipped = (entry["hook"] for raw in spec.data["modules"].values() for entry in raw["exceptions"])
        hook = key_of(Vocabulary(sorted({*shipped, *(entry.hook for entry in listed)})), hook, "hook")
    if deck is not None and deck not in module.decks:
        deck = module.side(deck, "deck")
    matching = [entry for entry in listed if hook in (None, entry.hook) and deck in (None, entry.deck)]
    return {"numbers": sorted({entry.number for entry in matching if entry.number is not None})}


def opening_hands(deck: Deck, spec: GameSpec, options: Options) -> list[tuple[str, int, str]]:
    """Returns the first hand of each deck as (section, number of cards, reason if the number is 0)."""
    key = deck.headers.get("format", "")
    if key not in spec.data["modules"]:
        return [("main", 0, "The deck names no module, so the number of cards in a hand is not known.")]
    module = module_of(spec, key)
    sides = {module.deck_of(side): side for side in reversed(module.side_ids)}
    hands = {section: module.hand.default.get(side) or 0 for section, side in sides.items()}
    why = f"{module.title} does not fix the number of cards in a first hand."
    return [(section, hands[section], "" if hands[section] else why) for section in module.decks]
