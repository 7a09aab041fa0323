"""An evening at the real window: the tasks a player and a game master come with, done by hand (`tests.viewer.hands`).

``xvfb-run -a -s "-screen 0 1280x800x24" python -m tests.viewer.evening FOLDER [TASK…]`` does them all, or those named,
holds what came of each against the kept game, and leaves pictures in FOLDER for somebody to look at.
"""

from __future__ import annotations

import shutil
import sys
import time
import traceback
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from tactical.play.events import Rolled
from tests.viewer.hands import OPEN, Hands

TASKS: dict[str, Callable[[Path], None]] = {}
STRIP = 716
"""The middle of the strip of turns, in a window of 1280 by 800."""


def task(act: Callable[[Path], None]) -> Callable[[Path], None]:
    """Put a task on the list."""
    TASKS[act.__name__] = act
    return act


def village(folder: Path, *more: str) -> Hands:
    """The village, with Raven selected."""
    return Hands(folder, "village", "--mover", "raven", *more)


def done(hands: Hands) -> None:
    """Close the window; it has said nothing of failures."""
    said = hands.close()
    assert "Traceback" not in said, said


# -- moving -----------------------------------------------------------------------------------------------------------


@task
def stand_up(folder: Path) -> None:
    """A posture by its key, at its price."""
    hands = village(folder)
    hands.key("1")
    hands.picture("stand-up")
    status = hands.game().position.status("raven")
    assert (status.state.posture, status.turn.spent) == ("standing", 15)
    done(hands)


@task
def move_act_move(folder: Path) -> None:
    """Part of the way, the action, the rest; what the action shut off is refused and told."""
    hands = village(folder)
    hands.key("1")
    hands.click("J13")
    hands.key("a")
    hands.point("O13")
    hands.picture("move-act-move")
    hands.click("J12")
    assert hands.at("raven") == "J12"
    assert hands.game().position.status("raven").turn.spent == 30
    done(hands)


@task
def cross_brush(folder: Path) -> None:
    """Over difficult ground, past a foe who may strike; the question is answered and the sum is right."""
    hands = village(folder)
    hands.point("N9")
    hands.picture("brush-price")
    hands.click("N9")
    hands.picture("brush-question")
    hands.key("Return", wait=1.5)
    hands.picture("brush-there")
    assert hands.at("raven") == "N9"
    assert hands.game().position.status("raven").turn.spent == 50
    done(hands)


@task
def two_turns(folder: Path) -> None:
    """A goal two turns away: as far as this turn goes, Space ends it, Space goes on."""
    hands = village(folder)
    hands.click("T9")
    hands.picture("two-turns-1")
    for _ in range(4):
        if hands.game().position.pending is not None:
            hands.key("Return", wait=1.4)
    hands.key("space", wait=1.2)
    hands.picture("two-turns-2")
    hands.key("space", wait=1.6)
    hands.picture("two-turns-3")
    assert hands.at("raven") == "T9"
    done(hands)


@task
def waypoints(folder: Path) -> None:
    """Waypoints by Ctrl-click, one taken back by the other button, then the way is gone."""
    hands = village(folder)
    hands.click("G13", held="ctrl")
    hands.click("F12", held="ctrl")
    hands.picture("waypoints")
    hands.click("F12", button=3)
    hands.point("I12")
    hands.picture("waypoint-back")
    hands.click("I12")
    assert hands.at("raven") == "I12"
    done(hands)


@task
def cancel(folder: Path) -> None:
    """Esc drops a plan, and nothing has happened."""
    hands = village(folder)
    hands.click("G13", held="ctrl")
    hands.key("Escape")
    hands.picture("cancelled")
    assert hands.at("raven") == "H14"
    done(hands)


@task
def switch_mover(folder: Path) -> None:
    """The next one by Tab, another by a click on the token, another in the strip."""
    hands = village(folder)
    hands.key("Tab")
    hands.picture("switched-tab")
    hands.click("N11")
    hands.picture("switched-token")
    hands.click((190, STRIP))
    hands.picture("switched-strip")
    done(hands)


