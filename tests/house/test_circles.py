"""Files that know one another, imports for types alone included, which the import contracts leave out."""

from __future__ import annotations

import ast
from pathlib import Path

import networkx as nx

ROOT = Path(__file__).parents[2]


def imports() -> nx.DiGraph:
    """Who names whom at the head of its file."""
    files = {}
    for file in (ROOT / "tactical").rglob("*.py"):
        name = ".".join(file.relative_to(ROOT).with_suffix("").parts)
        files[name.removesuffix(".__init__")] = ast.parse(file.read_text(encoding="utf-8"))
    graph = nx.DiGraph()
    for name, tree in files.items():
        heads = [
            one
            for node in tree.body
            for one in (ast.walk(node) if isinstance(node, ast.If) else [node])
            if isinstance(one, ast.ImportFrom) and one.module
        ]
        for one in heads:
            targets = {f"{one.module}.{alias.name}" for alias in one.names} & files.keys() or {
                one.module
            } & files.keys()
            graph.add_edges_from((name, target) for target in targets if target != name)
    return graph


def test_no_files_know_one_another() -> None:
    graph = imports()
    assert len(graph) > 200
    assert [sorted(found) for found in nx.strongly_connected_components(graph) if len(found) > 1] == []
