"""What the readers of usage logs hand on: cells of the chosen columns, and what was left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Progress = Callable[[float], None] | None


class UsageLogError(ValueError):
    """A usage log that cannot be read; the message says why and what is needed."""


@dataclass
class RawTable:
    """Cells of the chosen columns as they stand in the file, and what was left out."""

    columns: dict[str, Any] = field(default_factory=dict)
    names: dict[str, str] = field(default_factory=dict)
    bad_rows: dict[str, int] = field(default_factory=dict)
    bad_examples: dict[str, list[str]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    all_names: tuple[str, ...] = ()
    delimiter: str = ","

    def reject(self, reason: str, example: str, count: int = 1) -> None:
        """Count rows that are not used, and keep up to three of them as examples."""
        self.bad_rows[reason] = self.bad_rows.get(reason, 0) + count
        examples = self.bad_examples.setdefault(reason, [])
        if len(examples) < 3:
            examples.append(example[:120])
