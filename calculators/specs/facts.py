"""What every record of the catalog has: an id, sources, disagreements, an origin."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field

Grade = Literal["A", "B", "C", "D"]


class Spec(BaseModel):
    """Base of every spec: immutable, and an unknown key is an error."""

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields replaced; what was derived from the old ones is dropped."""
        copy = super().model_copy(update=update, deep=deep)
        for name in copy.__dict__.keys() - type(self).model_fields.keys():
            del copy.__dict__[name]
        return copy


class Source(Spec):
    """Where a fact comes from: title, address or document, the day it was read.

    `covers` names the fields that it supports; empty means all figures of the record.
    Grade A is primary, B an aggregator or transcription, C a blog, an estimate or uncited.
    """

    title: str = Field(min_length=1)
    url: str | None = None
    checked: date
    covers: tuple[str, ...] = ()
    grade: Grade = "B"


class OwnFigure(Spec):
    """One figure that an override sets: where it stands, its value as text, its source."""

    name: str  # "accelerators/h100-sxm: price_usd" and the like
    value: str
    source: Source | None = None  # a default of a link may go without

    @property
    def text(self) -> str:
        """Name, value, source and the day it was read, on one line."""
        origin = f" ({self.source.title}, {self.source.checked})" if self.source else ""
        return f"{self.name} = {self.value}{origin}"


class Fact(Spec):
    """A catalog record: an id, its sources, what sources disagree about, and its origin."""

    id: str = Field(min_length=1, pattern=r"^[A-Za-z0-9][A-Za-z0-9._:/+-]*$")
    name: str = Field(min_length=1)
    aliases: tuple[str, ...] = ()
    sources: tuple[Source, ...] = Field(min_length=1)
    disagreements: tuple[str, ...] = ()
    note: str | None = None
    origin: Literal["catalog", "override", "custom"] = "catalog"

    @property
    def checked(self) -> date:
        """The day of the oldest source of this record."""
        return min(source.checked for source in self.sources)
