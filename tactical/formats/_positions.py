"""YAML with places: a document as plain values, and where in the file each of them stands.

Values stay text until somebody who knows their type reads them, so ``no``, ``010`` and ``1:30`` keep their spelling.
Only inside `stats` and `options`, whose types the rule systems own, does an unquoted value become a whole number, a
fraction, true or false, where it can mean nothing else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import yaml

from tactical.errors import CONTROLS, Fault
from tactical.formats import UnreadableFile
from tactical.values import control

Path = tuple[str | int, ...]

LOOSE = ("stats", "options")
DEEPEST = 30
BARE = ("true", "false", "yes", "no", "on", "off")
"""Truths that are no words where a word is wanted, unless they are quoted."""
EMPTY = frozenset({"", "~", "null"})
LONGEST_EXCERPT = 200
STR, SEQ, MAP = "tag:yaml.org,2002:str", "tag:yaml.org,2002:seq", "tag:yaml.org,2002:map"
TAGS = {STR, SEQ, MAP}

_TAG_OF = {yaml.ScalarNode: STR, yaml.SequenceNode: SEQ, yaml.MappingNode: MAP}


class _Loader(getattr(yaml, "CBaseLoader", yaml.BaseLoader)):  # type: ignore[misc]
    """A loader that guesses nothing, which also spares the third of the time that guessing takes."""

    def resolve(self, kind: Any, value: Any, implicit: Any) -> str:
        return _TAG_OF[kind]

    def descend_resolver(self, node: Any, index: Any) -> None:
        pass

    def ascend_resolver(self) -> None:
        pass


_INT = re.compile(r"0|-?[1-9][0-9]{0,59}")
_FRACTION = re.compile(r"(-?[1-9][0-9]{0,59})/([1-9][0-9]{0,59})")


def loose(text: str) -> object:
    """An unquoted value whose type nobody fixed: a whole number, a fraction, true or false, else the text."""
    if _INT.fullmatch(text):
        return int(text)
    if text in ("true", "false"):
        return text == "true"
    match = _FRACTION.fullmatch(text)
    return Fraction(int(match[1]), int(match[2])) if match else text


@dataclass(slots=True)
class Document:
    """A file's values, the place of each of them, and the faults found on the way."""

    source: str
    text: str
    root: Any = None
    value: Any = None
    faults: list[Fault] = field(default_factory=list)
    _lines: list[str] = field(default_factory=list)

    @property
    def lines(self) -> list[str]:
        """The file's lines without their ends."""
        if not self._lines:
            self._lines = self.text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        return self._lines

    def nodes(self, path: Path) -> tuple[Any, Any]:
        """The nodes of the key and the value at `path`; None where there is none."""
        key, node = None, self.root
        for part in path:
            if isinstance(node, yaml.SequenceNode) and isinstance(part, int) and part < len(node.value):
                key, node = None, node.value[part]
            elif isinstance(node, yaml.MappingNode):
                found = next((pair for pair in node.value if pair[0].value == part), (None, None))
                key, node = found
            else:
                return None, None
        return key, node

    def known(self, path: Path) -> bool:
        """Whether the file has a value at `path`."""
        return self.nodes(path)[1] is not None

    def hazard(self, path: Path) -> None:
        """Note a hazard of the part at `path` that is no word but a bare true or false."""
        node = self.nodes((*path, "hazard"))[1]
        if isinstance(node, yaml.ScalarNode) and not node.style and node.value.lower() in BARE:
            words = f"expected a word for the hazard such as fire, found {node.value!r}"
            self.fault(words, (*path, "hazard"))

    def mark(self, path: Path, *, key: bool = False) -> tuple[int, int]:
        """Line and column, from 1, of the value (or key) at `path`, or of the nearest thing around it."""
        while True:
            of_key, node = self.nodes(path)
            if key and of_key is not None:
                return _place(of_key)
            if node is not None:
                return _place(node)
            if not path:
                return 1, 1
            path = path[:-1]

    def row_mark(self, path: Path, row: int, width: int, column: int) -> tuple[int, int]:
        """Line and column of a glyph in a block of rows; `row` and `column` from 0, `width` is the row's length."""
        node = self.nodes(path)[1]
        if isinstance(node, yaml.SequenceNode):
            item = node.value[row]
            line, at = _place(item)
            return line, at + column + (1 if item.style else 0)
        if node is None or node.style not in ("|", ">"):
            return self.mark(path)
        # the block's mark is its "|": the first row stands on the next line
        line = node.start_mark.line + 1 + row
        indent = len(self.lines[line]) - width if line < len(self.lines) else 0
        return line + 1, max(indent, 0) + column + 1

    def fault(
        self, text: str, path: Path = (), *, hint: str = "", key: bool = False, at: tuple[int, int] | None = None
    ) -> None:
        """Note something wrong at `path`."""
        line, column = at or self.mark(path, key=key)
        self.faults.append(Fault(text, self.source, line, column, dotted(path), hint, self.excerpt(line)))

    def excerpt(self, line: int) -> str:
        """A line to be shown below a fault; none of a file that is written all on one."""
        found = self.lines[line - 1] if line <= len(self.lines) else ""
        return found if len(found) <= LONGEST_EXCERPT else ""

    @contextmanager
    def placing(self, path: Path, **keys: str) -> Iterator[None]:
        """What is made inside may refuse a value: that is a fault at `path`, or at the key its words begin with.

        `keys` are other words for a key, as ``end="line"`` where the words say that a barrier's end is wrong.
        """
        try:
            yield
        except (ValueError, TypeError, OverflowError) as error:
            text = str(error)
            words = re.findall(r"\w+", text[:60])
            names = (keys.get(word, word) for word in words)
            key = next((name for name in names if self.known((*path, name))), None)
            self.fault(text, path if key is None else (*path, key))


