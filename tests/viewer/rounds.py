"""A whole round of every rule system by keyboard alone and by mouse alone, in a real window.

``xvfb-run -a -s "-screen 0 1280x800x24" python -m tests.viewer.rounds FOLDER [NAME…]``, where a NAME is a map of
`GAMES`, ``keys`` or ``mouse``.  Everybody goes somewhere, whatever is asked on the way is answered, and the turn is
ended; what came of it is held against the kept game, and pictures are left in FOLDER for somebody to look at.
"""

from __future__ import annotations

import shutil
import sys
import time
import traceback
from pathlib import Path

from tactical.movement.reach import Reach
from tactical.show import rolls
from tactical.units import Cell
from tests.viewer.evening import STRIP
from tests.viewer.hands import OPEN, Hands

GAMES = {
    "village": "operator", "starport": "d6-reup", "vehicle-yard": "d6-revised", "river-crossing": "twelve-second",
    "cliff-town": "shapers",
}  # fmt: skip
ORDER, ONWARD = (102, STRIP), (860, STRIP)
"""The buttons of the strip in a window of 1280 by 800."""
NUMBER = (1010, 220)
"""The first number that the game master is offered, in the panel."""
MOST_ASKED = 8
"""Questions on one way at the most."""


def goal(hands: Hands, who: str) -> Cell | None:
    """Somewhere this turn gets to that is neither next door nor at the end; nowhere for who cannot move."""
    found = hands.game().reach(who)
    assert isinstance(found, Reach)
    near = [cell for cell in found.cells() if found.turn(cell) == 1 and cell.level == found.start.cell.level]
    free = sorted((found.cost(cell), cell) for cell in near if cell != found.start.cell)
    return free[len(free) // 2][1] if free else None


def unnumbered(hands: Hands) -> tuple[int, ...]:
    """The numbers offered for the roll that is waited for, where it has none of its own."""
    check = rolls.asked(hands.game())
    return rolls.numbers_for(check) if check is not None and rolls.unnumbered(check) else ()


class Keys:
    """Hands that never leave the keyboard."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        hands.do("mousemove", 2, 798)  # out of the way

    def order(self) -> None:
        """Take turns in order."""
        self.hands.key("n")

    def go(self, who: str, cell: Cell) -> None:
        """The cursor begins where the mover stands."""
        here = self.hands.game().position.status(who).state.cell
        for less, more, by in (("Left", "Right", cell.col - here.col), ("Up", "Down", cell.row - here.row)):
            for _ in range(abs(by)):
                self.hands.key(more if by > 0 else less, wait=0.08)
        time.sleep(0.6)
        self.hands.key("Return", wait=1.4)

    def answer(self) -> None:
        """The first answer that is offered; a number that is asked for before is typed."""
        if numbers := unnumbered(self.hands):
            self.hands.type(str(numbers[0]))
            self.hands.key("Return")
        self.hands.key("Return", wait=1.4)

    def end(self) -> None:
        """End the turn."""
        self.hands.key("Escape", "space", wait=0.9)


class Mouse:
    """Hands that never touch the keyboard."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands

    def order(self) -> None:
        """Take turns in order."""
        self.hands.click(ORDER)

    def go(self, who: str, cell: Cell) -> None:
        """A click on the cell."""
        self.hands.click(self.hands.battlemap.name_of(cell), wait=1.6)

    def answer(self) -> None:
        """The button in the strip does what the first one of the question does; a number is chosen before."""
        if unnumbered(self.hands):
            self.hands.click(NUMBER)
        self.hands.click(ONWARD, wait=1.4)

    def end(self) -> None:
        """The button in the strip ends the turn."""
        self.hands.click(ONWARD, wait=0.9)


def play(folder: Path, name: str, by: type[Keys | Mouse]) -> None:
    """One round."""
    hands = Hands(folder, name)
    assert {hands.battlemap.rules} == {GAMES[name]}
    hand = by(hands)
    for _ in range(3):
        # on a busy machine the window may not listen yet
        if not hands.game().position.order:
            hand.order()
            time.sleep(1.0)
    order = hands.game().position.order
    assert order, "turns are taken in order"
    moved = stuck = 0
    for n, _ in enumerate(order):
        game = hands.game()
        who = game.active
        before = game.position.status(who).state.cell
        where = goal(hands, who)
        if where is not None:
            hand.go(who, where)
            for _ in range(MOST_ASKED):
                if hands.game().position.pending is None:
                    break
                hands.picture(f"{n}-{who}-asked")
                hand.answer()
            assert hands.game().position.pending is None, f"{who} is still asked"
            went = hands.game().position.status(who).state.cell != before
            moved, stuck = moved + went, stuck + (not went)
        hands.picture(f"{n}-{who}")
        for _ in range(2):
            if hands.game().active == who and hands.game().position.round == 1:
                hand.end()
        assert hands.game().active != who or hands.game().position.round == 2, f"{who}'s turn does not end"
    assert hands.game().position.round == 2
    assert moved >= len(order) // 2, (moved, stuck)
    said = hands.close()
    assert "Traceback" not in said, said


def main(folder: Path, names: list[str]) -> int:
    """Play them all; the exit status says whether all went well."""
    failed = []
    ways: dict[str, type[Keys | Mouse]] = {"keys": Keys, "mouse": Mouse}
    wanted = [(game, way) for game in GAMES for way in ways if not names or game in names or way in names]
    for game, way in wanted:
        place = folder / f"{game}-{way}"
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        try:
            play(place, game, ways[way])
        except Exception:
            traceback.print_exc()
            failed.append((game, way))
        for process in OPEN:
            process.terminate()
            process.wait(20)
        OPEN.clear()
        print(game, way, "FAILED" if (game, way) in failed else "done", flush=True)
    print(f"{len(wanted) - len(failed)} of {len(wanted)} rounds")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
