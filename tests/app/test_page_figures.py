"""The panel's figures are the page's: same inputs, same digits; no Streamlit is started."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from app import explanations, memory_words, quality_words, traffic_words
from app.figures import quality as quality_figures
from app.figures import traffic as traffic_figures
from app.formatting import number, percent
from calculators.cost.traffic_fleet import week_of_demand
from calculators.cost.traffic_measured import measured_traffic
from calculators.cost.usage_logs import read_usage_log
from calculators.evidence.lm_eval_files import read_eval_file
from calculators.evidence.published_loss import loss_rows
from calculators.evidence.quality import compare
from calculators.memory_answers import memory_answers
from calculators.plan import plan
from calculators.resolve import hourly_profile
from calculators.scenario import Scenario
from catalogs.quality_loader import load_quality
from tests.app.equations import comes_out, sides


def lines(derivations, figure: str) -> list[str]:
    [one] = [one for one in derivations if one.figure == figure]
    return one.formula.splitlines()


def shown(derivations, figure: str, line: int = -1) -> str:
    return lines(derivations, figure)[line].split(" = ")[-1]


def by_label(metrics) -> dict[str, str]:
    return {label: value for label, value, *_ in metrics}


MEMORY = {
    "default": {},
    "small rest": {"gpu": "rtx-4090", "model": "qwen3-32b", "context_tok": 4096},
    "windows": {"model": "gemma-3-27b", "context_tok": 16_384},
    "shared": {"n_cards": 2, "prefix_tok": 2048, "n_open": 3},
}


@pytest.mark.parametrize("changes", MEMORY.values(), ids=MEMORY)
def test_memory(catalog, changes):
    priced = plan(replace(Scenario(), **changes), catalog)
    answers = memory_answers(priced.deployment, priced.scenario, priced.catalog)
    derivations = explanations.memory_page(priced, answers)
    metrics = by_label(memory_words.memory_metrics(answers))
    assert shown(derivations, "Weights") == metrics["Weights"]
    assert shown(derivations, "Engine") == metrics["Engine"]
    assert shown(derivations, "Left for the cache", 0) == metrics["Left for the cache"]
    token = "Cache of a token, and table: cache by kind of layer"
    assert shown(derivations, token) == metrics["Cache of a token"]
    found = [
        line.split(" = ")[-1].split(" ")[0] for line in lines(derivations, "Sequences at once")
    ]
    assert {*metrics["Sequences at once"].split(" to ")} <= {*found}
    rows = memory_words.choice_rows(answers)
    table = lines(derivations, "Table: what would change it")
    assert [row["At once"] for row in rows if row["At once"] != "does not fit"] == [
        line.split(" = ")[-1].removesuffix(" at once") for line in table if "at once: " in line
    ]
    assert [row["Cache a card [GiB]"] for row in rows] == [
        line.split(" = ")[-1].removesuffix(" GiB") for line in table if "cache of a card: " in line
    ]
    reference = [row["Reference arithmetic"] for row in memory_words.context_rows(answers)]
    assert reference == [
        line.split(" = ")[-1] for line in lines(derivations, "Table: reference arithmetic")
    ]
    kinds = [row["Per sequence, on a card [GiB]"] for row in memory_words.kind_table(answers)]
    kept = lines(derivations, "Table: cache of a sequence, by kind of layer")
    assert kinds == [line.split(" = ")[-1].removesuffix(" GiB") for line in kept]
    for line in lines(derivations, "Table: asked backwards"):
        assert sides(line)[0][0] <= sides(line)[0][1], line


def week_for(priced, log=None):
    """What the Traffic page computes of a plan or a log."""
    traffic = measured_traffic(log) if log else None
    profile, peak = hourly_profile(priced.scenario)
    demand = priced.scenario.demand_mtok * 1e6
    if traffic:
        profile, demand = traffic.profile, traffic.demand_tok_month
        peak = max(traffic.peak_to_mean, float(traffic.profile.max()))
    rate = float(priced.money.capacity_req_s * priced.money.request_tok)
    week = week_of_demand(
        demand_tok_month=demand,
        profile=profile,
        peak=peak,
        replica_tok_s=rate * priced.scenario.load_frac if priced.fits else 0.0,
        hours_month=priced.scenario.hours_month,
    )
    return week, peak, traffic


@pytest.mark.parametrize("changes", [{}, {"demand_mtok": 30_000.0}, {"weight_format": "bf16"}])
def test_traffic(catalog, changes):
    priced = plan(replace(Scenario(), **changes), catalog)
    week, peak, _ = week_for(priced)
    derivations = explanations.traffic(priced, week, peak, None, None)
    comes_out(derivations)
    rows = traffic_words.load_rows(week.loads)
    table = lines(derivations, "Table: load and demand served")
    printed = [line.split(" = ")[-1] for line in table]
    assert printed[::2] == [row["Share of the planned load"] for row in rows]
    assert printed[1::2] == [row["Demand served when asked"] for row in rows]
    numbers = [line.split(" = ")[-1].split()[0] for line in lines(derivations, REPLICAS)]
    assert numbers == [row["Replicas"] for row in rows]
    heatmap = traffic_figures.week_figure(week.week_tok).data[0]
    assert shown(derivations, "Chart: the week") == f"{number(float(heatmap.z.max()))} tok/s"


REPLICAS = "Chart and table: replicas"


def test_traffic_of_a_log(catalog):
    rows = "".join(
        f"{1_767_571_200 + 3600 * hour},{1000 if hour % 24 == 9 else 10},90,5\n"
        for hour in range(337)
    )
    head = "timestamp,prompt_tokens,completion_tokens,cached_tokens\n"
    log = read_usage_log((head + rows + "x,1,1,1\n").encode())
    priced = plan(Scenario(), catalog)
    week, peak, traffic = week_for(priced, log)
    derivations = explanations.traffic(priced, week, peak, traffic, log)
    comes_out(derivations)
    metrics = by_label(traffic_words.traffic_metrics(traffic, log))
    for label in ("Mean input", "Mean output", "Input from cache", "Peak to mean"):
        assert shown(derivations, label) == metrics[label]
    assert metrics["Rows used"] == "337 of 338"
    assert shown(derivations, "Rows used") == "338 rows"
    said = traffic_words.traffic_verdict(traffic)[0]
    assert said == f"This log asks for {shown(derivations, 'This log asks for')}."


def results(scores, metric="acc"):
    text = {t: {f"{metric},none": v, f"{metric}_stderr,none": 0.01} for t, v in scores.items()}
    return read_eval_file(json.dumps({"results": text}).encode())


def test_quality_of_two_files(catalog):
    base, quant = {"gsm8k": 0.6, "arc_easy": 0.7}, {"gsm8k": 0.4, "arc_easy": 0.69}
    comparison = compare(results(base), results(quant))
    derivations = explanations.quality(comparison, load_quality(), [], {})
    comes_out(derivations)
    metrics = by_label(quality_words.comparison_metrics(comparison))
    for label in ("Mean change", "Worst task"):
        assert shown(derivations, label) == metrics[label]
    abilities = quality_words.ability_rows(comparison)
    for line, row in zip(lines(derivations, "Table: by ability"), abilities, strict=True):
        points = row["Mean change [points]"].split(" ± ")[0]
        assert line.split(" = ")[-1] == f"{points} points"
    printed = [line.split(" = ")[-1] for line in lines(derivations, "Chart and table: every score")]
    table = quality_words.task_rows(comparison)
    assert printed[::2] == [row["Standard error"] for row in table]
    assert printed[1::2] == [row["z"] for row in table]


def test_quality_of_perplexities():
    comparison = compare(
        results({"wikitext": 10.0}, "word_perplexity"),
        results({"wikitext": 12.0}, "word_perplexity"),
    )
    derivations = explanations.quality(comparison, load_quality(), [], {})
    metrics = by_label(quality_words.comparison_metrics(comparison))
    figure = "Perplexity, wikitext"
    assert shown(derivations, figure) == metrics[figure] == "+20.0 %"
    comes_out(derivations)


def test_quality_as_published(catalog):
    formats, published = list(catalog.weight_formats.values()), load_quality()
    derivations = explanations.quality(None, published, formats, {})
    comes_out(derivations)
    points = [
        line
        for one in derivations
        if one.figure.startswith("Chart: published loss")
        for line in one.formula.splitlines()
    ]
    rows = [r for r in loss_rows(published) if r.ability != "language modelling"]
    assert sorted(line.split(" = ")[-1] for line in points) == sorted(
        percent(row.worse_frac) for row in rows
    )
    drawn = quality_figures.perplexity_figure(formats, "gguf-q4-k-m").data
    rises = sorted(f"{number(x)} %" for trace in drawn for x in trace.y)
    assert rises == sorted(
        line.split(" = ")[-1] for line in lines(derivations, "Chart: perplexity by format")
    )
