"""Armies: their Commander, the cards that only a class may bring, sums, training, and Upkeep between Battles."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from pydantic import ValidationInfo, model_validator

from carddb.cards.cards import Deck, Entry, Pool
from carddb.core.names import slug
from carddb.core.plain_text import amount, whole
from carddb.deck import Context, check
from carddb.deck.context import ANY_DAY, Fix, cards, copies, last, places
from carddb.findings import Finding, Place, Severity, codes_of, error
from carddb.game.game import GameSpec
from carddb.games.printed_words import finding
from carddb.games.rishar.play.cards import card_of_columns, commander_of_header, findings, listed_card, read
from carddb.games.rishar.play.fields import ClassName, CommanderRole, Influence, Kind, Opponent, Path, grown, is_unit
from carddb.games.rishar.play.morale import starting
from carddb.games.rishar.play.powers import choices, class_of, ritual_limits
from carddb.play.question import EMPTY, Answer, BadInput, Count, Known, Many, Object, Part, operation, refuse

ARMY = "army"


class Commander(Part):
    """The person who directs an army (R-3, R-163)."""

    name: str | None = None
    path: Known[Path] | None = None
    role: Known[CommanderRole] | None = None
    kind: Kind = "pc"
    progression: int | float | None = None
    base_bonus: Count = 0
    favors: Count = 0
    influence: Influence = 0
    dervish: Opponent | None = None
    chosen: ClassName | None = None

    @model_validator(mode="before")
    @classmethod
    def _of_header(cls, value: Any, info: ValidationInfo) -> Any:
        return commander_of_header(value, info.context) if isinstance(value, Mapping) else value


@operation()
def check_army(commander: Commander, cards: Many[Object], *, spec: GameSpec, pool: Pool) -> Answer:
    """Checks an army, its Commander and its cards for faults, and for what is unusual but legal."""
    entries, codes = read_army(spec, cards, "cards", pool)
    findings = army_findings(spec, commander, entries)
    return {
        "errors": sorted({*codes, *codes_of(findings, Severity.ERROR)}),
        "warnings": codes_of(findings, Severity.WARNING),
    }


def read_army(
    spec: GameSpec, items: Iterable[Mapping[str, Any]], path: str, pool: Pool = EMPTY
) -> tuple[list[Entry], set[str]]:
    """Returns the cards of an army from the cards of a question, and the codes of errors in their fields.

    An item with only a reference, a name and a count is looked up in `pool`. Raises BadInput for a malformed item.
    """
    entries, codes = [], set()
    for at, item in enumerate(items):
        listed = listed_card(item, pool)
        card, card_codes = (listed, set[str]()) if listed else read(spec, item, f"{path}.{at}")
        count = card_of_columns(spec, item, f"{path}.{at}").get("count")
        if not (count is None or (type(count) is int and count >= 1)):
            raise BadInput(f"{path}.{at}.count", least=1)
        entries.append(Entry(ARMY, 1 if count is None else count, card.name, card))
        codes |= card_codes
    return entries, codes


def army_findings(spec: GameSpec, commander: Commander, entries: Iterable[Entry]) -> list[Finding]:
    """Returns the findings of a deck check of an army; an unknown Path or Role of the Commander counts as missing."""
    choices_of = {"path": spec.data["paths"], "role": spec.data["powers"]["grid"]}
    headers = {key: value for key, words in choices_of.items() if (value := getattr(commander, key)) in words}
    if commander.progression is not None:
        headers["progression"] = str(commander.progression)
    return check(Deck(spec.key, tuple(entries), headers), spec, Pool(()), Context(ANY_DAY), [army_check])


def class_in(deck: Deck, spec: GameSpec) -> str | None:
    """Returns the class of the Commander in a deck's header; None if the Path or the Role is unknown."""
    return class_of(spec, _word(deck, spec, "path"), _word(deck, spec, "role"))


