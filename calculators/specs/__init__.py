"""Frozen descriptions of accelerators, models, formats, engines and prices.

Field names carry the units that the YAML files and the screen use (GiB, GB/s, dense TFLOP/s);
properties convert once to bytes, seconds and FLOP/s, the units of every calculator.
A blank fact is None: it is never guessed.
"""

from calculators.specs.catalog import Catalog, Deployment, normalised
from calculators.specs.engine import (
    EngineSpec,
    ErrorBand,
    MemoryRule,
    OlderMemory,
    OlderSpeed,
    SpeedConstants,
)
from calculators.specs.facts import Fact, Grade, OwnFigure, Source, Spec
from calculators.specs.formats import CacheFormat, WeightFormat
from calculators.specs.hardware import AcceleratorSpec, LinkKind, Parallelism
from calculators.specs.model import (
    LANGUAGE_GROUPS,
    GroupKind,
    LayerGroup,
    ModelSpec,
    ParameterCounts,
)
from calculators.specs.prices import DEFAULT_OF, ApiPrice, ApiRates, Figure, PriceTier, RentalPrice

__all__ = [
    "DEFAULT_OF",
    "LANGUAGE_GROUPS",
    "AcceleratorSpec",
    "ApiPrice",
    "ApiRates",
    "CacheFormat",
    "Catalog",
    "Deployment",
    "EngineSpec",
    "ErrorBand",
    "Fact",
    "Figure",
    "Grade",
    "GroupKind",
    "LayerGroup",
    "LinkKind",
    "MemoryRule",
    "ModelSpec",
    "OlderMemory",
    "OlderSpeed",
    "OwnFigure",
    "Parallelism",
    "ParameterCounts",
    "PriceTier",
    "RentalPrice",
    "Source",
    "Spec",
    "SpeedConstants",
    "WeightFormat",
    "normalised",
]
