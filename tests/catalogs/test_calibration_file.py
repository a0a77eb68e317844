"""What is written is what the loader reads back."""

import pandas as pd
import yaml

from calculators.evidence.refit import Calibration
from calculators.specs import SpeedConstants
from catalogs.calibration_file import PATH, left_out_ratios, write_calibration


def test_written_constants_are_read_back(tmp_path):
    speed = SpeedConstants(bandwidth_eff_frac=0.8, factors={"bandwidth_eff_frac": {"gddr": 1.1}})
    entry = {"speed": speed.model_dump(), "bands": [], "n_rows": 3}
    errors = pd.DataFrame({"family": ["tpot"], "source": ["a"], "card": [float("nan")]})
    ratios = pd.DataFrame({"id": ["x1"], "card": [1.23456], "model": [1.0]})
    path = write_calibration(Calibration({"vllm": entry}, errors, 3, ratios), tmp_path / "fit.yaml")
    data = yaml.safe_load(path.read_text())
    assert SpeedConstants.model_validate(data["engines"]["vllm"]["speed"]) == speed
    assert left_out_ratios(tmp_path / "left_out.csv").card.tolist() == [1.2346]
    assert data["errors"] == [{"family": "tpot", "source": "a", "card": None}]


def test_every_engine_of_the_catalog_has_fitted_constants(catalog):
    entries = yaml.safe_load(PATH.read_text())["engines"]
    assert set(entries) == set(catalog.engines)
    for key, engine in catalog.engines.items():
        assert engine.n_rows == entries[key]["n_rows"]
        assert engine.bands and engine.provenance