def commander_check(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns a finding for each invalid header field of the Commander (R-40, R-43, R-163).

    Path and Role may both be missing, because a Commander without them has no class.
    """
    paths = spec.data["paths"]
    words: dict[str, Iterable[str]] = {
        "path": paths,
        "role": spec.data["powers"]["grid"],
        "kind": spec.data["saves"],
        "dervish": [*paths, *spec.types],
        "chosen": choices(spec),
    }
    required = () if deck.headers.keys().isdisjoint(("path", "role")) else ("path", "role")
    findings = []
    for key, line in spec.data["commander"].items():
        if key in words:
            form = f"one of {', '.join(words[key])}"
            is_wrong = _word(deck, spec, key) not in words[key] and (key in required or key in deck.headers)
        else:
            form, is_wrong = line["form"], not re.fullmatch(line["pattern"], deck.headers.get(key, "0"))
        if is_wrong:
            label, value = key.replace("_", " "), deck.headers.get(key)
            message = f"the Commander's {label} is {value or 'not given'}, but must be {form}"
            place, data = deck.places.get(key, Place(deck.file)), {"field": key, "value": value}
            fix = f"Write the header line {label.capitalize()} with {form}."
            findings.append(error(line["code"], message, place, data=data, fix=fix, rules=tuple(line["rules"])))
    return findings


def _word(deck: Deck, spec: GameSpec, key: str) -> str:
    """Returns the header value under `key` as the rules' data spell it (`pc` for `player`), or an empty text."""
    if key == "kind":
        return spec.vocabulary(tuple(spec.data["saves"]), "commanders").find(deck.headers.get(key, "")) or ""
    return slug(deck.headers[key]).replace("-", "_") if key in deck.headers else ""


def granted_cards(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns an error for cards of other classes; a Tactician may bring those of all classes it can choose (R-38)."""
    own = class_in(deck, spec)
    entitled = {own, *(choices(spec) if own == spec.data["powers"]["chooser"] else ())}
    wrong = [entry for entry in deck.entries if entry.card and entry.card.get("granted_by") not in (None, *entitled)]
    if not wrong:
        return []
    granters = sorted({str(entry.card.get("granted_by")) for entry in wrong if entry.card})
    labels = {key: power["label"] for key, power in spec.data["powers"]["classes"].items()}
    words = {
        "cards": Fix.counted(cards(wrong)),
        "entitling": " or ".join(labels[key] for key in granters),
        "label": labels.get(own, "none"),
    }
    data = {"count": copies(wrong), "limit": 0, "class": own, "granted_by": granters}
    fix = Fix.offered(Fix.remove(cards(wrong)))
    key = "granted_card_not_entitled"
    return [finding(spec, key, *places(wrong), data=data, words=words, cards=cards(wrong), **fix)]


def ritual_surplus(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns a warning if there are more Rituals than can be played in a Battle, which is legal (R-37)."""
    rituals = [entry for entry in deck.entries if entry.card and not is_unit(entry.card.type)]
    count, limit = copies(rituals), ritual_limits(spec, class_in(deck, spec))["battle"]
    if count <= limit:
        return []
    data, words = {"count": count, "limit": limit}, {"rituals": amount(count, "Ritual")}
    fix = Fix.offered(Fix.remove(last(rituals, count - limit)))
    return [finding(spec, "ritual_surplus", *places(rituals), data=data, words=words, cards=cards(rituals), **fix)]


def odd_cards(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns the findings about single cards (R-25, R-26, R-62, R-161)."""
    return [
        each._replace(cards=cards([entry]))
        for entry in deck.entries
        if entry.card
        for each in findings(entry.card, entry.place, spec)
    ]


def army_check(deck: Deck, spec: GameSpec, pool: Pool, context: Context) -> list[Finding]:
    """Returns the findings that limits in `game.yaml` cannot express: Commander, granted cards, Rituals, fields."""
    checks = (commander_check, granted_cards, ritual_surplus, odd_cards)
    return [each for check_ in checks for each in check_(deck, spec, pool, context)]


def deck_sums(deck: Deck, spec: GameSpec) -> list[tuple[str, str, str]]:
    """Returns `(value, label, note)` for the Commander, Progression, starting Morale and Upkeep (R-43, R-151).

    The Commander has the name as its value and the class as its note; it is left out if the header has no name.
    Progression and Morale are left out if the header's Progression is not a number.
    """
    sums = []
    if name := deck.headers.get("commander"):
        path, role, own = _word(deck, spec, "path"), _word(deck, spec, "role"), class_in(deck, spec)
        classes, paths = spec.data["powers"]["classes"], spec.data["paths"]
        note = f"{classes[own]['label']}, {spec.label_of(role)} of {paths[path]['label']}" if own else ""
        sums.append((name, "Commander", note))
    if (progression := whole(deck.headers.get("progression", "0"))) is not None:
        morale = starting(spec, progression)
        sums += [(str(progression), "Progression", ""), (str(morale), "Morale", "at the start")]
    upkeep = sum(entry.count * int(entry.card.get("upkeep") or 0) for entry in deck.entries if entry.card)
    return [*sums, (str(upkeep), "Upkeep", "for a Day")]


@operation()
def train(
    training: Count = 0,
    strength: Count | None = None,
    weapons: Count = 0,
    shields: Count = 0,
    alchemy: Count = 0,
    other_items: Count = 0,
    build_points: Count = 0,
    *,
    spec: GameSpec,
) -> Answer:
    """A unit's Strength after training, paid in full with items or with build points."""
    price = spec.data["training"]
    value = weapons + shields + alchemy * int(price["alchemy_counts"])
    refuse(
        already_trained=training >= price["times"],
        no_strength=strength is None,
        item_not_accepted=other_items > 0,
        insufficient_payment=value < price["items"] and build_points < price["build_points"],
    )
    return {"strength_after": grown(spec, strength or 0, True), "item_value": value}


@operation()
def upkeep(costs: dict[str, Count], battles: Many[Many[str]], paid: Count) -> Answer:
    """The total Upkeep of the units used on a Day, each counted once, and whether they desert as less is `paid`."""
    units = sorted({unit for battle in battles for unit in battle})
    due = sum(costs.get(unit, 0) for unit in units)
    shortfall = max(0, due - paid)
    return {"units": units, "due": due, "shortfall": shortfall, "desertion": shortfall > 0}
