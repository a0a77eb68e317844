"""The labs' pictures: titles say what the data says, marks stand for the data."""

from __future__ import annotations

import numpy as np
import pytest

from app.figures import labs_batching, labs_generation, labs_paging, labs_quantization
from calculators.labs.affine_study import affine_study
from calculators.labs.batching_study import batching_runs
from calculators.labs.digits import CliffRow
from calculators.labs.format_study import format_study
from calculators.labs.paging_results import FREE, random_jobs
from calculators.labs.paging_study import paging_runs
from calculators.labs.requests import random_requests
from calculators.labs.step_times import step_times
from calculators.labs.symmetric import loud_matrix
from calculators.labs.symmetric_study import scheme_results


@pytest.fixture(scope="module")
def runs():
    work = random_requests(
        n_requests=60, requests_s=1, input_mean_tok=50, output_mean_tok=30, seed=1
    )
    times = step_times(
        decode_s=lambda *, batch, context_tok: 0.05 + 0 * batch,
        prefill_s=lambda *, prompt_tok: 0.001 * prompt_tok,
        n_slots=4,
        requests=work,
    )
    return batching_runs(work, times, chunk_tok=64)


def plain(title: str) -> str:
    return title.replace("<br>", " ")


def test_timeline_has_a_row_for_each_policy_and_no_bar_outside_its_slot(runs):
    figure = labs_batching.timeline(runs)
    assert len(figure.data) == 3 * len(runs)
    for trace in figure.data:
        assert set(trace.y) <= {0, 1, 2, 3}
        assert np.all(np.array(trace.x) >= 0)
    assert [name.text for name in figure.layout.annotations] == [r.summary.policy for r in runs]
    assert "idle" in plain(figure.layout.title.text)


def test_decode_bars_add_up_to_the_decoding_time(runs):
    figure = labs_batching.timeline(runs)
    decode = figure.data[4]  # the second policy's second stage
    table = runs[1].requests
    assert decode.name == "decode"
    assert sum(decode.x) == pytest.approx((table.last_token_s - table.first_token_s).sum())


def test_waits_rise_to_all_requests(runs):
    figure = labs_batching.waits(runs)
    for trace in figure.data:
        assert np.all(np.diff(trace.x) >= 0) and trace.y[-1] == 100


def test_the_picture_shows_free_blocks_as_free():
    jobs = random_jobs(n_sequences=6, prompt_mean_tok=20, output_mean_tok=9, max_tok=64)
    run = paging_runs(jobs, capacity_tok=256, block_tok=8)[2]
    heatmap = labs_paging.picture(run).data[0]
    n_free = int((run.picture == FREE).sum())
    assert int((np.array(heatmap.z) == 0).sum()) == n_free
    assert int((np.array(heatmap.customdata) == "free").sum()) == n_free


def test_large_pictures_are_thinned():
    jobs = random_jobs(n_sequences=40, prompt_mean_tok=90, output_mean_tok=400, max_tok=900)
    run = paging_runs(jobs, capacity_tok=4096, block_tok=4)[2]
    rows, columns = np.array(labs_paging.picture(run).data[0].z).shape
    assert rows <= labs_paging.MAX_ROWS * 2 and columns <= labs_paging.MAX_COLUMNS * 2


def test_step_shares_are_percent_of_the_weights():
    study = affine_study(weight_bits=3, n_rows=256)
    figure = labs_quantization.step_use(study)
    assert [sum(trace.y) for trace in figure.data] == pytest.approx([100, 100])
    assert "of 8 steps" in plain(figure.layout.title.text)


def test_row_errors_show_every_row_of_every_scheme():
    results = scheme_results(weights=loud_matrix(), weight_bits=4)
    figure = labs_quantization.row_errors(results)
    assert [len(trace.y) for trace in figure.data] == [512] * 3


def test_the_cliff_names_both_schemes():
    rows = [
        CliffRow(bits, scheme, share)
        for bits, scheme, share in (
            (3, "per-tensor", 0.968),
            (2, "per-tensor", 0.2),
            (3, "per-channel", 0.97),
            (2, "per-channel", 0.45),
        )
    ]
    title = plain(labs_quantization.accuracy_over_bits(rows, 0.976).layout.title.text)
    assert "20 % per tensor, 45 % per channel" in title and "97.6 %" in title


def test_methods_stand_beside_their_bits():
    study = format_study(n_rows=128)
    equal, own = labs_quantization.methods_figure(study).data
    names, errors = (*equal.y, *own.y), (*equal.x, *own.x)
    assert len(equal.y) == 3
    assert names[4] == "FP8 (E4M3) per channel (8 bits)"
    assert names[5] == "NF4 (bitsandbytes) (4.50 bits)"
    assert list(errors) == [method.output_error_frac * 100 for method in study.methods]


def test_orders_of_the_loops_show_as_slopes():
    figure = labs_generation.work_over_length(1, 10_000)
    slopes = {}
    for trace in figure.data:
        x, y = np.log(np.array(trace.x, float)), np.log(np.array(trace.y, float))
        slopes[trace.name] = (y[-1] - y[-10]) / (x[-1] - x[-10])
    assert slopes == pytest.approx(
        {
            "naive scores, n³": 3,
            "naive projections, n²": 2,
            "cached scores, n²": 2,
            "cached projections, n": 1,
        },
        abs=0.02,
    )