@task
def pan_zoom(folder: Path) -> None:
    """The wheel zooms at the pointer, a drag on the ground moves the map, 0 shows it all again."""
    hands = village(folder)
    hands.point("N11")
    for _ in range(4):
        hands.do("click", 4, wait=0.1)
    time.sleep(0.8)
    hands.picture("zoomed")
    hands.drag([(600, 200), (500, 250), (400, 300)])
    hands.picture("dragged")
    hands.key("0")
    hands.picture("whole-again")
    done(hands)


@task
def door(folder: Path) -> None:
    """A click on a far door walks there and opens it."""
    hands = village(folder)
    hands.key("1")
    x, y = hands.pixel("I15")
    side = hands.camera.scale
    spot = round(x), round(y + side / 2 + 1)
    hands.point(spot)
    hands.picture("door-pointed")
    hands.click(spot, wait=2.0)
    hands.picture("door-opened")
    states = {one.id: one.state for one in hands.game().battlemap.barriers}
    assert states["smithy"].value == "open", states["smithy"]
    done(hands)


@task
def prone_at_the_end(folder: Path) -> None:
    """Arrive in a posture: panel, chip and status line say the same."""
    hands = village(folder)
    hands.key("1")
    hands.key("shift+3")
    hands.point("J13")
    hands.picture("prone-planned")
    hands.click("J13")
    status = hands.game().position.status("raven")
    assert (hands.at("raven"), status.state.posture) == ("J13", "prone")
    done(hands)


@task
def undo(folder: Path) -> None:
    """One press takes one step back; redo does it again."""
    hands = village(folder)
    hands.key("1")
    hands.click("J13")
    hands.key("z")
    assert hands.at("raven") == "H14"
    assert hands.game().position.status("raven").state.posture == "standing"
    hands.key("shift+z")
    assert hands.at("raven") == "J13"
    hands.picture("undone-redone")
    done(hands)


@task
def who_threatens(folder: Path) -> None:
    """By name beside the pointer; a foe pointed at shows its own reach; a way without strikes is offered and taken."""
    hands = village(folder)
    hands.point("M10", 1.0)
    hands.picture("threat-by-name")
    hands.point("N11", 1.2)
    hands.picture("threat-of-foe")
    hands.point("N9", 1.5)
    hands.picture("threat-safe-way")
    hands.click("N9", held="alt", wait=2.0)
    assert hands.at("raven") == "N9"
    assert hands.game().position.pending is None
    done(hands)


@task
def roll(folder: Path) -> None:
    """Chances on the cells at once; what cannot fail is told, the rest asked: a total typed in, the outcome told."""
    hands = Hands(folder, "starport", "--mover", "rhen")
    hands.point("S5", 3.0)
    hands.picture("roll-chances")
    hands.click("O4", wait=2.0)
    hands.picture("roll-sure")
    assert (hands.game().position.pending, hands.at("rhen")) == (None, "O4")
    hands.key("z", wait=1.0)
    reach = hands.game().reach("rhen")
    risky = sorted(cell for cell, one in reach.chances.items() if Fraction(1, 2) < one.chance < Fraction(19, 20))
    hands.click(hands.battlemap.name_of(risky[0]), wait=1.5)
    hands.picture("roll-asked")
    assert hands.game().position.pending is not None
    hands.key("2", "5", wait=0.4)
    hands.picture("roll-impossible")
    hands.key("BackSpace", "BackSpace", "2", "2", wait=0.4)
    hands.picture("roll-typed")
    hands.key("Return", wait=1.5)
    while hands.game().position.pending is not None:
        # swimming is rolled for by itself
        hands.key("1", "9", "Return", wait=1.5)
    hands.picture("roll-done")
    assert hands.at("rhen") == hands.battlemap.name_of(risky[0])
    done(hands)