def _place(node: Any) -> tuple[int, int]:
    return node.start_mark.line + 1, node.start_mark.column + 1


def dotted(path: Path) -> str:
    """``movers[1].at``."""
    words = ""
    for part in path:
        if isinstance(part, int) or not part.replace("-", "_").isidentifier():
            words += f"[{part!r}]"
        else:
            words += f".{part}" if words else part
    return words


def read(text: str, source: str) -> Document:
    """Read one YAML (or JSON) document.  Raises `UnreadableFile` for a syntax error: nothing can be read behind one."""
    document = Document(source, text)
    try:
        document.root = yaml.compose(text, Loader=_Loader)
    except yaml.MarkedYAMLError as error:
        _syntax(document, error)
    except yaml.YAMLError as error:
        raise UnreadableFile([_character(text, error, source)]) from error
    except RecursionError:
        raise UnreadableFile([Fault("nested too deeply", source)]) from None
    if document.root is None:
        raise UnreadableFile([Fault("file is empty", source)])
    walk = _Walk()
    document.value = walk.value(document.root, False, 0)
    if walk.problems:
        _note(document, walk)
    return document


def _character(text: str, error: yaml.YAMLError, source: str) -> Fault:
    """A character that YAML does not take at all; its reader counts from 0."""
    at = getattr(error, "position", None)
    words = str(error).splitlines()[0]
    if not isinstance(at, int) or not 0 <= at < len(text):
        found = CONTROLS.search(text.replace("\n", " ").replace("\r", " ").replace("\t", " "))
        if found is None:
            return Fault(words, source)
        at = found.start()
    line = text.count("\n", 0, at) + 1
    return Fault(f"a {control(text[at])} in the file", source, line, at - text.rfind("\n", 0, at))


