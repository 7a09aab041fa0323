"""The words of movement that window, commands and manual use alike, each with what it means."""

from __future__ import annotations

GLOSSARY: dict[str, str] = {
    "way": "the cells one goes over, and the posture in each; its price is told leg by leg",
    "goal": "the cell a way leads to; waypoints are those it has to lead through",
    "reach": "all cells one can end on this turn, or in the turns looked ahead",
    "gait": "how one moves: walk, dash, high speed …; each has its colour and pattern",
    "strike": "the blow of a foe whom one leaves: an opportunity attack, a reaction",
    "turn": "what one mover does before the next, in some rules a round; a round at the table is a turn of everybody",
    "ruling": "what the game master decides where the rules say nothing; marked with *",
}
"""What the words mean that window, commands and manual use alike."""