@task
def vehicle(folder: Path) -> None:
    """A speeder: gaits with their rings, the ladder of speeds, no posture words."""
    hands = Hands(folder, "vehicle-yard", "--mover", "swoop")
    hands.point("B9", 1.5)
    hands.picture("vehicle-way")
    hands.key("f")
    hands.picture("vehicle-gait")
    hands.key("f", "f", "f", "f", wait=0.3)
    hands.click("B9", wait=2.0)
    hands.picture("vehicle-gone")
    while hands.game().position.pending is not None:
        hands.key("d", wait=1.5)
    assert hands.game().log, "it went, or fell on the way"
    done(hands)


@task
def end_turn(folder: Path) -> None:
    """In order, thrown for: Space held for a second ends one turn."""
    hands = village(folder)
    hands.key("shift+n")
    hands.picture("order-thrown")
    game = hands.game()
    row, first = game.position.order, game.position.active
    assert first == row[0]
    hands.do("keydown", "space", wait=1.0)
    hands.do("keyup", "space", wait=0.8)
    hands.picture("turn-ended")
    assert hands.game().position.active == row[1]
    done(hands)


@task
def plan_in_order(folder: Path) -> None:
    """With turns in order a plan of two turns waits for its mover: the others go in between, Space goes on with it."""
    path = folder / "lane.yaml"
    rows = "\n".join("  " + "." * 24 for _ in range(6))
    movers = "  - {id: ada, at: B2, side: a}\n  - {id: bo, at: B5, side: a}"
    path.write_text(f"schema: 1\nname: Lane\nrules: operator\nrows: |\n{rows}\nmovers:\n{movers}\n", encoding="utf-8")
    hands = Hands(folder, str(path), "--mover", "ada")
    hands.key("n")
    hands.click("S2", wait=2.0)
    hands.picture("plan-begun")
    half = hands.at("ada")
    assert half not in ("B2", "S2"), half
    hands.key("space", wait=1.0)
    assert hands.game().active == "bo"
    hands.click("F5", wait=1.6)
    assert hands.at("bo") == "F5"
    hands.key("space", wait=1.0)
    assert hands.game().active == "ada"
    hands.picture("plan-kept")
    hands.key("space", wait=2.0)
    hands.picture("plan-done")
    assert hands.at("ada") == "S2"
    done(hands)


@task
def menus(folder: Path) -> None:
    """The other button on a cell and on a token: go there, go prone, and the game master's hand."""
    hands = village(folder)
    hands.click("J13", button=3)
    hands.picture("menu-cell")
    hands.key("Down", "Return", wait=1.4)
    assert hands.at("raven") == "J13"
    hands.click("J13", button=3)
    hands.picture("menu-token")
    hands.key("Escape")
    hands.click("L14", button=3)
    hands.key("Up", "Return", wait=0.8)
    hands.picture("menu-master")
    hands.key("Down", "Return", wait=1.4)
    assert hands.at("raven") == "L14", "the game master puts who is selected there"
    hands.key("ctrl+z", wait=1.0)
    assert hands.at("raven") == "J13"
    done(hands)


# -- comparing, setting up, files -------------------------------------------------------------------------------------


@task
def compare(folder: Path) -> None:
    """Two goals kept as rows; the pointer on a row shows its way."""
    hands = village(folder)
    hands.click("J12", held="shift")
    hands.click("N9", held="shift")
    hands.point((600, 760))
    hands.picture("compared")
    done(hands)


@task
def set_up(folder: Path) -> None:
    """A stat is written, an option stepped, both taken back."""
    hands = village(folder)
    hands.key("ctrl+comma")
    for _ in range(5):
        hands.key("Down", wait=0.2)
    hands.key("Return")
    hands.key("BackSpace", "BackSpace", wait=0.2)
    hands.type("45")
    hands.picture("stat-written")
    hands.key("Return")
    hands.picture("stat-set")
    assert hands.game().battlemap.mover("raven").stats["speed"] == 45
    hands.key("ctrl+z")
    hands.key("Escape")
    assert "speed" not in hands.game().battlemap.mover("raven").stats
    done(hands)


