"""Which entries of a result file are means over others."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from calculators.evidence.eval_layouts import part_of


@dataclass(frozen=True)
class GroupTree:
    """Which entries of a result file are means over others, and whose part each entry is."""

    groups: frozenset[str]
    parent: dict[str, str]


def group_tree(document: dict[str, Any], results: dict[str, dict[str, Any]]) -> GroupTree:
    """Return which entries are means over others, so that no task counts twice.

    Parameters
    ----------
    document : dict [a result file]
    results : dict of str to dict [entries by name]

    Returns
    -------
    tree : GroupTree

    Notes
    -----
    From `group_subtasks` and `groups`, from the indents of the aliases, and from lighteval's
    names `all` and `_average`. Basis: as given.

    References
    ----------
    lm-evaluation-harness 0.4, `group_subtasks`; lighteval, `all`.

    Examples
    --------
    >>> group_tree({"group_subtasks": {"mmlu": ["a"]}}, {"mmlu": {}, "a": {}}).parent
    {'a': 'mmlu'}
    """
    parent: dict[str, str] = {}
    for group, members in part_of(document, "group_subtasks").items():
        for member in members if isinstance(members, list) else ():
            known = isinstance(member, str) and member in results and group in results
            if known and member != group:
                parent.setdefault(member, group)
    parent = parent or _parents_by_indent(results)
    groups = set(parent.values()) | (set(part_of(document, "groups")) & set(results))
    groups |= {name for name in results if name == "all" or "_average" in name}
    return GroupTree(frozenset(groups), parent)


def _parents_by_indent(results: dict[str, dict[str, Any]]) -> dict[str, str]:
    parent: dict[str, str] = {}
    open_groups: list[tuple[int, str]] = []
    for name, row in results.items():
        alias = row.get("alias")
        found = re.match(r"( *)- ", alias) if isinstance(alias, str) else None
        depth = len(found.group(1)) if found else 0
        open_groups = [(level, group) for level, group in open_groups if level < depth]
        if open_groups:
            parent[name] = open_groups[-1][1]
        open_groups.append((depth, name))
    return parent
