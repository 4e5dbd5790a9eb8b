"""What a level says besides a number of copies, and which cards a group names besides its members, in words."""

from __future__ import annotations

from carddb.bans.log import UNBOUNDED, GroupSpec, LevelSpec, ListSpec


def price_words(level: LevelSpec) -> list[str]:
    """`3 points a copy`, `at most 1 different card`: what a level says besides a number of copies."""
    out = []
    if level.at_most_different is not None:
        many = level.at_most_different
        out.append(f"at most {many} different {'card' if many == 1 else 'cards'}")
    if level.points:
        out.append(f"{level.points} {'point' if level.points == 1 else 'points'} a copy")
    if level.surcharge:
        out.append(f"a surcharge of {level.surcharge} a copy")
    if level.exempt:
        out.append("exempt from groups")
    return out


def bounds_copies(level: LevelSpec) -> bool:
    """Whether a level whose meaning is known says how many copies are allowed."""
    return level.most is not None and level.most < UNBOUNDED


def budget_words(ban_list: ListSpec) -> str:
    """`A deck may spend at most 7 points.`; empty for a list without a budget."""
    return "" if ban_list.budget is None else f"A deck may spend at most {ban_list.budget} points."


def surcharge_words(ban_list: ListSpec) -> str:
    """`Surcharges count as influence.`; empty for a list without them."""
    return f"Surcharges count as {ban_list.surcharge_of}." if ban_list.surcharge_of else ""


def query_words(group: GroupSpec) -> str:
    """`the cards that match set:core`; empty for a group without a query."""
    return f"the cards that match {group.query}" if group.query else ""