@task
def save_and_load(folder: Path) -> None:
    """The game is kept by itself; another window goes on with it; Ctrl-O finds it."""
    hands = village(folder)
    hands.key("1")
    hands.click("J13")
    hands.key("ctrl+s")
    hands.picture("kept")
    kept = sorted((hands.settings / "tactical" / "games").glob("*.jsonl"))[-1]
    done(hands)
    again = Hands(folder, str(kept))
    again.key("ctrl+o", wait=2.5)
    again.picture("offered")
    again.key("Escape")
    again.click("J12")
    again.picture("gone-on")
    assert again.at("raven") == "J12"
    done(again)


@task
def big_map(folder: Path) -> None:
    """220 by 220 with thirty movers: 0 shows all of it, the small map and arrows lead."""
    rows = ["." * 220] * 220
    rows[100] = "." * 90 + "#" * 60 + "." * 70
    movers = "\n".join(
        f"  - {{id: m{n}, at: [{n * 7 % 219}, {n * 41 % 219}], side: {'a' if n % 2 else 'b'}}}" for n in range(30)
    )
    text = "schema: 1\nname: Plain of many\nrules: operator\nrows: |\n  " + "\n  ".join(rows)
    path = folder / "plain.yaml"
    legend = "legend: {'#': {terrain: rock, impassable: true}}"
    path.write_text(f"{text}\n{legend}\nmovers:\n{movers}\n", encoding="utf-8")
    hands = Hands(folder, str(path), "--mover", "m3")
    hands.picture("big-begin")
    hands.key("0", wait=1.5)
    hands.picture("big-whole")
    hands.key("0", wait=1.5)
    hands.picture("big-selected")
    done(hands)


# -- an evening -------------------------------------------------------------------------------------------------------

FIGHT = """schema: 1
name: The toll house
rules: operator
rows: |
  ,,,,,,......,,,,,,,,,,
  ,,T,,,......,,,,T,,,,,
  ,,,,,,......,,,,,,,,,,
  ,,,,________,,,,,,~~~~
  ,,,,________,,,,~~~~,,
  ....________......,,,,
  ....________..........
  ,,,,________,,,,bb,,,,
  ,,,,,,......,,,,bb,,,,
  ,,T,,,......,,,,,,,,,,
  ,,,,,,......,,,T,,,,,,
  ,,,,,,......,,,,,,,,,,
legend:
  ",": {terrain: grass}
  ".": {terrain: road}
  "_": {terrain: floor}
  "T": {terrain: tree, impassable: true}
  "b": {terrain: brush, difficult: true}
  "~": {terrain: mud, difficult: true}
barriers:
  - {line: [[4, 3], [12, 3]], kind: wall}
  - {line: [[4, 8], [6, 8]], kind: wall}
  - {id: south, line: [[6, 8], [7, 8]], kind: door, state: closed}
  - {line: [[7, 8], [12, 8]], kind: wall}
  - {line: [[4, 3], [4, 5]], kind: wall}
  - {id: west, line: [[4, 5], [4, 6]], kind: door, state: closed}
  - {line: [[4, 6], [4, 8]], kind: wall}
  - {line: [[12, 3], [12, 5]], kind: wall}
  - {id: east, line: [[12, 5], [12, 6]], kind: door, state: open}
  - {line: [[12, 6], [12, 8]], kind: wall}
movers:
  - {id: ada, name: Ada, at: B7, side: heroes}
  - {id: bo, name: Bo, at: B6, side: heroes, stats: {agile: true}}
  - {id: cil, name: Cil, at: G11, side: heroes}
  - {id: dov, name: Dov, at: H11, side: heroes, stats: {shield: true}}
  - {id: reeve, name: Reeve, at: H6, side: watch}
  - {id: pike, name: Pike, at: K6, side: watch}
"""


