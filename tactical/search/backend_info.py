"""What networkx is told about this package's backend when it starts.

networkx reads this on every import of its own, so nothing is imported here.
"""

from __future__ import annotations

from typing import Any

FUNCTIONS: dict[str, str] = {
    "single_source_dijkstra": "Bucket-queue search over compiled arrays.",
    "single_source_dijkstra_path": "Bucket-queue search over compiled arrays.",
    "single_source_dijkstra_path_length": "Bucket-queue search over compiled arrays.",
    "multi_source_dijkstra": "Bucket-queue search over compiled arrays.",
    "multi_source_dijkstra_path": "Bucket-queue search over compiled arrays.",
    "multi_source_dijkstra_path_length": "Bucket-queue search over compiled arrays.",
    "dijkstra_path": "Bucket-queue search that stops at the target.",
    "dijkstra_path_length": "Bucket-queue search that stops at the target.",
    "bidirectional_dijkstra": "Bucket-queue search from the source; of several shortest paths it may be another.",
    "all_pairs_dijkstra": "Bucket-queue searches over compiled arrays.",
    "all_pairs_dijkstra_path": "Bucket-queue searches over compiled arrays.",
    "all_pairs_dijkstra_path_length": "Bucket-queue searches over compiled arrays.",
}
"""The functions whose answer one predecessor a node is enough for, with a line for networkx's documentation.

``dijkstra_predecessor_and_distance`` is not among them: it names *every* tied predecessor, the kernel keeps one.
"""


def info() -> dict[str, Any]:
    """The backend's entry for networkx: its name, its package and the functions it runs."""
    return {
        "backend_name": "tactical",
        "project": "tactical",
        "package": "tactical",
        "short_summary": "Bounded shortest paths over compiled movement graphs.",
        "description": (
            "Dijkstra searches with whole-number weights, run by the bucket-queue kernel of tactical. "
            "Graphs made by tactical need no conversion; any other DiGraph or Graph is converted once and cached."
        ),
        "functions": {name: {"additional_docs": text} for name, text in FUNCTIONS.items()},
    }
