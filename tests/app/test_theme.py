"""The colours of charts, by WCAG contrast and by simulated colour blindness."""

from __future__ import annotations

import itertools

import numpy as np
import plotly.graph_objects as go
import pytest

from app.figures import theme

# Machado, Oliveira, Fernandes 2009, severity 1.0, for linear RGB.
SIGHT = {
    "normal": np.eye(3),
    "protanope": np.array(
        [
            [0.152286, 1.052583, -0.204868],
            [0.114503, 0.786281, 0.099216],
            [-0.003882, -0.048116, 1.051998],
        ]
    ),
    "deuteranope": np.array(
        [
            [0.367322, 0.860646, -0.227968],
            [0.280085, 0.672501, 0.047413],
            [-0.011820, 0.042940, 0.968881],
        ]
    ),
    "tritanope": np.array(
        [
            [1.255528, -0.076749, -0.178779],
            [-0.078411, 0.930809, 0.147602],
            [0.004733, 0.691367, 0.303900],
        ]
    ),
}


def linear(colour: str) -> np.ndarray:
    values = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    return np.where(values <= 0.04045, values / 12.92, ((values + 0.055) / 1.055) ** 2.4)


def oklab(rgb: np.ndarray) -> np.ndarray:
    """Björn Ottosson's OKLab, from linear RGB."""
    to_lms = np.array(
        [
            [0.4122214708, 0.5363325363, 0.0514459929],
            [0.2119034982, 0.6806995451, 0.1073969566],
            [0.0883024619, 0.2817188376, 0.6299787005],
        ]
    )
    to_lab = np.array(
        [
            [0.2104542553, 0.7936177850, -0.0040720468],
            [1.9779984951, -2.4285922050, 0.4505937099],
            [0.0259040371, 0.7827717662, -0.8086757660],
        ]
    )
    return to_lab @ np.cbrt(to_lms @ np.clip(rgb, 0, 1))


def contrast(one: str, other: str) -> float:
    luminances = sorted(linear(colour) @ [0.2126, 0.7152, 0.0722] for colour in (one, other))
    return (luminances[1] + 0.05) / (luminances[0] + 0.05)


def test_contrast_of_black_and_white_is_21():
    assert contrast("#000000", "#FFFFFF") == pytest.approx(21)


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("meaning", theme.COLOURS)
def test_each_colour_stands_out_from_both_backgrounds(meaning, mode):
    assert contrast(theme.COLOURS[meaning], theme.BACKGROUND[mode]) >= 3


@pytest.mark.parametrize("sight", SIGHT)
def test_colours_differ_for_every_kind_of_sight(sight):
    seen = {name: oklab(SIGHT[sight] @ linear(c)) * 100 for name, c in theme.COLOURS.items()}
    for one, other in itertools.combinations(seen, 2):
        assert np.linalg.norm(seen[one] - seen[other]) >= 11, (one, other)


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_text_is_readable(mode):
    text = theme.template(mode)["layout"]["font"]["color"]
    assert contrast(text, theme.BACKGROUND[mode]) >= 7


def test_the_theme_of_the_app_has_the_charts_backgrounds(config):
    for mode in ("light", "dark"):
        assert config["theme"][mode]["backgroundColor"] == theme.BACKGROUND[mode]


def test_ten_colours_are_set_for_streamlits_own_charts(config):
    assert len(config["theme"]["chartCategoricalColors"]) == 10
    assert len(config["theme"]["chartSequentialColors"]) == 10


def test_base_figure_says_the_finding_and_the_units():
    figure = theme.base_figure("word " * 40, "Batch [sequences]", "Cost [USD]").plotly()
    lines = figure.layout.title.text.split("<br>")
    assert len(lines) > 1
    assert max(map(len, lines)) <= theme.TITLE_CHARS
    assert figure.layout.xaxis.title.text == "Batch [sequences]"
    assert figure.layout.uirevision == "scenario"


def test_templates_are_valid_plotly_templates():
    for mode in ("light", "dark"):
        assert go.layout.Template(theme.template(mode)).layout.font.family == theme.FONT


def distance(one: str, other: str, sight: str) -> float:
    seen = [oklab(SIGHT[sight] @ linear(colour)) * 100 for colour in (one, other)]
    return float(np.linalg.norm(seen[0] - seen[1]))


@pytest.mark.parametrize("sight", SIGHT)
def test_neighbouring_series_differ_for_every_kind_of_sight(sight):
    for one, other in itertools.pairwise(theme.SERIES):
        assert distance(one, other, sight) >= 6, (one, other, distance(one, other, sight))


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize("colour", theme.SERIES)
def test_each_series_stands_out_from_both_backgrounds(colour, mode):
    assert contrast(colour, theme.BACKGROUND[mode]) >= 3


def test_streamlits_own_charts_have_the_same_series(config):
    assert config["theme"]["chartCategoricalColors"] == list(theme.SERIES)


def test_series_differ_without_colour_too():
    assert len(set(theme.DASHES)) == len(theme.DASHES) >= 6
    assert len(set(theme.SYMBOLS)) == len(theme.SYMBOLS) >= 8


@pytest.mark.parametrize("sight", SIGHT)
def test_the_heat_scale_darkens_evenly_for_every_kind_of_sight(sight):
    lightness = [oklab(SIGHT[sight] @ linear(colour))[0] * 100 for colour in theme.SEQUENTIAL]
    steps = -np.diff(lightness)
    assert steps.min() >= 5, steps
