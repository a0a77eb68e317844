import pytest

from calculators.evidence.published_loss import loss_frac, loss_rows
from catalogs.loader import load_catalog
from catalogs.quality_loader import load_quality
from catalogs.yaml_reader import CatalogError


def test_every_published_score_has_a_source_and_a_plausible_loss():
    rows = loss_rows(load_quality())
    assert len(rows) >= 20
    assert all(row.source.title and row.source.url for row in rows)
    assert all(row.worse_frac > -0.05 for row in rows)


def test_formats_are_those_of_the_catalog_where_it_has_them():
    known = set(load_catalog().weight_formats)
    named = {row.format_id for row in loss_rows(load_quality())}
    assert named - known == {"aqlm-2bit"}


def test_awq_on_hellaswag_by_hand():
    """0.7975 / 0.8058 = 0.98970."""
    row = next(
        r for r in loss_rows(load_quality()) if (r.format_id, r.task[:4]) == ("awq-int4", "Hell")
    )
    assert row.worse_frac == pytest.approx(0.0103, abs=5e-5)
    assert row.stderr_frac == pytest.approx(0.0069, abs=1e-4)


def test_lower_perplexity_is_better():
    assert loss_frac(baseline=10, quantized=9, measure="ppl") == pytest.approx(-0.1)


def test_long_context_arithmetic_code_and_languages_stand_apart():
    published = load_quality()
    abilities = {s.ability for s in published.statements} | {u.ability for u in published.unknown}
    assert {"long context", "arithmetic", "code", "less common languages"} <= abilities


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("evaluation: []", "unknown section 'evaluation'"),
        ("evaluations: [{id: a, source: nowhere}]", "nowhere"),
        (
            "evaluations: [{id: a, model: m, task: t, measure: acc, ability: k, baseline: [0, 0],"
            " scores: {x: [1, 0]}, source: {title: t, checked: 2026-01-01}}]",
            "evaluations a",
        ),
        ("unknown: [{ability: a, text: b, more: c}]", "more"),
    ],
)
def test_a_broken_file_names_the_entry(tmp_path, text, words):
    file = tmp_path / "quality.yaml"
    file.write_text(text)
    with pytest.raises(CatalogError, match=words):
        load_quality(file)
