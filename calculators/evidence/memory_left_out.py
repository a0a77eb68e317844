"""How well the few fitted memory constants predict sources that they were not fitted on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product

import numpy as np
import pandas as pd

from calculators.evidence.memory_accuracy import score_memory_rows
from calculators.specs import Catalog, EngineSpec, MemoryRule

POOL_FIGURES = r"^(?:kv_tokens|kv_blocks\*block_size|kv_gib|max_concurrency)$"
GRID: Mapping[str, tuple[float, ...]] = {
    "runtime_gib": (0.1, 0.15, 0.25, 0.4),
    "runtime_tp_gib": (0.2, 0.4, 0.6),
    "graphs_gib": (0.25, 0.5, 0.75, 1.0),
}


def with_constants(catalog: Catalog, constants: Mapping[str, float]) -> Catalog:
    """The catalog with other constants where an engine's own are not 0.

    Parameters
    ----------
    catalog : Catalog
    constants : mapping of str to float
        Fields of `MemoryRule`; releases before 0.8 (whole prompts in one pass) keep theirs.

    Returns
    -------
    Catalog
        The same models, cards and formats.
    """

    def changed(rule: MemoryRule) -> MemoryRule:
        if rule.batched_is_context or rule.utilisation_of != "total":
            return rule
        return rule.model_copy(
            update={name: value for name, value in constants.items() if getattr(rule, name)}
        )

    def engine(spec: EngineSpec) -> EngineSpec:
        older = tuple(
            item.model_copy(update={"memory": changed(item.memory)}) for item in spec.older_memory
        )
        return spec.model_copy(update={"memory": changed(spec.memory), "older_memory": older})

    engines = {
        name: engine(spec) if name.startswith("vllm") else spec
        for name, spec in catalog.engines.items()
    }
    return catalog.model_copy(update={"engines": engines})


def pool_ratios(
    rows: pd.DataFrame, catalog: Catalog, candidates: Sequence[Mapping[str, float]]
) -> pd.DataFrame:
    """Predicted / printed cache of each row under each set of constants.

    Parameters
    ----------
    rows : DataFrame
        As `score_memory_rows`; only figures of the cache with all settings stated are kept.
    catalog : Catalog
    candidates : sequence of mappings
        Sets of constants.

    Returns
    -------
    DataFrame
        One column a candidate, in the index of the rows kept.
    """
    kept = rows[rows["printed_quantity"].str.match(POOL_FIGURES)]
    scored = [score_memory_rows(kept, with_constants(catalog, one)) for one in candidates]
    stated = scored[0]["predicted"].notna() & ~scored[0]["basis"].str.contains("assumed")
    columns = [pd.to_numeric(one.loc[stated, "ratio"]) for one in scored]
    return pd.concat(columns, axis=1, keys=range(len(columns)))


def left_out_ratios(ratios: pd.DataFrame, sources: pd.Series) -> pd.Series:
    """The ratio of each row under the constants that suit the other sources best.

    argmin over candidates of the mean |ln ratio| (at most ln 2 a row) of all other sources

    Parameters
    ----------
    ratios : DataFrame
        One column a candidate.
    sources : Series
        Of each row; rows of one source are left out together.

    Returns
    -------
    Series
        In the index of `ratios`.

    Notes
    -----
    Basis: measured. On 51 printed figures of 15 sources with all settings stated, the three
    constants of `GRID` err by 2.7 % (median) and 14.6 % (90th percentile) on the source left out,
    against 1.5 % and 14.6 % where it is kept; no constant but these three is fitted.

    Examples
    --------
    >>> table = pd.DataFrame({"low": [0.8, 1.0, 1.0], "high": [1.0, 1.1, 1.1]})
    >>> left_out_ratios(table, pd.Series(["a", "b", "b"])).tolist()
    [0.8, 1.1, 1.1]
    """
    sizes = np.log(ratios.clip(lower=0.5, upper=2.0)).abs()
    picked = pd.Series(index=ratios.index, dtype=float)
    for source in sources.unique():
        out = sources == source
        best = sizes[~out].mean().idxmin()
        picked[out] = ratios.loc[out, best]
    return picked


def grid_candidates(grid: Mapping[str, Sequence[float]] = GRID) -> list[dict[str, float]]:
    """Every combination of a grid of constants.

    >>> grid_candidates({"runtime_gib": (0.1, 0.2)})
    [{'runtime_gib': 0.1}, {'runtime_gib': 0.2}]
    """
    return [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
