"""Levels, groups and changes of ban lists in words."""

from __future__ import annotations

from carddb.bans.level_words import bounds_copies, budget_words, price_words, query_words, surcharge_words
from carddb.bans.log import Announcement, Change, GroupSpec, LevelSpec, ListSpec
from carddb.bans.log_data import level_text
from carddb.cards.cards import Pool
from carddb.core.amounts import amount, listed


def card_name(pool: Pool, ref: str) -> str:
    """A card's name; its reference where it is not known."""
    card = pool.get(ref)
    return card.name if card else ref


def level_words(spec: LevelSpec | None, level: int) -> str:
    """`level 2: at most 1 copy (proposal)`."""
    most = spec.most if spec else None
    if spec is None or most is None:
        return f"level {level}: its meaning is not known"
    many = f"at most {most} {'copy' if most == 1 else 'copies'}" if most else "no copy"
    return f"level {level}: {', '.join([*([many] if bounds_copies(spec) else []), *price_words(spec)])} ({spec.status})"


def terms_words(ban_list: ListSpec) -> str:
    """What a list says of all its levels: its budget, and what surcharges count as; empty where it says nothing."""
    return " ".join(filter(None, (budget_words(ban_list), surcharge_words(ban_list))))


def group_words(group: GroupSpec, pool: Pool) -> str:
    """`at most 1 different card of A, B and C`."""
    if group.anchor is not None:
        others = [card_name(pool, ref) for ref in group.cards if ref != group.anchor]
        return f"beside {card_name(pool, group.anchor)} none of {listed(others, len(others))}"
    names = [card_name(pool, ref) for ref in group.cards]
    names += filter(None, [query_words(group)])
    if group.at_most is not None:
        limit = f"{amount(group.at_most, 'copy')} in all"
    elif group.max_copies is not None:
        limit = f"{amount(group.max_copies, 'copy')} of each"
    else:
        limit = amount(group.most_different, "different card")
    return f"at most {limit} of {listed(names, len(names))}"


def change_words(change: Change, pool: Pool) -> str:
    """`Archer [X-1]: 0 -> 2 (why)`; a member of a group goes from off to on, or back."""
    parts = (
        f"group {change.group}" if change.group else "",
        f"{card_name(pool, change.card)} [{change.card}]" if change.card else "",
    )
    subject = ", ".join(filter(None, parts))
    old, new = (level_text(level, bool(change.group)) for level in (change.before, change.after))
    return f"{subject}: {old} -> {new}" + (f"  {change.why}" if change.why else "")


def made_words(announcement: Announcement) -> str:
    """`2026-05-22 20:00`, in UTC; `not known` where nobody knows when it was made."""
    return f"{announcement.made:%Y-%m-%d %H:%M}" if announcement.made_known else "not known"
