"""What is wrong with announcements."""

from __future__ import annotations

from datetime import UTC, date, datetime

from carddb.bans.edition import fingerprint
from carddb.bans.lint import KnownCards, Places, faults, lint
from carddb.bans.log import Announcement, GroupSpec, Log
from carddb.bans.state import history, holds, state
from carddb.findings import Finding, Place, Severity
from tests.bans.samples import GROUPS, LEVELS, card, corrected, day, group, log, told, withdrawn
from tests.rows import every

CARDS = ("A", "B", "C", "Archer")
T = told("t", 1, 10, card("A", 0, 2))


def codes(found: list[Finding], least: Severity = Severity.WARNING) -> list[str]:
    order = list(Severity)
    return [finding.code for finding in found if order.index(finding.severity) <= order.index(least)]


def wrong(known: Log, *new: Announcement) -> list[str]:
    return codes(faults(known, new, KnownCards(CARDS)))


def test_a_sound_log_has_no_findings() -> None:
    """Changes, groups, a withdrawal and a correction in good order are not remarked on."""
    found = log(
        T,
        told("g", 2, 8, group("riders", 0, 1)),
        withdrawn("w", 12, 16, "t"),
        told("u", 14, 20, card("A", 0, 1)),
        corrected("c", 15, 20, "u", card("A", 0, 3)),
    )
    assert codes(lint(found, KnownCards(CARDS))) == []


@every("days, wanted", [(2, ["ban_window"]), (3, []), (14, []), (15, ["ban_window"])])
def test_the_window(days: int, wanted: list[str]) -> None:
    """C-146: 3 to 14 days' notice are allowed; the finding names the days and what is allowed, and a waiver excuses."""
    new = told("t", 1, 1 + days, card("A", 0, 2))
    found = faults(log(), [new], KnownCards(CARDS))
    assert codes(found) == wanted
    for finding in found:
        assert finding.data == {"days": days, "least": 3, "most": 14, "list": "long"}
        assert f"{days} days of notice, but 3 to 14 days are allowed" in finding.message
        assert "2026-06-04 to 2026-06-15" in finding.fix
    assert wrong(log(), new._replace(waiver="an exploit")) == ([] if wanted else ["ban_waiver_expired"])


def test_the_window_over_a_change_of_clocks() -> None:
    """C-146: three days are three days where one of them has 23 hours and the message came late in the evening."""
    late = datetime(2026, 3, 7, 4, 30, tzinfo=UTC)
    assert wrong(log(), told("t", late, date(2026, 3, 9), card("A", 0, 2))) == []
    assert wrong(log(), told("t", late.replace(hour=5), date(2026, 3, 9), card("A", 0, 2))) == ["ban_window"]


def test_a_withdrawal_of_what_is_in_force_is_a_change() -> None:
    """C-146: taking back what is in force needs notice; forestalling needs none, and a correction needs none."""
    assert wrong(log(T), withdrawn("w", 12, 13, "t")) == ["ban_window"]
    assert wrong(log(T), withdrawn("w", 9, 10, "t")) == []
    assert wrong(log(T), corrected("c", 12, 14, "t", card("B", 0, 2))) == []


def test_what_is_excused_is_told() -> None:
    """C-146: a correction that reaches back is warned of, one at short notice remarked on; a waiver silences both."""
    back = corrected("c", 12, 10, "t", card("B", 0, 2))
    (finding,) = faults(log(T), [back], KnownCards(CARDS))
    assert finding.code == "ban_window" and finding.severity is Severity.WARNING
    assert "-2 days of notice, but 3 to 14 days are allowed" in finding.message
    assert wrong(log(T), back._replace(waiver="the wrong card was named")) == []
    soon = faults(log(T), [withdrawn("w", 9, 10, "t")], KnownCards(CARDS))
    assert codes(soon) == [] and codes(soon, Severity.INFO) == ["ban_window"]


def test_the_level_before_is_an_assertion() -> None:
    """A change that starts from another level than the one that stands is refused, and who set that is named."""
    (finding,) = faults(log(T), [told("u", 12, 16, card("A", 1, 3))], KnownCards(CARDS))
    assert finding.code == "ban_from_differs" and finding.severity is Severity.ERROR
    assert finding.data == {"from": 1, "level": 2, "announcement": "t"}
    assert wrong(log(T), told("u", 12, 16, card("A", 2, 3))) == []
    assert wrong(log(), told("g", 1, 5, group("riders", 1, 0))) == ["ban_from_differs"]


