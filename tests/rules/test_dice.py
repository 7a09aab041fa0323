from __future__ import annotations

from fractions import Fraction
from itertools import product
from random import Random

import pytest

from tactical.rules.dice import (
    Pool,
    chance,
    chance_at_most,
    chance_with,
    roll,
    spread,
    throw,
)


def brute(dice: int, sides: int = 6) -> dict[int, int]:
    counts: dict[int, int] = {}
    for faces in product(range(1, sides + 1), repeat=dice):
        counts[sum(faces)] = counts.get(sum(faces), 0) + 1
    return counts


@pytest.mark.parametrize("code", ["1D", "2D", "3D+2", "4D+1", "5D"])
def test_odds_agree_with_counting_every_throw(code: str) -> None:
    pool = Pool.parse(code)
    counts = brute(pool.dice)
    assert dict(spread(pool)) == {total + pool.pips: Fraction(n, 6**pool.dice) for total, n in counts.items()}
    for number in range(0, 6 * pool.dice + 5):
        expected = Fraction(sum(n for total, n in counts.items() if total + pool.pips >= number), 6**pool.dice)
        assert chance(pool, number) == expected


def wild_at_least(dice: int, number: int, depth: int = 0) -> Fraction:
    """The wild die by plain recursion over its faces."""
    rest = brute(dice - 1)
    whole = 6 ** (dice - 1)
    found = Fraction(0)
    for face in range(1, 7):
        if face < 6:
            found += Fraction(1, 6) * Fraction(sum(n for t, n in rest.items() if t + face >= number), whole)
        elif 6 + (dice - 1) >= number:
            found += Fraction(1, 6)
        else:
            found += Fraction(1, 6) * wild_at_least(dice, number - 6, depth + 1)
    return found


@pytest.mark.parametrize("dice", [1, 2, 3])
@pytest.mark.parametrize("number", [1, 5, 6, 7, 12, 13, 18, 19, 25, 31])
def test_the_wild_die_has_exact_odds_without_end(dice: int, number: int) -> None:
    assert chance(Pool(dice), number, wild=True) == wild_at_least(dice, number)
    assert sum(part for _, part in spread(Pool(dice), number, wild=True)) == 1


def test_pips_shift_the_wild_pool_too() -> None:
    assert chance(Pool(2, 2), 14, wild=True) == chance(Pool(2), 12, wild=True)


@pytest.mark.parametrize("wild", [False, True])
def test_throws_fall_as_the_odds_say(wild: bool) -> None:
    pool, source, top = Pool(3, 1), Random(7), 22
    counts = dict.fromkeys(range(4, top + 1), 0)
    for _ in range(20000):
        counts[min(roll(pool, source, wild=wild).total, top)] += 1
    for number, seen in counts.items():
        part = chance(pool, number, wild=wild) - (chance(pool, number + 1, wild=wild) if number < top else 0)
        assert abs(seen / 20000 - part) < 0.012


def test_the_same_seed_throws_the_same() -> None:
    assert [roll(Pool(5), Random(3), wild=True) for _ in range(4)] == [roll(Pool(5), Random(3), wild=True)] * 4


def test_a_wild_one_only_sets_a_flag() -> None:
    for seed in range(200):
        thrown = roll(Pool(2), Random(seed), wild=True)
        assert thrown.complication == (thrown.dice[1] == 1)
        assert thrown.total == sum(thrown.dice)
        assert len(thrown.dice) > 2 or thrown.dice[1] != 6
        assert not roll(Pool(2), Random(seed)).complication


def test_pools_lose_dice_and_their_pips_with_the_last() -> None:
    assert str(Pool.parse("4D+1").less(1)) == "3D+1"
    assert Pool(3, 2).less(3) == Pool(0) == Pool(1).less(5)
    assert Pool(3, 2).less(4, floor=1) == Pool(1)
    assert Pool(3, 2).plus(Pool(1, 2)) == Pool(5, 1)
    assert Pool.parse("3d + 2").all_pips == 11
    assert roll(Pool(0, 2), Random(1)).total == 0
    assert chance(Pool(0, 2), 1) == 0


@pytest.mark.parametrize("code", ["", "D", "4", "4D-1", "-1D", "4D+", "2D6"])
def test_what_is_no_code_is_refused(code: str) -> None:
    with pytest.raises(ValueError, match="dice code"):
        Pool.parse(code)


def test_single_dice() -> None:
    assert [chance_at_most(20, n) for n in (-3, 0, 4, 20, 25)] == [0, 0, Fraction(1, 5), 1, 1]
    assert chance_at_most(100, 55) == Fraction(11, 20)
    for modifier, dc in product((-2, 0, 5), (1, 10, 20, 27)):
        assert chance_with(20, modifier, dc) == Fraction(sum(f + modifier >= dc for f in range(1, 21)), 20)
    assert {throw(20, Random(seed)) for seed in range(300)} == set(range(1, 21))