def _note(document: Document, walk: _Walk) -> None:
    """Turn the walk's problems, which know only their node, into faults with a path."""
    paths: dict[Any, Path] = {}
    todo: list[tuple[Any, Path]] = [(document.root, ())]
    while todo:
        node, path = todo.pop()
        if node in paths:
            continue
        paths[node] = path
        if isinstance(node, yaml.SequenceNode):
            todo.extend((child, (*path, n)) for n, child in enumerate(node.value))
        elif isinstance(node, yaml.MappingNode):
            for key, child in node.value:
                here = (*path, str(key.value) if isinstance(key, yaml.ScalarNode) else "?")
                paths.setdefault(key, here)
                todo.append((child, here))
    for node, text in walk.problems:
        document.fault(text, paths[node], at=_place(node))


def _syntax(document: Document, error: yaml.MarkedYAMLError) -> None:
    mark = error.problem_mark or error.context_mark
    if "could not find expected ':'" in str(error.problem) and error.context_mark:
        # the place of the word, not of the end of all that was read behind it
        mark = error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    excerpt = document.excerpt(line)
    problem, hint = error.problem or "not YAML", ""
    if "another document" in problem:
        problem = "a second document begins here; a map file holds exactly one"
    elif "\t" in excerpt[: max(column, 1)]:
        problem, hint = "a tab in the indentation", "(use spaces)"
    elif otherwise := _indented(document.lines, line, column):
        problem, hint = otherwise
    elif spaced := re.match(r"\s*(?:- +)?(\w+):([^\s/]\S*)\s*$", excerpt):
        problem, hint = "there is no space after the colon", f"(write {spaced[1]}: {spaced[2]})"
    elif error.context:
        problem = f"{problem}, {error.context}"
    raise UnreadableFile([Fault(problem, document.source, line, column, "", hint, excerpt)]) from error


def _indented(lines: list[str], line: int, column: int) -> tuple[str, str] | None:
    """Words for a line that begins further in or out than the lines before it, where YAML stumbles over its start."""
    if line > len(lines) or column != len(lines[line - 1]) - len(lines[line - 1].lstrip()) + 1:
        return None
    before = next((n for n in range(line - 1, 0, -1) if lines[n - 1].strip()), 0)
    if not before:
        return None
    wide = len(lines[before - 1]) - len(lines[before - 1].lstrip())
    if wide == column - 1:
        return None
    return f"this line is indented by {column - 1}, line {before} by {wide}", f"(indent it like line {before})"


class _Walk:
    """Nodes into plain values; what is wrong is noted with its node."""

    def __init__(self) -> None:
        self.problems: list[tuple[Any, str]] = []
        self.seen: set[Any] = set()

    def value(self, node: Any, free: bool, depth: int, key: str = "") -> Any:
        if depth > DEEPEST:
            self.problems.append((node, f"nested more than {DEEPEST} deep"))
            return None
        if node in self.seen:
            self.problems.append((node, "anchors and aliases (& and *) are not used in map files: write it again"))
            return None
        self.seen.add(node)
        if node.tag not in TAGS:
            tag = node.tag.replace("tag:yaml.org,2002:", "!!")
            self.problems.append((node, f"tags like {tag} are not used in map files"))
        if isinstance(node, yaml.ScalarNode):
            text = node.value
            if key != "rows" and not text.isprintable() and (strange := CONTROLS.search(text)):
                self.problems.append((node, f"a {control(strange[0])} in a text"))
                return CONTROLS.sub("\ufffd", text)
            if node.style:
                return text
            if text in EMPTY:
                return None
            return loose(text) if free else text
        if isinstance(node, yaml.SequenceNode):
            return [self.value(child, free, depth + 1, key) for child in node.value]
        out: dict[str, Any] = {}
        for name, child in node.value:
            if not isinstance(name, yaml.ScalarNode):
                self.problems.append((name, "a key must be text"))
            elif name.value in out:
                self.problems.append((name, f"key {name.value!r} is written twice"))
            else:
                out[name.value] = self.value(child, free or name.value in LOOSE, depth + 1, name.value)
        return out


def plain(value: object) -> object:
    """Lists become tuples, all the way down: what a map holds does not change."""
    if isinstance(value, list):
        return tuple(plain(item) for item in value)
    if isinstance(value, Mapping):
        return {key: plain(item) for key, item in value.items()}
    return value
