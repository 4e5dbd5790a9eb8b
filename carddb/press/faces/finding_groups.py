"""Findings that many faces share, merged into one."""

from __future__ import annotations

from collections.abc import Iterable

from carddb.findings import Finding

_ALIKE = ("text_too_small", "contrast_low", "glyph_missing", "face_broken")


def merge_repeats(findings: Iterable[Finding]) -> list[Finding]:
    """Findings of one code and field become one where they come from the template or its fonts, not from one card."""
    groups: dict[object, list[Finding]] = {}
    for number, finding in enumerate(findings):
        of = (finding.code, finding.data.get("field"), finding.data.get("characters"))
        groups.setdefault(of if finding.code in _ALIKE else number, []).append(finding)
    return [_one(group) for group in groups.values()]


def _one(group: list[Finding]) -> Finding:
    first = group[0]
    cards = tuple(dict.fromkeys(card for finding in group for card in finding.cards))
    if len(cards) < 2:
        return first
    more = f"{first.message}; the same on {len(cards) - 1} more face{'s' if len(cards) > 2 else ''}"
    return first._replace(message=more, cards=cards)
