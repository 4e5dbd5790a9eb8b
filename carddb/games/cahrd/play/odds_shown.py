"""The odds as people see them: the opening hand."""

from __future__ import annotations

from carddb.game.game import GameSpec
from carddb.games.cahrd.play.setup import DeckSize, chance_of_hand, fewest_officers, officers_needed
from carddb.play.chance import bar, hypergeometric, text
from carddb.play.question import Answer, Count, operation


@operation("C-63", "C-64")
def opening_hand(officers: Count, deck_size: DeckSize | None = None, *, spec: GameSpec) -> Answer:
    """The chance that an opening hand has enough officers; `deck_size` is that of the smallest deck unless given."""
    size = spec.sections["main"].size[0] if deck_size is None else deck_size
    hand, need = spec.data["setup"]["hand"], officers_needed(spec)
    chance = chance_of_hand(size, officers, hand, need)
    drawn = hypergeometric(hand, officers, size)
    fewest = {str(percent): fewest_officers(size, hand, need, percent) for percent in spec.data["odds"]}
    expected = f"{float(1 / chance):.2f} hands are drawn on average" if chance else "No hand will ever do"
    return {
        "title": f"An opening hand of {hand} from {size} cards with {officers} officers",
        "bars": [
            bar(f"{need} officers or more", chance),
            *(bar(f"exactly {count}", part) for count, part in drawn.items()),
        ],
        "notes": [
            f"{expected} until one has {need} officers.",
            f"Fewest officers in {size} cards for a chance of "
            + ", ".join(f"{percent} %: {count}" for percent, count in fewest.items())
            + ".",
        ],
        "expected_hands": text(1 / chance) if chance else None,
        "fewest_officers": fewest,
    }
