"""What a config.json means when it leaves a key out: the values of its model class."""

from __future__ import annotations

from typing import Any

from calculators.fit.architectures.text_defaults import TEXT
from calculators.fit.architectures.tower_defaults import TOWERS


def _value(word: str) -> Any:
    if word in ("true", "false"):
        return word == "true"
    if "," in word:
        return [_value(part) for part in word.split(",")]
    for kind in (int, float):
        try:
            return kind(word)
        except ValueError:
            continue
    return word


def _table(text: str) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    current: dict[str, Any] = {}
    for line in text.splitlines():
        words = line.split()
        if words and not line.startswith(" "):
            current = found.setdefault(words.pop(0).rstrip(":"), {})
        for word in words:
            key, _, value = word.partition("=")
            current[key] = _value(value)
    return found


DEFAULTS: dict[str, dict[str, Any]] = _table(TEXT + TOWERS)
