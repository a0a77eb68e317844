"""What people call the entries of the catalog; links and downloads keep the ids."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from app.cost_rows import api_name
from calculators.scenario_fields import FieldSpec
from calculators.specs import ApiPrice, Catalog

OPTION_NAMES = {"custom": "A model of your own (shape under More)"}


@lru_cache(maxsize=64)
def names(catalog: Catalog, spec: FieldSpec) -> Mapping[str, str]:
    """The ids that a field accepts, each with its name, by name.

    An id stands beside the name where several entries have the same one.
    """
    facts = getattr(catalog, spec.table)
    called = {id_: _name(fact) for id_, fact in facts.items()}
    often = Counter(called.values())
    told = {id_: name if often[name] == 1 else f"{name} ({id_})" for id_, name in called.items()}
    by_name = sorted(told.items(), key=lambda pair: pair[1].lower())
    return {**dict(by_name), **{option: OPTION_NAMES[option] for option in spec.options}}


def _name(fact: Any) -> str:
    name = api_name(fact) if isinstance(fact, ApiPrice) else str(fact.name)
    return f"{name} (own)" if fact.origin == "override" else name
