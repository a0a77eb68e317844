"""Checked reading of one section of a config: every value is typed, bounded and named."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calculators.fit.architectures.errors import ModelConfigError

_MISSING: Any = object()
LARGEST = 10_000_000
LONGEST = 5_000  # layers of one model


class Keys:
    """One section of a config.

    The first of several names that the file holds wins. A key that is absent takes the default of
    its model class, where one is known, and is remembered in `assumed`; a key that is null
    takes the default that the recipe gives.
    """

    def __init__(
        self,
        data: Mapping[str, Any],
        *,
        path: str = "",
        defaults: Mapping[str, Any] | None = None,
        assumed: dict[str, Any] | None = None,
    ) -> None:
        self.data = data
        self.path = path
        self.defaults = defaults or {}
        self.assumed = {} if assumed is None else assumed

    def label(self, name: str) -> str:
        return f"{self.path}.{name}" if self.path else name

    def has(self, *names: str) -> bool:
        """Does the file itself hold one of the names, and not as null?"""
        return any(self.data.get(name) is not None for name in names)

    def known(self, *names: str) -> bool:
        """Does the file hold one of the names, or its class a default for one?"""
        absent = not any(name in self.data for name in names)
        return self.has(*names) or (
            absent and any(self.defaults.get(name) is not None for name in names)
        )

    def _find(self, names: tuple[str, ...], default: Any) -> tuple[str, Any]:
        for name in names:
            if self.data.get(name) is not None:
                return name, self.data[name]
        explicit_null = any(name in self.data for name in names)
        if not explicit_null:
            for name in names:
                if self.defaults.get(name) is not None:
                    self.assumed[self.label(name)] = self.defaults[name]
                    return name, self.defaults[name]
        if default is _MISSING:
            state = "is null" if explicit_null else "is missing"
            raise ModelConfigError(f"config: '{self.label(names[0])}' {state}; it is needed.")
        return names[0], default

    def count(
        self, *names: str, default: int | None = _MISSING, low: int = 1, high: int = LARGEST
    ) -> Any:
        """A whole number in [low, high]; a float without fraction will do."""
        name, value = self._find(names, default)
        if value is None or (value is default and default is not _MISSING):
            return value
        return self._whole(name, value, low, high)

    def uniform(self, *names: str, default: Any = _MISSING, low: int = 1) -> Any:
        """A whole number that may be written as a list of equal ones, one for each layer."""
        name, value = self._find(names, default)
        if isinstance(value, list) and value and all(item == value[0] for item in value):
            return self._whole(name, value[0], low, LARGEST)
        return self.count(*names, default=default, low=low)

    def _whole(self, name: str, value: Any, low: int, high: int) -> int:
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole or not low <= value <= high:
            raise ModelConfigError(
                f"config: '{self.label(name)}' is {shown(value)}; "
                f"a whole number from {low:,} to {high:,} is needed."
            )
        return int(value)

    def number(self, *names: str, default: float, low: float, high: float) -> float:
        """A finite number in [low, high]."""
        name, value = self._find(names, default)
        if (
            isinstance(value, bool)
            or not isinstance(value, int | float)
            or not low <= value <= high
        ):
            raise ModelConfigError(
                f"config: '{self.label(name)}' is {shown(value)}; "
                f"a number from {low:g} to {high:g} is needed."
            )
        return float(value)

    def flag(self, *names: str, default: bool = False) -> bool:
        """true or false."""
        name, value = self._find(names, default)
        if not isinstance(value, bool):
            raise ModelConfigError(
                f"config: '{self.label(name)}' is {shown(value)}; true or false is needed."
            )
        return value

    def text(self, *names: str, default: Any = _MISSING) -> Any:
        """A word, or the default."""
        name, value = self._find(names, default)
        if value is not default and not isinstance(value, str):
            raise ModelConfigError(
                f"config: '{self.label(name)}' is {shown(value)}; a word is needed."
            )
        return value

    def counts(
        self, *names: str, default: Any = _MISSING, low: int = 0, high: int = LARGEST
    ) -> Any:
        """A list of whole numbers (true and false count as 1 and 0), or the default."""
        name, value = self._find(names, default)
        if value is default:
            return value
        items = [int(v) if isinstance(v, bool) else v for v in self._list(name, value)]
        return [self._whole(f"{name}[{i}]", v, low, high) for i, v in enumerate(items)]

    def words(self, *names: str, default: Any = None) -> Any:
        """A list of words, or the default."""
        name, value = self._find(names, default)
        if value is default:
            return value
        items = self._list(name, value)
        for item in items:
            if not isinstance(item, str):
                raise ModelConfigError(
                    f"config: '{self.label(name)}' holds {shown(item)}; words are needed."
                )
        return items

    def _list(self, name: str, value: Any) -> list[Any]:
        if not isinstance(value, list | tuple) or len(value) > LONGEST:
            raise ModelConfigError(
                f"config: '{self.label(name)}' is {shown(value)}; "
                f"a list of at most {LONGEST:,} entries is needed."
            )
        return list(value)

    def section(self, name: str, *, defaults: Mapping[str, Any] | None = None) -> Keys:
        """A nested section; an empty one where it is absent or null."""
        value = self.data.get(name)
        if value is None:
            value = {}
        if not isinstance(value, Mapping):
            raise ModelConfigError(
                f"config: '{self.label(name)}' is {shown(value)}; an object is needed."
            )
        return Keys(value, path=self.label(name), defaults=defaults, assumed=self.assumed)

    def sections(self, name: str) -> list[Keys]:
        """A list of nested sections."""
        items = self._list(name, self._find((name,), _MISSING)[1])
        for item in items:
            if not isinstance(item, Mapping):
                raise ModelConfigError(
                    f"config: '{self.label(name)}' holds {shown(item)}; objects are needed."
                )
        return [
            Keys(item, path=f"{self.label(name)}[{i}]", assumed=self.assumed)
            for i, item in enumerate(items)
        ]


def shown(value: Any) -> str:
    """A value as a message shows it: short, and never more than one line."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) >= 10**15:
        return f"a number of {len(f'{abs(value):x}') * 6 // 5:,} or so digits"
    if isinstance(value, Mapping):
        return "an object"
    if isinstance(value, list | tuple) and len(value) != 2:
        return f"a list of {len(value):,}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(shown(x) if not isinstance(x, list) else "..." for x in value) + "]"
    text = repr(value)
    return text if len(text) <= 40 else text[:37] + "..."
