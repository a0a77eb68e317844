"""quality.yaml -> published losses by format and ability, each with its source."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from calculators.evidence.published_loss import Evaluation, PublishedLoss, Statement, UnknownLoss
from catalogs.schema import record, resolve_sources
from catalogs.yaml_reader import CatalogError, read_yaml

FILE = Path(__file__).parent / "quality.yaml"
_SECTIONS = ("sources", "evaluations", "statements", "unknown")

__all__ = ["FILE", "load_quality"]


@lru_cache(maxsize=4)
def load_quality(file: Path = FILE) -> PublishedLoss:
    """Everything published about the loss of weight formats that the catalog holds.

    Parameters
    ----------
    file : Path
        A YAML file with `sources`, `evaluations`, `statements`, `unknown`.

    Returns
    -------
    PublishedLoss
        Frozen; loaded once.

    Raises
    ------
    CatalogError
        One sentence naming the file, the entry, the key, what was given and what is allowed.
    """
    data = read_yaml(file.read_text(encoding="utf-8"), file.name, trusted=True)
    for section in data:
        if section not in _SECTIONS:
            raise CatalogError(f"{file.name}: unknown section '{section}'; allowed: {_SECTIONS}")
    named = data.get("sources", {})
    return PublishedLoss(
        evaluations=_rows(Evaluation, data, "evaluations", named, file.name),
        statements=_rows(Statement, data, "statements", named, file.name),
        unknown=tuple(
            record(UnknownLoss, row, f"{file.name}: unknown {n}")
            for n, row in enumerate(data.get("unknown", ()), 1)
        ),
    )


def _rows(cls: Any, data: dict[str, Any], section: str, named: Any, file: str) -> tuple[Any, ...]:
    rows = []
    for n, row in enumerate(data.get(section, ()), 1):
        where = f"{file}: {section} {row.get('id', n) if isinstance(row, dict) else n}"
        if not isinstance(row, dict):
            raise CatalogError(f"{where}: must be a mapping")
        rows.append(record(cls, resolve_sources(row, named, where, one=True), where))
    return tuple(rows)
