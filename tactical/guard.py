"""The guard of the racks: what somebody else's function does wrong is a `PluginError` that names it.

Every value that a rack holds (a rule system, a map format, a way of moving, a drawer …) puts its functions under guard
when it is made, wherever it comes from, so no caller meets one that is not.  A guarded function that raises, or gives
back what its rack does not ask for, is told with its kind, its name, its file and line.  Errors that are the user's
pass as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any

from tactical.errors import PluginError, RulesetError
from tactical.units import show

OWN = "tactical."
"""Modules of this package: their own checks of what users give may raise `ALLOWED`, and so may a file too deep."""

ALLOWED = (ValueError, TypeError, ImportError, OSError, RecursionError)
ALWAYS = (PluginError, RulesetError, MemoryError)


class Unfit(Exception):
    """What a guarded function gave back is not what its rack asks for; the words say what is wrong with it."""


Judge = Callable[[Any, "Guarded"], Any]


class Guarded:
    """One function under guard.

    `whose` names the plug-in, `what` the call (a text, or made from the call's arguments).  `judge(found, guarded)`
    gives the answer to hand on, or raises `Unfit`.  Errors of the classes in `passes` are the user's, and with
    `options` so is a call that names an argument it does not take (`TypeError`).
    """

    __slots__ = ("__wrapped__", "judge", "options", "passes", "what", "whose")

    def __init__(
        self,
        function: Callable[..., Any],
        whose: str,
        what: str | Callable[..., str],
        judge: Judge | None = None,
        passes: tuple[type[Exception], ...] = (),
        options: bool = False,
    ) -> None:
        self.__wrapped__: Callable[..., Any] = function
        self.whose, self.what, self.judge, self.options = whose, what, judge, options
        self.passes = (*ALWAYS, *passes, *(ALLOWED if _module(function).startswith(OWN) else ()))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        try:
            found = self.__wrapped__(*args, **kwargs)
            return found if self.judge is None else self.judge(found, self)
        except self.passes:
            raise
        except Unfit as unfit:
            raise PluginError(f"{self._place(args)}: {unfit}") from None
        except Exception as error:
            trace = error.__traceback__
            if self.options and isinstance(error, TypeError) and trace is not None and trace.tb_next is None:
                raise
            raise PluginError(f"{self._place(args)} failed: {said(error)}{self._line(error)}") from error

    def __eq__(self, other: object) -> bool:
        mine = self.__wrapped__, self.whose, self.judge
        return isinstance(other, Guarded) and mine == (other.__wrapped__, other.whose, other.judge)

    def __hash__(self) -> int:
        return hash(self.__wrapped__)

    def __repr__(self) -> str:
        return f"<guarded {self.__wrapped__!r} of {self.whose}>"

    def inner(
        self, function: Callable[..., Any], what: str | Callable[..., str], judge: Judge | None = None
    ) -> Guarded:
        """A function that this one gave back, under the same guard."""
        return function if isinstance(function, Guarded) else Guarded(function, self.whose, what, judge)

    def _place(self, args: tuple[Any, ...]) -> str:
        if isinstance(self.what, str):
            return f"{self.whose}: {self.what}"
        try:
            return f"{self.whose}: {self.what(*args)}"
        except Exception:
            # it was called in another way than its rack does
            return self.whose

    def _line(self, error: Exception) -> str:
        """Where in the plug-in's own file it happened."""
        file, found, trace = _file(self.__wrapped__), 0, error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == file:
                found = trace.tb_lineno
            trace = trace.tb_next
        return f" (line {found})" if found else ""


@dataclass(frozen=True, slots=True)
class Ward:
    """How one function of a rack's value is guarded: see `Guarded`."""

    judge: Judge | None = None
    passes: tuple[type[Exception], ...] = ()
    what: str | Callable[..., str] = ""
    options: bool = False


def guard(owner: Any, kind: str, wards: dict[str, Ward], optional: Iterable[str] = ()) -> None:
    """Put the functions of a value, just made, under guard; `optional` ones may be None.

    Raises `TypeError` for a name that is no text and for a function that cannot be called.
    """
    made = type(owner).__name__
    if not isinstance(owner.name, str) or not owner.name:
        raise TypeError(f"the name of a {made} must be a text, not {owner.name!r}")
    for field, ward in wards.items():
        given = getattr(owner, field)
        if given is None and field in optional:
            continue
        if not callable(given):
            raise TypeError(f"{made} {owner.name!r}: {field} must be a function, not {given!r}")
        # a copy made by `dataclasses.replace` is guarded in its own name
        function = given.__wrapped__ if isinstance(given, Guarded) else given
        whose = f"the {kind} {owner.name!r} ({_file(function)})"
        kept = Guarded(function, whose, ward.what or field, ward.judge, ward.passes, ward.options)
        object.__setattr__(owner, field, kept)


# -- what is right ----------------------------------------------------------------------------------------------------


def a(found: object, *wanted: type) -> None:
    """Raises `Unfit` for what is of none of these types."""
    if not isinstance(found, wanted):
        names = " or ".join("None" if kind is type(None) else kind.__name__ for kind in wanted)
        given = "None" if found is None else f"{found!r:.60}"
        raise Unfit(f"{given} is not a {names}")


def any_of(*wanted: type) -> Judge:
    """The judge of what has to be of one of these types, and no more."""

    def judge(found: Any, by: Guarded) -> Any:
        a(found, *wanted)
        return found

    return judge


def amount(found: object, name: str) -> Fraction:
    """An exact number of at least 0.  Raises `Unfit`."""
    if type(found) is not Fraction:
        if isinstance(found, bool) or not isinstance(found, (int, Fraction)):
            raise Unfit(f"{name} is {found!r:.60}, not an exact number (a Fraction or a whole number)")
        found = Fraction(found)
    if found.numerator < 0:
        raise Unfit(f"{name} is {show(found)}, less than 0")
    return found


def amounts(found: Any, about: str, *fields: str) -> Any:
    """A dataclass value whose `fields` are exact numbers of at least 0, or None.  Raises `Unfit`."""
    changes = {}
    for name in fields:
        value = getattr(found, name)
        if value is not None and amount(value, f"{about}{name}") is not value:
            changes[name] = Fraction(value)
    return replace(found, **changes) if changes else found


# -- whose it is ------------------------------------------------------------------------------------------------------


def _plain(function: Any) -> Any:
    while isinstance(function, (partial, Guarded)):
        function = function.func if isinstance(function, partial) else function.__wrapped__
    return getattr(function, "__func__", function)


def _module(function: Any) -> str:
    plain = _plain(function)
    return str(getattr(plain, "__module__", None) or type(plain).__module__)


def _file(function: Any) -> str:
    code = getattr(_plain(function), "__code__", None)
    if code is not None:
        return str(code.co_filename)
    module = _module(function)
    return getattr(sys.modules.get(module), "__file__", None) or module


def said(error: Exception) -> str:
    """An error in one line: its type and words."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text}" if text else type(error).__name__
