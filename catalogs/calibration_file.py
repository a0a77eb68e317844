"""What a refit found -> calibration.yaml, which the loader puts beside engines.yaml."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

import pandas as pd
import yaml

from calculators.evidence.refit import Calibration

PATH = Path(__file__).parent / "calibration.yaml"
LEFT_OUT_PATH = PATH.with_name("left_out.csv")
_HEADER = """\
# Constants of the engine classes, fitted to catalogs/measurements by `python -m app refit`,
# never by hand. `errors`: median absolute error by family and source, on the rows that were fitted,
# and with each card, each model and each source (`unseen`) left out of the fit.
"""


class _Plain(yaml.SafeDumper):
    """Repeats what is repeated: an anchor says nothing to a reader."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def write_calibration(calibration: Calibration, path: Path = PATH) -> Path:
    """Write the fitted constants, their bands and the errors behind them.

    Parameters
    ----------
    calibration : what `refit` returns
    path : the file

    Returns
    -------
    The path

    Examples
    --------
    `python -m app refit` calls it.
    """
    errors = calibration.errors.round(3).astype(object)
    errors = errors.where(errors.notna(), None)
    data = {
        "n_rows": calibration.n_rows,
        "engines": calibration.engines,
        "errors": errors.to_dict("records"),
    }
    text = yaml.dump(data, Dumper=_Plain, sort_keys=False, width=100, default_flow_style=None)
    path.write_text(_HEADER + text, encoding="utf-8")
    calibration.left_out.round(4).to_csv(path.with_name(LEFT_OUT_PATH.name), index=False)
    return path


@lru_cache(maxsize=2)
def left_out_ratios(path: Path = LEFT_OUT_PATH) -> pd.DataFrame:
    """Predicted / published of each measurement by fits without its card, model or source.

    Parameters
    ----------
    path : written by `write_calibration`

    Returns
    -------
    DataFrame of id, card, model and unseen (the source)

    Examples
    --------
    >>> left_out_ratios().columns.tolist()
    ['id', 'card', 'model', 'unseen']
    """
    return pd.read_csv(path, dtype={"id": str})
