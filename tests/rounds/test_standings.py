"""Standings: points and tie-breaks to the figure, each with its sum."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from carddb.game.parts import RoundsSpec
from carddb.rounds.model import Match, MatchResult, Round, Tournament, possible_results
from carddb.rounds.standings import Standings
from tests.rounds.samples import PLAIN, tournament

WAR = RoundsSpec(
    best_of=3, draws=True, tiebreaks=("strength_of_schedule", "extended_strength_of_schedule", "game_points", "random")
)


def after(count: int, rules: RoundsSpec, *rounds: tuple[tuple[int, int | None, tuple[int, int]], ...]) -> Tournament:
    """A tournament after rounds of pairs with results."""
    played = [
        Round(at, "swiss", tuple(Match(n, a, b, "", MatchResult(*won)) for n, (a, b, won) in enumerate(pairs, 1)))
        for at, pairs in enumerate(rounds, 1)
    ]
    return replace(tournament(count, rules), rounds=tuple(played))


def test_the_figures_are_those_of_a_reckoning_by_hand() -> None:
    """Points, the opponents' points for each round, those of their opponents, and games won, each opened to its sum."""
    state = after(4, WAR, ((1, 2, (2, 0)), (3, 4, (2, 1))), ((1, 3, (1, 1)), (2, 4, (2, 0))))
    rows = {row.entrant.id: row for row in Standings(state).rows}
    assert [row.record.points for row in rows.values()] == [4, 4, 3, 0]
    assert list(rows) == [1, 3, 2, 4]
    first = rows[1].figures
    assert first["strength_of_schedule"].value == Fraction(3 + 4, 4)
    assert first["strength_of_schedule"].sum == "(P2 1.500 + P3 2) / 2"
    assert str(first["strength_of_schedule"]) == "1.750"
    third = (Fraction(2) + 0) / 2
    assert first["extended_strength_of_schedule"].value == ((Fraction(2) + 0) / 2 + (third + 1) / 2) / 2
    assert (str(first["game_points"]), first["game_points"].sum) == ("3", "games won: 3")


def test_a_bye_counts_as_a_win_and_as_no_opponent() -> None:
    """A bye brings the points and games of a win, and nothing to the opponents' figures."""
    row = Standings(after(3, WAR, ((1, 2, (0, 2)), (3, None, (2, 0))))).rows[0]
    assert (row.entrant.id, row.record.points, row.record.games) in {(3, 3, 2), (2, 3, 2)}
    figures = {row.entrant.id: row.figures for row in Standings(after(3, WAR, ((3, None, (2, 0)),))).rows}
    assert figures[3]["strength_of_schedule"].sum == "no opponent yet"


def test_head_to_head_counts_among_those_who_all_met() -> None:
    """Of two with equal points who have met the winner is first; in a circle of three it says nothing."""
    rules = RoundsSpec(tiebreaks=("head_to_head", "random"))
    assert [row.entrant.id for row in Standings(after(2, rules, ((2, 1, (1, 0)),))).rows] == [2, 1]
    pairs = after(4, rules, ((2, 1, (1, 0)), (4, 3, (0, 1))), ((1, 4, (1, 0)), (3, 2, (0, 1))))
    assert Standings(pairs).rows[0].entrant.id == 2
    circle = after(3, rules, ((1, 2, (1, 0)),), ((2, 3, (1, 0)),), ((3, 1, (1, 0)),))
    assert {str(row.figures["head_to_head"]) for row in Standings(circle).rows} == {"3"}


def test_lots_are_the_same_for_the_same_seed() -> None:
    """Players with nothing between them are ordered by a lot that the seed draws."""
    orders = {tuple(row.entrant.id for row in Standings(tournament(9, seed=seed)).rows) for seed in (1, 1, 2)}
    assert len(orders) == 2


def test_results_are_those_that_the_rules_allow() -> None:
    """A match of three ends 2-0 to 0-2, one of one 1-0 or 0-1; equal games without draws are lost by both."""
    assert list(map(str, possible_results(WAR))) == ["2-0", "1-0", "2-1", "0-0", "1-1", "0-1", "1-2", "0-2"]
    assert list(map(str, possible_results(RoundsSpec()))) == ["1-0", "0-0", "0-1"]
    assert MatchResult(1, 1) not in possible_results(WAR, is_elimination=True)
    both = Standings(after(2, RoundsSpec(), ((1, 2, (0, 0)),))).rows
    assert [row.record.points for row in both] == [0, 0]
    assert [row.record.points for row in Standings(after(2, PLAIN, ((1, 2, (0, 0)),))).rows] == [1, 1]
