"""What a refit found -> calibration.yaml, which the loader puts beside engines.yaml."""

from __future__ import annotations

from pathlib import Path

import yaml

from calculators.evidence.refit import Calibration

PATH = Path(__file__).parent / "calibration.yaml"
_HEADER = """\
# Constants of the engine classes, fitted to catalogs/measurements by `python -m app refit`,
# never by hand. `errors`: median absolute error by family and source, on the rows that were fitted,
# and with each card and each model left out of the fit.
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
    return path