@task
def three_rounds(folder: Path) -> None:
    """Four heroes against the watch, three rounds: doors, dashes, strikes, the game master's hand, a closed window."""
    path = folder / "toll.yaml"
    path.write_text(FIGHT, encoding="utf-8")
    hands = Hands(folder, str(path), "--mover", "ada")
    hands.key("n")
    hands.picture("fight-0")
    goals = {
        "ada": ("D6", "D6", "E6"), "bo": ("D5", "C5", "D5"), "cil": ("G9", "G9", "G8"), "dov": ("H9", "H10", "H9"),
        "reeve": ("F6", "G6", "F7"), "pike": ("L6", "N6", "L6"),
    }  # fmt: skip
    moved = 0
    for turn in range(3):
        for _ in range(6):
            who = hands.game().position.active
            if who == "ada" and turn == 1:
                x, y = hands.pixel("D6")
                hands.click((round(x + hands.camera.scale / 2), y), wait=2.0)
            elif who == "cil" and turn == 1:
                hands.key("d")
            before = hands.at(who)
            hands.click(goals[who][turn], wait=1.4)
            while hands.game().position.pending is not None:
                hands.picture(f"fight-{turn + 1}-{who}-asked")
                hands.key("Return", wait=1.4)
            moved += hands.at(who) != before
            if who == "pike":
                hands.picture(f"fight-{turn + 1}")
            hands.key("space", wait=1.0)
    game = hands.game()
    assert game.position.round == 4, game.position.round
    assert moved >= 12, moved
    hands.key("j", wait=1.0)
    hands.picture("fight-log")
    hands.key("j")
    hands.click(hands.pixel(hands.at("reeve")), button=3)
    hands.picture("fight-menu")
    done(hands)
    kept = sorted((hands.settings / "tactical" / "games").glob("*.jsonl"), key=lambda one: one.stat().st_mtime)[-1]
    again = Hands(folder, str(kept))
    again.picture("fight-again")
    assert again.game().position.round == 4
    done(again)


DOCKS = """schema: 1
name: The night docks
grid: {type: square, cell: 2, unit: m}
rules: d6-reup
rows: |
  ......x.........
  ......x.........
  ......x....ww...
  ......x....ww...
  ......x.........
  ......x.........
  ................
legend:
  ".": {terrain: quay, level: VE, number: 2}
  "x": {terrain: wreckage, uneven: true, level: D, number: 18}
  "w": {terrain: dock, water: deep, level: E, number: 7}
movers:
  - {id: ash, name: Ash, at: D1, side: crew, stats: {move: 10, running: 4D, dexterity: 3D, previous: cautious}}
  - {id: bee, name: Bee, at: D2, side: crew, stats: {move: 10, running: 5D, dexterity: 3D, previous: cautious}}
  - {id: cob, name: Cob, at: D4, side: crew, stats: {move: 8, code: 3D, previous: cautious}}
  - {id: dee, name: Dee, at: D5, side: crew, stats: {move: 10, code: 2D+2, previous: cruising}}
  - {id: thug, name: Thug, at: N1, side: gang, stats: {move: 10, code: 3D, previous: stop}}
"""

FORD = """schema: 1
name: The broken causeway
grid: {type: square, cell: 1, unit: m}
rules: twelve-second
options: {jump_chance: 0.05}
rows: |
  ......OOOO....r.........
  ......OOOO....r.....ww..
  ......OOOO....r.....ww..
  ......OOOO....r.........
  ......OOOO..............
  ......OOOO..............
legend:
  ".": {terrain: causeway, level: VE, number: 3}
  "r": {terrain: boulders, rough: true, uneven: true, level: M, number: 14}
  "w": {terrain: waist-deep water, water: wading, level: M, number: 12}
  "O": {terrain: broken planks, gap: true}
movers:
  - {id: ash, name: Ash, at: B1, side: rangers, stats: {strength: 13, dexterity: 12, endurance: 11, acrobatics: true}}
  - {id: bee, name: Bee, at: B3, side: rangers, stats: {strength: 12, dexterity: 10, endurance: 11}}
  - {id: cob, name: Cob, at: D4, side: rangers, stats: {strength: 9, dexterity: 9, endurance: 10, load: heavy, ep: 7}}
  - {id: dee, name: Dee, at: B5, side: rangers, stats: {strength: 12, dexterity: 11, endurance: 9}}
  - {id: scout, name: Scout, at: X1, side: raiders, stats: {strength: 10, dexterity: 10, endurance: 9}}
"""

