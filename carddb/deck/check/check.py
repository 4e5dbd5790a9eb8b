"""May I play this deck? Sections, roles, format, limits and ban lists, with all findings at once."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from carddb.cards.cards import Deck, Entry, Pool
from carddb.core.groups import totals
from carddb.core.plain_text import amount, is_or_are, listed
from carddb.deck.check import formats, limits
from carddb.deck.context import Check, Context, Facts, Fix, View, cards, copies, finding, last, places
from carddb.findings import Finding, Place, Severity, error, in_order
from carddb.game.game import GameSpec
from carddb.game.rule_parts import Misplaced, SectionSpec


def check_roles(view: View) -> Iterator[Finding]:
    """Yields a finding for each role that not exactly one card fills; an optional role may be empty."""
    for key, role in view.spec.roles.items():
        entries = view.players(role)
        count, name = copies(entries), role.label or key.replace("_", " ").capitalize()
        if count != 1 and not (role.optional and not entries):
            section = {"section": role.over[0]} if role.over else {}
            one = Fix.add(1, f"as {name}", "card", match=role.match, **section)
            remedy = Fix.offered(Fix.remove(last(entries, count - 1)) if count else one)
            message = f"{name}: {amount(count)}, exactly 1 is needed"
            where, data = places(entries) or (view.file,), {"role": key, "count": count, "limit": 1}
            yield error(role.code, message, *where, data=data, rules=role.rules, **remedy)


def sizes(view: View) -> Iterator[Finding]:
    """Yields a finding for each section with too few or too many cards."""
    for key, section in view.spec.sections.items():
        least, most = section.size
        count, name = view.sizes.get(key, 0), view.spec.section_label(key)
        guilty: tuple[Place, ...] = (view.file,)
        if count < least:
            bound, words = least, f"at least {least} {is_or_are(least)} needed"
            fix = Fix.add(least - count, f"to {name}", "card", section=key)
        elif most is not None and count > most:
            entries = [entry for entry in view.deck.entries if entry.section == key]
            surplus = last(entries, count - most)
            beyond = {card.ref for card in surplus}
            bound, words = most, f"at most {most} {is_or_are(most)} allowed"
            fix = Fix.remove(surplus)
            guilty = places(entry for entry in entries if entry.ref in beyond)
        else:
            continue
        message, data = f"{name}: {amount(count)}, {words}", {"section": key, "count": count, "limit": bound}
        yield error(section.code, message, *guilty, data=data, rules=section.rules, **Fix.offered(fix))


def misplaced(view: View) -> Iterator[Finding]:
    """Yields findings about cards in sections where they do not belong."""
    strict = {
        key: (section, [wrong for wrong in section.wrong if view.applies(wrong)])
        for key, section in view.spec.sections.items()
        if section.types or section.wrong
    }
    guilty: dict[tuple[str, str, str | None], list[tuple[Entry, Misplaced]]] = defaultdict(list)
    for entry, facts in view.entries:
        if entry.section in strict and facts.type in view.spec.types:
            fault = _fault(*strict[entry.section], facts)
            if fault:
                open_to_it = [key for key in view.spec.sections if key not in strict or not _fault(*strict[key], facts)]
                # Of the sections that accept the card, prefer one that names its type.
                home = min(open_to_it, key=lambda key: facts.type not in view.spec.sections[key].types, default=None)
                guilty[entry.section, fault.code, home].append((entry, fault))
    for (key, code, home), pairs in guilty.items():
        entries, section, name = [entry for entry, _ in pairs], view.spec.sections[key], view.spec.section_label(key)
        wrong, count = cards(entries), copies(entries)
        fix = Fix.move(wrong, view.spec.section_label(home), home) if home else Fix.remove(wrong)
        kinds = listed(sorted({view.spec.label_of(entry.card.type) for entry in entries if entry.card}))
        message = f"{name}: {amount(count)} that may not be there ({kinds}): {Fix.counted(wrong)}"
        severity = Severity.ERROR if section.counted else Severity.WARNING
        data = {"section": key, "count": count, "limit": 0}
        yield finding(code, message, entries, data, fix, rules=pairs[0][1].rules, severity=severity)


def _fault(section: SectionSpec, in_force: Sequence[Misplaced], facts: Facts) -> Misplaced | None:
    """Returns the rule by which a card does not belong in a section, one of `in_force` or a new one, or None."""
    if section.wrong:
        return next((wrong for wrong in in_force if wrong.match in facts.queries), None)
    if facts.type in section.types:
        return None
    return Misplaced(match="", code="card_misplaced", rules=section.rules)


def not_in_others(view: View) -> Iterator[Finding]:
    """Yields a finding for each section with cards that are missing in the sections from which it must be picked."""
    for key, section in view.spec.sections.items():
        tally = totals((entry.ref, entry.count) for entry in view.deck.entries if entry.section in section.part_of)
        lacking: list[Entry] = []
        for entry in view.deck.entries if section.part_of else ():
            if entry.section == key:
                beyond = min(entry.count, max(0, entry.count - tally[entry.ref]))
                tally[entry.ref] -= entry.count
                if beyond:
                    lacking.append(replace(entry, count=beyond))
        if lacking:
            guilty, count = cards(lacking), copies(lacking)
            others = listed([view.spec.section_label(other) for other in section.part_of])
            message = f"{view.spec.section_label(key)}: {amount(count)} that {others} lacks: {Fix.counted(guilty)}"
            data = {"section": key, "count": count, "limit": 0, "part_of": list(section.part_of)}
            yield finding(section.part_code, message, lacking, data, Fix.remove(guilty), rules=section.rules)


_RULES = (sizes, misplaced, not_in_others, check_roles)


def check(deck: Deck, spec: GameSpec, pool: Pool, context: Context, checks: Sequence[Check] = ()) -> list[Finding]:
    """Checks a deck by its game's sections, limits and formats, then by the game's own `checks`.

    Unknown cards count only towards the size of their section. The findings are sorted by file, line and code.
    """
    view = View(deck, spec, context)
    findings = [finding for rule in _RULES for finding in rule(view)]
    findings += [*limits.check(view, view.game_facts.always), *_format(view)]
    for extra in checks:
        findings += extra(deck, spec, pool, context)
    return in_order(findings)


def check_format(deck: Deck, spec: GameSpec, context: Context) -> list[Finding]:
    """Returns only the findings of a deck's format: its filters, rotation, and the limits that only it has."""
    return in_order(_format(View(deck, spec, context)))


def _format(view: View) -> list[Finding]:
    played = formats.in_force(view)
    own = view.game_facts.own.get(played.key, []) if played.key else []
    findings = [*played.findings, *limits.check(view, own)]
    if played.spec:
        findings += formats.check(view, played.spec)
    return findings