def test_the_level_before_what_is_replaced() -> None:
    """What takes another's place may start from where that one started."""
    assert wrong(log(T), corrected("c", 4, 10, "t", card("A", 0, 1))) == []
    assert wrong(log(T), corrected("c", 12, 16, "t", card("A", 2, 1))) == []
    assert wrong(log(T), corrected("c", 12, 16, "t", card("A", 3, 1))) == ["ban_from_differs"]
    assert wrong(log(T), told("u", 3, 12, card("A", 0, 1), supersedes="t")) == []


def test_overlapping_windows() -> None:
    """Overtaking is warned of, following is only remarked on, superseding is neither; of one day one is refused."""
    (overtakes,) = faults(log(T), [told("u", 3, 8, card("A", 0, 1))], KnownCards(CARDS))
    assert (overtakes.code, overtakes.severity) == ("ban_overlap", Severity.WARNING)
    (same,) = faults(log(T), [told("u", 3, 10, card("A", 2, 1))], KnownCards(CARDS))
    assert (same.code, same.severity, same.data) == ("ban_overlap", Severity.ERROR, {"other": "t"})
    mended = told("u", 3, 10, card("A", 0, 1), supersedes="t")
    assert wrong(log(T), mended) == []
    assert wrong(log(T, mended), told("v", 4, 10, card("A", 0, 3), supersedes="u")) == []
    assert wrong(log(T, withdrawn("w", 4, 8, "t")), told("v", 5, 10, card("A", 0, 3))) == []
    follows = faults(log(T), [told("u", 3, 12, card("A", 2, 1))], KnownCards(CARDS))
    assert codes(follows) == [] and codes(follows, Severity.INFO) == ["ban_overlap"]
    assert wrong(log(T), told("u", 3, 8, card("A", 0, 1), supersedes="t")) == []
    assert wrong(log(T), told("u", 12, 16, card("A", 2, 1))) == []


def test_windows_that_overlap_on_a_list() -> None:
    """Of two announcements that wait at once it is told which overtakes, whatever cards they are about."""
    slow, quick = told("t", 1, 12, card("A", 0, 2)), told("u", 3, 8, card("B", 0, 1))
    (finding,) = lint(log(slow, quick), KnownCards(CARDS))
    assert finding.code == "ban_overlap" and finding.severity is Severity.INFO
    assert "u is announced on 2026-06-03 for 2026-06-08, while t" in finding.message
    assert "announced on 2026-06-01 for 2026-06-12, is pending on the long list" in finding.message
    assert finding.message.endswith("; u takes effect first") and finding.data == {"other": "t", "list": "long"}
    assert lint(log(slow, told("u", 3, 8, card("B", 0, 1, "short"))), KnownCards(CARDS)) == []
    assert lint(log(slow, told("u", 12, 16, card("B", 0, 1))), KnownCards(CARDS)) == []
    taken_back = lint(log(slow, withdrawn("w", 5, 7, "t"), told("u", 8, 12, card("B", 0, 1))), KnownCards(CARDS))
    assert codes(taken_back, Severity.INFO) == ["ban_window"]


def test_everything_unknown_is_named() -> None:
    """Lists, cards, groups, levels and targets that do not exist are each an error, with the nearest that does."""
    new = told("u", 1, 5, card("Archr", 0, 1), card("A", 0, 7), group("rider", 0, 1), card("B", 0, 1, "lon"))
    found = faults(log(), [new, withdrawn("w", 2, 6, "tt")], KnownCards(CARDS, {("u", 0): Place("f", 7)}))
    assert [finding.code for finding in found] == [
        "ban_card_unknown", "ban_level_unknown", "ban_group_unknown", "ban_list_unknown", "ban_target_unknown",
    ]  # fmt: skip
    assert found[0].fix == "Did you mean Archer?" and found[0].where[0].line == 7
    assert all(finding.severity is Severity.ERROR for finding in found)


def test_what_changes_nothing() -> None:
    """A change to the same level, and a second withdrawal, are refused."""
    assert wrong(log(T), told("u", 12, 16, card("A", 2, 2))) == ["ban_no_op"]
    assert wrong(log(T, withdrawn("w", 5, 9, "t")), withdrawn("x", 6, 9, "t")) == ["ban_no_op"]


def test_a_withdrawal_of_what_stands_again() -> None:
    """What a withdrawal took back and another gave back can be withdrawn again."""
    known = log(T, withdrawn("w", 12, 16, "t"), withdrawn("x", 17, 20, "w"))
    assert wrong(known, withdrawn("y", 21, 25, "t")) == []
    assert wrong(known, withdrawn("y", 21, 25, "w")) == ["ban_no_op"]