ANSWERS: tuple[tuple[str, ...], ...] = (("n",), ("1", "Return"), ("p",), ("d",))
"""How rolls are answered, one after another: failed, a total typed in, passed, the window's own dice."""


def rounds(hands: Hands, goals: dict[str, tuple[str, ...]], name: str) -> tuple[int, int]:
    """Three rounds in order, everybody to a goal in each; how many moved, and how many rolls were answered."""
    moved = rolled = 0
    for turn in range(3):
        for _ in goals:
            who = hands.game().position.active
            before = hands.at(who)
            hands.click(goals[who][turn], wait=1.6)
            for _ in range(6):
                waiting = hands.game().position.pending
                if waiting is None:
                    break
                if waiting.what != "attack" and rolled < 4:
                    hands.picture(f"{name}-asked-{rolled}")
                hands.key(*(("Return",) if waiting.what == "attack" else ANSWERS[rolled % len(ANSWERS)]), wait=1.4)
                rolled += waiting.what != "attack"
            moved += hands.at(who) != before
            hands.key("space", wait=1.0)
        hands.picture(f"{name}-{turn + 1}")
    return moved, rolled


def evening(folder: Path, text: str, name: str, goals: dict[str, tuple[str, ...]]) -> None:
    """An evening of three rounds; some of what was rolled for has failed, and the log says so with units."""
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    hands = Hands(folder, str(path), "--mover", "ash")
    hands.key("n", wait=2.0)
    hands.picture(f"{name}-0")
    moved, rolled = rounds(hands, goals, name)
    hands.key("j", wait=1.0)
    hands.picture(f"{name}-log")
    game = hands.game()
    made = [event for entry in game.log for event in entry.events if isinstance(event, Rolled)]
    assert game.position.round == 4, game.position.round
    assert moved >= 8, moved
    assert rolled >= 3, rolled
    assert {bool(event.passed) for event in made} == {True, False}, made
    done(hands)


@task
def three_rounds_d6(folder: Path) -> None:
    """Four of a crew over wreckage, by the D6 rules: rolls that fail, pass, are typed in and thrown."""
    evening(folder, DOCKS, "docks", {
        "ash": ("I1", "M3", "N4"), "bee": ("I2", "L5", "M5"), "cob": ("H4", "J4", "K5"), "dee": ("H6", "J6", "L6"),
        "thug": ("L1", "K1", "J1"),
    })  # fmt: skip


@task
def three_rounds_twelve_second(folder: Path) -> None:
    """Four rangers over a broken causeway, in twelve-second turns: jumps that fail and succeed, boulders, a wade."""
    evening(folder, FORD, "ford", {
        "ash": ("K1", "P2", "T2"), "bee": ("K3", "P3", "U3"), "cob": ("K4", "M5", "Q5"), "dee": ("K5", "P4", "S4"),
        "scout": ("T1", "R1", "Q2"),
    })  # fmt: skip


def main(folder: Path, names: list[str]) -> int:
    """Do the tasks; the exit status says whether all went well."""
    failed = []
    for name in names or TASKS:
        place = folder / name
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir(parents=True)
        try:
            TASKS[name](place)
        except Exception:
            traceback.print_exc()
            failed.append(name)
        for process in OPEN:
            process.terminate()
            process.wait(20)
        OPEN.clear()
        print(name, "FAILED" if name in failed else "done", flush=True)
    print(f"{len(names or TASKS) - len(failed)} of {len(names or TASKS)} tasks")
    return bool(failed)


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), sys.argv[2:]))
