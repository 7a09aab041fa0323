"""Keys and mouse, as one table: what a key is called, what it does, and the words for it in the help.

Names are pygame's key constants without ``K_``; modifiers are looked up once, when a window opens.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Key:
    """One binding: key `names`, whether Shift or Ctrl (Cmd too) must be held, and the command it gives.

    One with `waits` holds only while a ``roll`` is waited for or a ``list``, ``menu`` or ``setup`` is open, and then
    comes first.  One that `repeats` goes on while the key is held; all others are carried out once a press.
    """

    command: str
    names: tuple[str, ...]
    shift: bool | None = None
    ctrl: bool = False
    help: str = ""
    shown: str = ""
    waits: str = ""
    repeats: bool = False


DIGITS = "0123456789"

KEYS: tuple[Key, ...] = (
    *(Key(f"digit:{n}", (n, f"KP{n}"), waits="roll") for n in DIGITS),
    Key("digit:0", (), help="the total thrown, while a roll is asked for", shown="digits"),
    Key("passed", ("p",), ctrl=False, help="the roll passed, or failed (N)", shown="P N", waits="roll"),
    Key("failed", ("n",), waits="roll"),
    Key("roll", ("d",), ctrl=False, help="throw the dice, also where a total is typed", shown="D", waits="roll"),
    *(Key(f"digit_row:{n}", (n, f"KP{n}"), waits="list") for n in DIGITS[1:]),
    Key("list_up", ("UP",), waits="list", repeats=True),
    Key("list_down", ("DOWN",), waits="list", repeats=True),
    Key("list_far_up", ("PAGEUP",), waits="list", repeats=True),
    Key("list_far_down", ("PAGEDOWN",), waits="list", repeats=True),
    Key("list_take", ("RETURN", "KP_ENTER"), waits="list"),
    Key("list_back", ("BACKSPACE", "LEFT"), waits="list"),
    Key("menu_up", ("UP",), waits="menu", repeats=True),
    Key("menu_down", ("DOWN",), waits="menu", repeats=True),
    Key("menu_take", ("RETURN", "KP_ENTER", "SPACE"), waits="menu"),
    Key("setup_up", ("UP",), waits="setup", repeats=True),
    Key("setup_down", ("DOWN",), waits="setup", repeats=True),
    Key("setup_far_up", ("PAGEUP",), waits="setup", repeats=True),
    Key("setup_far_down", ("PAGEDOWN",), waits="setup", repeats=True),
    Key("setup_first", ("HOME",), waits="setup"),
    Key("setup_last", ("END",), waits="setup"),
    Key("setup_less", ("LEFT",), waits="setup", repeats=True),
    Key("setup_more", ("RIGHT", "SPACE"), waits="setup", repeats=True),
    Key("setup_write", ("RETURN", "KP_ENTER"), waits="setup"),
    Key("next", ("TAB",), shift=False, help="next mover", shown="Tab"),
    Key("previous", ("TAB",), shift=True, help="previous mover", shown="Shift-Tab"),
    Key("waypoint", ("RETURN", "KP_ENTER"), ctrl=True, help="set a waypoint there", shown="Ctrl-Enter"),
    Key("pin", ("RETURN", "KP_ENTER"), shift=True, help="keep it to compare, or let it go", shown="Shift-Enter"),
    Key(
        "go", ("RETURN", "KP_ENTER"), help="go to the cell under the pointer; a move that waits goes on", shown="Enter"
    ),
    Key("back", ("BACKSPACE",), help="the last waypoint back; a move struck at ends", shown="Backspace"),
    Key("drop", ("ESCAPE",), help="drop the plan; without one shut log and panel", shown="Esc"),
    Key("redo", ("z",), shift=True, help="redo", shown="Shift-Z"),
    Key("redo", ("y",), ctrl=True),
    Key("undo", ("z", "u"), help="undo", shown="Z"),
    Key("undo", ("z",), ctrl=True),
    Key("do", ("SPACE",), help="what its button says: go on, or end the turn", shown="Space"),
    Key("gait_previous", ("f",), shift=True),
    Key("gait_next", ("f",), help="move at the next gait only, then at any", shown="F"),
    Key("door", ("d",), help="open or close the nearest door within reach", shown="D"),
    Key("act", ("a",), help="use the action for something else", shown="A"),
    Key("dash", ("h",), help="dash: use the action to move further", shown="H"),
    Key("disengage", ("x",), help="disengage with the action: no strikes on leaving", shown="X"),
    Key("throw", ("n",), shift=True, help="throw a die for the order of turns", shown="Shift-N"),
    Key("order", ("n",), help="turns in order, round by round, or in none", shown="N"),
    Key("log", ("j",), help="the log: everything that happened", shown="J"),
    Key("reset", ("r",), help="reset the turn", shown="R"),
    Key("larger", ("PLUS", "EQUALS", "KP_PLUS"), None, True, "larger, smaller text", "Ctrl + -", repeats=True),
    Key("smaller", ("MINUS", "KP_MINUS"), ctrl=True, repeats=True),
    Key("zoom_in", ("PLUS", "EQUALS", "KP_PLUS"), help="zoom in, zoom out", shown="+ -", repeats=True),
    Key("zoom_out", ("MINUS", "KP_MINUS"), repeats=True),
    Key("fit", ("0", "KP0", "HOME"), help="the whole map, again: who is selected", shown="0"),
    Key("arrive_standing", ("1",), shift=True),
    Key("arrive_crouched", ("2",), shift=True, help="posture to arrive in", shown="Shift-1 2 3"),
    Key("arrive_prone", ("3",), shift=True),
    Key("posture_standing", ("1", "KP1")),
    Key("posture_crouched", ("2", "KP2"), help="posture now, or at the end of a plan", shown="1 2 3"),
    Key("posture_prone", ("3", "KP3")),
    Key("reach", ("v",), help="reach on or off", shown="V"),
    Key("costs", ("c",), help="costs on the cells", shown="C"),
    Key("odds", ("o",), help="chances on the cells", shown="O"),
    Key("enemy", ("b",), help="enemy reach", shown="B"),
    Key("turns", ("t",), help="look 1, 2 or 3 turns ahead", shown="T"),
    Key("legend", ("l",), help="the whole legend", shown="L"),
    Key("sounds", ("s",), shift=True, help="sounds, off at first", shown="Shift-S"),
    Key("drawer", ("s",), help="the panel, where the window is narrow", shown="S"),
    Key("explain", ("e",), help="clauses of every price", shown="E"),
    Key("rulers", ("g",), shift=True, help="letters of the columns, numbers of the rows", shown="Shift-G"),
    Key("grid", ("g",), help="grid lines", shown="G"),
    Key("measure", ("m",), help="measure from the mover", shown="M"),
    Key("walker", ("i",), help="put a walker on the cell under the pointer", shown="I"),
    Key("explore", ("k",), shift=True, help="begin to explore: know only what is seen", shown="Shift-K"),
    Key("fog", ("k",), help="what the mover knows, or everything", shown="K"),
    Key("level_up", ("PAGEUP",), help="floor above, below", shown="PageUp PageDown"),
    Key("level_down", ("PAGEDOWN",)),
    Key("left", ("LEFT",), shift=True, help="move the map", shown="Shift-arrows", repeats=True),
    Key("right", ("RIGHT",), shift=True, repeats=True),
    Key("up", ("UP",), shift=True, repeats=True),
    Key("down", ("DOWN",), shift=True, repeats=True),
    Key("cursor_left", ("LEFT",), help="point at the next cell", shown="arrows", repeats=True),
    Key("cursor_right", ("RIGHT",), repeats=True),
    Key("cursor_up", ("UP",), repeats=True),
    Key("cursor_down", ("DOWN",), repeats=True),
    Key("danger_back", ("LEFTBRACKET",)),
    Key("danger_on", ("RIGHTBRACKET",), help="point at the cells where one may be struck", shown="[ ]"),
    Key("what", ("w", "MENU"), help="what can be done there", shown="W"),
    Key("menu", ("F10",), help="the menu of the window", shown="F10"),
    Key("setup", ("COMMA",), ctrl=True, help="set up: rules, options, stats, text size", shown="Ctrl-,"),
    Key("maps", ("o",), ctrl=True, help="open a map or a game", shown="Ctrl-O"),
    Key("save_copy", ("s",), True, True, "save the game beside the map and go on there", "Ctrl-Shift-S"),
    Key("save", ("s",), ctrl=True, help="tell where the game is kept, by itself", shown="Ctrl-S"),
    Key("edit", ("F2",), help="paint and place on the map", shown="F2"),
    Key("reload", ("F5",), help="read the map's file again", shown="F5"),
    Key("picture", ("p",), ctrl=True, help="save a picture", shown="Ctrl-P"),
    Key("help", ("F1",), help="these keys", shown="F1"),
    Key("quit", ("q",), ctrl=True, help="close the window", shown="Ctrl-Q"),
)

MOUSE: tuple[tuple[str, str], ...] = (
    ("click a token", "select it"),
    ("point at a cell", "the way there and its price"),
    ("click a cell", "go there"),
    ("drag a token", "draw the way it goes"),
    ("Ctrl-click", "set a waypoint"),
    ("Alt-click", "go there without a strike, if there is a way"),
    ("click a door", "open or close it; walk there first if need be"),
    ("right click", "what can be done there; waypoints back"),
    ("Shift-click", "keep a cell to compare, or let it go"),
    ("drag along the strip", "change the order of turns"),
    ("wheel", "zoom at the pointer"),
    ("drag", "move the map (left on ground, or middle)"),
    ("wheel on the panel", "scroll it"),
    ("touch", "held still: the right click; two fingers: zoom, move"),
    ("drop a file", "open that map or game"),
)
GROUPS: dict[str, tuple[str, ...]] = {
    "Move": ("click a token", "point at a cell", "click a cell", "drag a token", "Ctrl-click", "Alt-click",
             "right click", "Shift-click", "next", "previous", "cursor_left", "danger_on", "go", "waypoint", "pin",
             "what", "back", "drop", "undo", "redo", "reset"),
    "Turn": ("do", "order", "throw", "drag along the strip", "digit:0", "passed", "roll"),
    "Posture and action": ("posture_crouched", "arrive_crouched", "gait_next", "dash", "act", "disengage", "door",
                           "click a door"),
    "Look": ("reach", "costs", "odds", "enemy", "turns", "explain", "legend", "log", "drawer", "measure", "fog"),
    "Map": ("wheel", "drag", "left", "zoom_in", "fit", "level_up", "rulers", "grid", "walker", "explore", "touch",
            "wheel on the panel"),
    "Files and window": ("maps", "save", "save_copy", "edit", "reload", "picture", "drop a file", "menu", "setup",
                         "larger", "sounds", "help", "quit"),
}  # fmt: skip
"""What the help says under which heading, in its order: commands of the table, and what the mouse does."""


REPEATED = frozenset(key.command for key in KEYS if key.repeats)
"""The commands that a held key repeats: they move the view and change nothing else."""


FOLLOWING = frozenset({"do", "act", "dash", "disengage", "next", "previous", "door"})
FOLLOWING_KINDS = ("posture_", "who:", "gait:")


def follows(command: str) -> bool:
    """Whether a command that comes while an order is worked out is done after it: others take the order's place."""
    return command in FOLLOWING or command.startswith(FOLLOWING_KINDS)


def command_for(name: str, *, shift: bool, ctrl: bool, waits: str = "") -> str:
    """The command of a pressed key, or an empty string; `waits` is what is waited for."""
    for key in KEYS:
        fits = key.ctrl == ctrl and (key.shift is None or key.shift == shift)
        if name in key.names and fits and key.waits in ("", waits):
            return key.command
    return ""


def grouped() -> tuple[tuple[str, tuple[tuple[str, str], ...]], ...]:
    """Every group of the help with its rows: what is pressed, and what it does."""
    words = dict(MOUSE)
    told: dict[str, list[tuple[str, str]]] = {}
    for key in KEYS:
        if key.help:
            told.setdefault(key.command, []).append((key.shown, key.help))
    return tuple(
        (group, tuple(row for name in names for row in ([(name, words[name])] if name in words else told[name])))
        for group, names in GROUPS.items()
    )
