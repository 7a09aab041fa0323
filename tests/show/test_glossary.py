"""One word for one thing: what window, panel and commands say keeps to the glossary."""

from __future__ import annotations

import re
from pathlib import Path

import click
import pytest

from tactical.cli.program import tactical
from tactical.registry import SECTIONS
from tactical.show.glossary import GLOSSARY
from tactical.show.labels import LABELS

INSTEAD = {
    r"opportunity attacks?": "strike",
    r"pathways?|trails?": "way",
    r"destinations?": "goal",
    r"squares? away": "cell",
}
"""What is not said to players, and the word of the glossary that is."""


def commands(command, name="tactical"):
    yield name, command
    if isinstance(command, click.Group):
        with click.Context(command) as context:
            for sub in command.list_commands(context):
                yield from commands(command.get_command(context, sub), f"{name} {sub}")


def told():
    """All words of the window, of the panel's sections, of the commands' help and of the README."""
    for key, words in LABELS.items():
        yield f"label {key}", words
    for _, section in SECTIONS:
        for key, words in section.words.items():
            yield f"section {section.name} {key}", words
    for name, command in commands(tactical):
        with click.Context(command, info_name=name) as context:
            yield f"help of {name}", command.get_help(context)
    readme = Path(__file__).parents[2] / "README.md"
    if readme.exists():
        yield "README", readme.read_text(encoding="utf-8")


@pytest.mark.parametrize(("forbidden", "word"), INSTEAD.items())
def test_nothing_is_called_by_another_word(forbidden, word):
    assert word in GLOSSARY or word == "cell"
    found = re.compile(rf"\b({forbidden})\b", re.IGNORECASE)
    assert [where for where, words in told() if found.search(words)] == []
