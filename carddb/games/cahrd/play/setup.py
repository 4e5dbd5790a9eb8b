"""Set-up and recruiting: the opening hand, the army chosen from it, and the income from the army's charm."""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from typing import Annotated

from pydantic import Field

from carddb.core.plain_text import amount
from carddb.game.game import GameSpec
from carddb.games.cahrd.play.battle import Rank, current_value
from carddb.games.cahrd.play.turn import CardType, Position, Step, Zone, in_step, zone_of
from carddb.play.chance import bar, drawn_at_least, hypergeometric, text
from carddb.play.question import Answer, BadInput, Count, FromZero, Many, Part, chances, operation, refuse

DeckSize = Annotated[int, Field(ge=1, le=10_000)]


class HandCard(Part, extra="ignore"):
    """A card of the opening hand; its other fields are ignored."""

    name: str
    type: CardType


def officers_needed(spec: GameSpec) -> int:
    """Returns how many officers an opening hand must have: one for each post of the army (C-64, C-66)."""
    return sum(zone.get("at_start", 0) for zone in spec.data["mat"]["zones"])


def kept_hand(spec: GameSpec) -> list[str]:
    """Returns the conditions for keeping an opening hand as the command `odds` reads them: `3 type:officer` (C-64)."""
    return [f"{officers_needed(spec)} type:officer"]


def chance_of_hand(deck_size: int, officers: int, hand: int, need: int) -> Fraction:
    """Returns the chance of at least `need` officers in a hand. Refuses more officers or cards than the deck has."""
    refuse(officers_exceed_deck=officers > deck_size, hand_exceeds_deck=hand > deck_size)
    return drawn_at_least(need, hand, officers, deck_size)


def fewest_officers(deck_size: int, hand: int, need: int, percent: int) -> int:
    """Returns the fewest officers in a deck that make the chance of `need` officers in a hand at least `percent` %."""
    chances = range(deck_size + 1)
    return bisect_left(chances, Fraction(percent, 100), key=lambda k: chance_of_hand(deck_size, k, hand, need))


@operation()
def opening_odds(deck_size: DeckSize, officers: Count, hand: Count = 7, need: Count = 3) -> Answer:
    """The exact chance of enough officers in the opening hand, and the average number of hands until one has enough."""
    chance = chance_of_hand(deck_size, officers, hand, need)
    return {
        "fraction": str(chance),
        "probability": float(chance),
        "expected_hands": str(1 / chance) if chance else None,
    }


@operation()
def mulligan_needed(hand: Many[CardType], *, spec: GameSpec) -> Answer:
    """Checks whether an opening hand must be shown and replaced, that is, whether it has too few officers."""
    officers = hand.count("officer")
    refuse(hand_size=len(hand) != spec.data["setup"]["hand"])
    mulligan = officers < officers_needed(spec)
    return {"officers": officers, "mulligan": mulligan, "show_hand": mulligan}


@operation()
def setup_army(
    hand: Many[HandCard],
    commander: FromZero | None,
    strategist: FromZero | None,
    lieutenant: FromZero | None,
    *,
    spec: GameSpec,
) -> Answer:
    """Places three officers of the opening hand at their posts, face-down and free of cost."""
    setup = spec.data["setup"]
    chosen = {"commander": commander, "strategist": strategist, "lieutenant": lieutenant}
    for post, position in chosen.items():
        if position is not None and not 0 <= position < setup["hand"]:
            raise BadInput(post, least=0, most=setup["hand"] - 1)
    refuse(hand_size=len(hand) != setup["hand"])
    officers = [position for position, card in enumerate(hand) if card.type == "officer"]
    refuse(
        mulligan_required=len(officers) < officers_needed(spec),
        missing_position=None in chosen.values(),
        duplicate_assignment=len(set(chosen.values())) < len(chosen),
        not_officer=not set(chosen.values()) <= set(officers),
    )
    return {
        "hand_left": len(hand) - len(chosen),
        "face_up": False,
        "cost": 0,
        "grain": setup["grain"],
        "reserves": setup["reserves"],
    }


class Charmer(Part):
    """An officer in play, with the current CHM."""

    position: Position
    chm: Rank


@operation()
def reserve_income(army: Many[Charmer], *, spec: GameSpec) -> Answer:
    """The men that the Recruitment Step adds: the combined CHM of the officers in play."""
    charm = {at: current_value(officer.chm, f"army.{at}.chm", spec) for at, officer in enumerate(army)}
    everybody = bool(spec.readings["strategist_chm_counts"])
    counted = [charm[at] for at, officer in enumerate(army) if everybody or officer.position != "strategist"]
    return {"income": sum(counted) * spec.data["men_per_chm"]}


@operation()
def recruit(
    step: Step,
    initiative: bool,
    type: CardType,
    zone: Zone,
    source: Zone,
    reserves: Count,
    cost: Count,
    recruited: Count,
    on_field: Count = 1,
    *,
    spec: GameSpec,
) -> Answer:
    """Recruits an officer from the hand as a lieutenant, face-up, for its Recruitment Cost."""
    # The limit counts lieutenants on the field or, by option, those of the start and all recruited since (C-53, C-90).
    line, counts_field = zone_of("lieutenant", spec), spec.readings["lieutenant_cap"] == "on_field"
    refuse(
        not_initiative=not initiative,
        wrong_step=not in_step("recruit", step, spec),
        not_officer=type != "officer",
        zone_not_recruitable=zone != "lieutenant",
        not_in_hand=source != "hand",
        lieutenant_limit=(on_field if counts_field else recruited + line["at_start"]) >= line["most"],
        insufficient_reserves=reserves < cost,
    )
    return {"reserves": reserves - cost, "recruited": recruited + 1, "face_up": True}


@chances()
def opening_hand(officers: Count, deck_size: DeckSize | None = None, *, spec: GameSpec) -> Answer:
    """The chance that an opening hand has enough officers; `deck_size` is by default the smallest deck size."""
    size = spec.sections["main"].size[0] if deck_size is None else deck_size
    hand, need = spec.data["setup"]["hand"], officers_needed(spec)
    chance = chance_of_hand(size, officers, hand, need)
    by_count = hypergeometric(hand, officers, size)
    fewest = {str(percent): fewest_officers(size, hand, need, percent) for percent in spec.data["odds"]}
    expected = f"{float(1 / chance):.2f} hands are drawn on average until one has" if chance else "No hand can have"
    least = ", ".join(f"{count} for {percent} %" for percent, count in fewest.items())
    return {
        "title": f"An opening hand of {hand} from {size} cards with {amount(officers, 'officer')}",
        "bars": [
            bar(f"{need} officers or more", chance),
            *(bar(f"exactly {count}", part) for count, part in by_count.items()),
        ],
        "notes": [
            f"{expected} {need} officers.",
            f"Fewest officers in {size} cards for each chance: {least}.",
        ],
        "expected_hands": text(1 / chance) if chance else None,
        "fewest_officers": fewest,
    }