def test_a_withdrawal_of_what_was_replaced() -> None:
    """Taking back an announcement whose place another has taken changes nothing, and that is warned of."""
    mended = log(T, corrected("c", 4, 10, "t", card("A", 0, 1)))
    (finding,) = faults(mended, [withdrawn("w", 12, 16, "t")], KnownCards(CARDS))
    assert finding.code == "ban_no_op" and finding.severity is Severity.WARNING
    assert wrong(mended, withdrawn("w", 12, 16, "c")) == []


def test_what_stands_twice() -> None:
    """An id that was given, and a card that is changed twice at once, are refused."""
    assert wrong(log(T), T) == ["ban_duplicate"]
    assert wrong(log(), told("u", 1, 5, card("A", 0, 1), card("A", 0, 2))) == ["ban_duplicate"]


def test_a_group_of_unknown_cards() -> None:
    """Members and anchors of groups are looked up too."""
    groups = {"g": GroupSpec("g", ("A", "Nobody"), anchor="Nothing")}
    assert codes(lint(log(groups=groups), KnownCards(CARDS))) == ["ban_card_unknown"] * 2
    assert lint(log(groups=groups)) == []


def test_why_a_pair_is_held() -> None:
    """C-149: a pair is held by each one's level and by the groups that hold both; one card by every group it is in."""
    found = log(T, told("g", 2, 8, group("riders", 0, 1, why="too fast")))
    now = state(found, "long", day(12))
    assert [(hold.card, hold.group and hold.group.key) for hold in holds(found, now, ["A", "B"])] == [
        ("A", None),
        ("", "riders"),
    ]
    assert [hold.standing.why for hold in holds(found, now, ["B"])] == ["too fast"]
    assert holds(found, now, ["B", "Archer"]) == []
    assert [step.announcement.id for step in history(found, "long", "A")] == ["t", "g"]


def test_an_anchor_holds_the_others_only_with_itself() -> None:
    """C-149: two cards that an anchor forbids may be played together."""
    groups = {"g": GroupSpec("g", ("A", "B"), anchor="C")}
    found = log(told("x", 2, 8, group("g", 0, 1)), groups=groups)
    now = state(found, "long", day(12))
    assert holds(found, now, ["A", "B"]) == []
    assert len(holds(found, now, ["C", "B"])) == len(holds(found, now, ["B"])) == 1


def test_the_fingerprint_is_that_of_what_the_list_says() -> None:
    """Two days on which a list says the same have one fingerprint; a card, level, meaning or group more is another."""
    found = log(T, told("g", 9, 20, group("riders", 0, 1)))

    def of(number: int, **more: object) -> str:
        parts = {"levels": LEVELS, "groups": GROUPS, **more}
        return fingerprint(state(found, "long", day(number)), **parts)  # type: ignore[arg-type]

    assert of(10) == of(19) != of(20)
    assert len({of(9), of(10), of(20)}) == 3
    assert of(10, levels={**LEVELS, 2: LEVELS[2]._replace(status="official")}) != of(10)
    assert of(10, levels={**LEVELS, 3: LEVELS[3]._replace(status="official")}) == of(10)
    assert of(20, groups={"riders": GROUPS["riders"]._replace(at_most=2)}) != of(20)


def test_a_list_for_a_format_that_there_is_not() -> None:
    """A list whose format is not known binds no deck: that is a warning with the nearest format and its line."""
    places: Places = {("list", "long"): Place("bans.yaml", 7)}
    known = KnownCards(CARDS, places, formats=("war", "battle"))
    lists = {**log().lists, "long": log().lists["long"]._replace(format="wra")}
    found = lint(log()._replace(lists=lists), known)
    assert [(finding.code, finding.fix, finding.where[0].line) for finding in found] == [
        ("ban_format_unknown", "Did you mean war?", 7)
    ]
    assert lint(log(), known) == []


def test_a_waiver_that_the_rules_do_not_know_excuses_nothing() -> None:
    """C-146: without waivers a new announcement is refused as any other; one that is held already is warned of."""
    new = told("t", 1, 2, card("A", 0, 2))._replace(waiver="an exploit")
    cards = KnownCards(CARDS, waivers=False)
    (refused,) = faults(log(), [new], cards)
    assert refused.code == "ban_window" and refused.severity is Severity.ERROR and "waiver." not in refused.fix
    (held,) = lint(log(new), cards._replace(held={"t"}))
    assert held.code == "ban_window" and held.severity is Severity.WARNING
    assert state(log(new), "long", day(2)).levels["A"].level == 2
