import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.evidence.lm_eval_files import EvalFileError, read_eval_file
from calculators.evidence.quality import compare
from calculators.evidence.quality_summary import summary_markdown, verdict_text
from calculators.evidence.quality_tests import holm_p_values, mcnemar_p_value, normal_p_value

scipy_stats = pytest.importorskip("scipy.stats")


def file_of(scores, filename="f.json", metric="acc", **sections):
    results = {
        task: {f"{metric},none": value, f"{metric}_stderr,none": error}
        for task, (value, error) in scores.items()
    }
    return read_eval_file(json.dumps({"results": results, **sections}).encode(), filename)


def test_difference_error_z_and_p_by_hand():
    """0.8 +- 0.03 against 0.7 +- 0.04: -0.1 +- 0.05, z = -2, p = 0.0455."""
    only = compare(file_of({"x": (0.8, 0.03)}), file_of({"x": (0.7, 0.04)})).differences[0]
    assert only.difference == pytest.approx(-0.1)
    assert only.stderr == pytest.approx(0.05)
    assert only.z == pytest.approx(-2)
    assert only.p == pytest.approx(0.0455, abs=1e-4)
    assert only.worse == pytest.approx(0.1)


def test_one_task_breaks_while_the_mean_stays():
    base = {f"t{n}": (0.6, 0.02) for n in range(9)} | {"gsm8k": (0.6, 0.02)}
    quant = {f"t{n}": (0.61, 0.02) for n in range(9)} | {"gsm8k": (0.45, 0.02)}
    comparison = compare(file_of(base), file_of(quant))
    assert comparison.mean.difference == pytest.approx((9 * 0.01 - 0.15) / 10)
    assert comparison.mean.p > 0.05
    assert [d.task for d in comparison.broken] == ["gsm8k"]
    assert comparison.mean.worst.task == "gsm8k"
    text = verdict_text(comparison)
    assert "gsm8k" in text and "No significant change of the mean" in text
    assert {m.name: m.n_tasks for m in comparison.abilities} == {"other": 9, "arithmetic": 1}


def test_no_significant_change_names_the_loss_that_is_not_ruled_out():
    comparison = compare(file_of({"x": (0.60, 0.03)}), file_of({"x": (0.59, 0.04)}))
    assert comparison.mean.largest_loss_frac == pytest.approx(0.01 + 1.645 * 0.05)
    assert "not 'no loss'" in verdict_text(comparison)
    assert "9.2 points" in verdict_text(comparison)


def test_a_loss_that_is_not_ruled_out_never_reads_as_nothing():
    # 1.645 x 0.0002 x sqrt(2) - 0.0002 = 0.000265, so 0.03 points
    small = compare(file_of({"x": (0.6, 0.0002)}), file_of({"x": (0.6002, 0.0002)}))
    assert "loss of up to 0.03 points" in verdict_text(small)
    # z = 1.8: not significant both ways, yet 1.645 standard errors stay above no change
    gain = compare(file_of({"x": (0.6, 0.03)}), file_of({"x": (0.69, 0.04)}))
    assert gain.mean.largest_loss_frac == 0
    assert "A loss of the mean is ruled out" in verdict_text(gain)
    for one in (small, gain):
        assert " 0.0 points" not in verdict_text(one)


def test_many_tasks_are_corrected_for():
    """One in twenty at p = 0.02 is chance: Holm gives 20 x 0.02."""
    base = {f"t{n}": (0.5, 0.1) for n in range(20)}
    quant = base | {"t7": (0.5 - 2.3263 * 0.1 * math.sqrt(2), 0.1)}
    comparison = compare(file_of(base), file_of(quant))
    assert comparison.mean.worst.p == pytest.approx(0.02, abs=1e-4)
    assert comparison.mean.worst.p_adjusted == pytest.approx(0.4, abs=0.002)
    assert comparison.broken == ()


def test_answers_in_both_files_are_paired():
    """40 of 50 right before; 6 lost, 1 gained: exact McNemar 2 x 8 / 2^7 = 0.125."""
    before = [1] * 40 + [0] * 10
    after = [0] * 6 + [1] * 34 + [1] + [0] * 9
    files = []
    for answers in (before, after):
        rows = [{"doc_id": n, "filter": "none", "acc": a} for n, a in enumerate(answers)]
        files.append(file_of({"x": (sum(answers) / 50, 0.06)}, samples={"x": rows}))
    only = compare(*files).differences[0]
    assert only.is_paired
    assert only.p == pytest.approx(0.125)
    changes = [b - a for a, b in zip(before, after, strict=True)]
    mean = sum(changes) / 50
    variance = sum((change - mean) ** 2 for change in changes) / 49
    assert only.stderr == pytest.approx(math.sqrt(variance / 50))


def test_a_missing_error_of_right_answers_is_binomial_and_said():
    """sqrt(0.5 x 0.5 / 100) = 0.05 on both sides."""
    counts = {"n-samples": {"x": {"effective": 101}}}
    comparison = compare(
        file_of({"x": (0.5, "N/A")}, **counts), file_of({"x": (0.5, None)}, **counts)
    )
    assert comparison.differences[0].stderr == pytest.approx(0.05 * math.sqrt(2))
    assert any("Binomial standard errors" in w for w in comparison.warnings)


def test_few_samples_are_said():
    counts = {"n-samples": {"x": {"effective": 4}}}
    warnings = compare(file_of({"x": (0.5, 0.2)}, **counts), file_of({"x": (0.5, 0.2)})).warnings
    assert any("Fewer than 30 samples" in w and "x (4)" in w for w in warnings)


def test_groups_are_shown_but_counted_once():
    tree = {"group_subtasks": {"mmlu": ["a", "b"]}}
    base = file_of({"mmlu": (0.6, 0.01), "a": (0.6, 0.02), "b": (0.6, 0.02)}, **tree)
    quant = file_of({"mmlu": (0.5, 0.01), "a": (0.5, 0.02), "b": (0.5, 0.02)}, **tree)
    comparison = compare(base, quant)
    assert len(comparison.differences) == 3
    assert comparison.mean.n_tasks == 2


def test_percent_beside_share_is_rescaled_and_said():
    comparison = compare(file_of({"x": (0.72, 0.01)}), file_of({"x": (71.0, 1.0)}))
    assert comparison.differences[0].difference == pytest.approx(-0.01)
    assert comparison.differences[0].stderr == pytest.approx(math.hypot(0.01, 0.01))
    assert any("0 to 100 in the quantized run" in w for w in comparison.warnings)


@pytest.mark.parametrize(
    ("task", "values", "metric", "words"),
    [
        ("gsm8k", (0.0015, 0.0008), "acc", "near 0"),
        ("mmlu_anatomy", (0.251, 0.243), "acc", "guessing"),
        ("wmdp", (1.0, 1.0), "exact_match", "perfect"),
        ("lambada", (1.3e6, 1.2e6), "ppl", "broken run"),
    ],
)
def test_a_task_that_measures_nothing_is_flagged_and_left_out(task, values, metric, words):
    first, second = (
        file_of({task: (v, 0.01 * v), "x": (0.5, 0.01)}, metric=metric) for v in values
    )
    comparison = compare(first, second)
    flagged = next(d for d in comparison.differences if d.task == task)
    assert words in flagged.flag
    assert task not in {d.task for d in comparison.leaves}
    assert any(words in warning for warning in comparison.warnings)


def test_perplexity_without_errors_is_a_ratio_and_no_significance():
    first = file_of({"wikitext": (17.25, "N/A")}, metric="word_perplexity")
    second = file_of({"wikitext": (51.6, "N/A")}, metric="word_perplexity")
    comparison = compare(first, second)
    only = comparison.perplexities[0]
    assert only.difference == pytest.approx(math.log(51.6 / 17.25))
    assert (only.stderr, only.p) == (None, None)
    assert [d.task for d in comparison.broken] == ["wikitext"]
    assert "+199.1 %" in verdict_text(comparison)
    assert any("significance cannot be told" in w for w in comparison.warnings)


def test_settings_versions_and_shots_that_differ_are_said():
    base = {"n-shot": {"x": 5}, "versions": {"x": 1}, "config": {"limit": None}}
    quant = {"n-shot": {"x": 0}, "versions": {"x": 2}, "config": {"limit": 100}}
    warnings = " ".join(
        compare(file_of({"x": (0.5, 0.1)}, **base), file_of({"x": (0.4, 0.1)}, **quant)).warnings
    )
    for words in ("x (5 against 0)", "x (1 against 2)", "'limit' differs", "cut to 100 samples"):
        assert words in warnings


def test_a_file_that_is_not_what_its_name_says():
    model = {"model_name": "org/Llama-8B"}
    base = file_of({"x": (0.5, 0.1), "y": (0.5, 0.1)}, **model)
    same = file_of({"x": (0.5, 0.1), "y": (0.5, 0.1)}, "results_gptq_2bit.json", **model)
    warnings = " ".join(compare(base, same).warnings)
    assert "The file's name says gptq" in warnings
    assert "equal to the last digit" in warnings


def test_model_names_are_compared_without_their_quantization():
    base = file_of({"x": (0.5, 0.1)}, model_name="meta-llama/Llama-3.1-8B-Instruct")
    awq = "hugging-quants/Meta-Llama-3.1-8B-Instruct-AWQ-INT4"
    fine = compare(base, file_of({"x": (0.4, 0.1)}, model_name=awq))
    other = compare(base, file_of({"x": (0.4, 0.1)}, model_name="meta-llama/Llama-3.1-8B-AWQ"))
    assert not any("different models" in w for w in fine.warnings)
    assert any("different models" in w for w in other.warnings)


def test_unmatched_tasks_and_metrics_are_listed_and_nothing_in_common_is_refused():
    base = file_of({"x": (0.5, 0.1), "y": (0.5, 0.1)})
    quant = file_of({"x": (0.5, 0.1), "z": (0.5, 0.1)})
    comparison = compare(base, quant)
    assert (comparison.only_baseline, comparison.only_quantized) == (("y",), ("z",))
    with pytest.raises(EvalFileError, match="no task in common"):
        compare(file_of({"y": (0.5, 0.1)}), file_of({"z": (0.5, 0.1)}))
    with pytest.raises(EvalFileError, match="score of the tasks in common"):
        compare(file_of({"y": (math.inf, 0.1)}), file_of({"y": (math.inf, 0.1)}))


def test_a_metric_without_a_better_direction_never_counts_as_broken():
    first = file_of({"crows": (0.7, 0.01)}, metric="pct_stereotype")
    second = file_of({"crows": (0.3, 0.01)}, metric="pct_stereotype")
    comparison = compare(first, second)
    assert comparison.differences[0].worse is None
    assert comparison.broken == () and comparison.mean is None


def test_swapping_the_files_turns_every_sign():
    first, second = file_of({"x": (0.8, 0.03)}), file_of({"x": (0.7, 0.04)})
    there, back = compare(first, second).differences[0], compare(second, first).differences[0]
    assert (there.difference, there.z) == (-back.difference, -back.z)
    assert there.p == back.p


def test_the_summary_escapes_names_from_the_files():
    name = "<script>|[x](http://y)"
    base = file_of({name: (0.5, 0.1)}, model_name="*m*")
    text = summary_markdown(compare(base, file_of({name: (0.4, 0.1)})))
    assert "<script>" not in text.replace("\\<script\\>", "")
    assert "\\*m\\*" in text


@given(st.integers(0, 200), st.integers(0, 200))
def test_mcnemar_agrees_with_the_binomial_test(lost, gained):
    if lost + gained:
        expected = scipy_stats.binomtest(lost, lost + gained).pvalue
        assert mcnemar_p_value(n_lost=lost, n_gained=gained) == pytest.approx(expected)


@given(st.floats(-8, 8))
def test_normal_p_value_agrees_with_the_distribution(z):
    assert normal_p_value(z) == pytest.approx(2 * scipy_stats.norm.sf(abs(z)))


@settings(deadline=None)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=12))
def test_holm_is_monotonic_and_never_below_p(p_values):
    adjusted = holm_p_values(p_values)
    assert all(a >= p for a, p in zip(adjusted, p_values, strict=True))
    assert max(adjusted) <= 1
    order = sorted(range(len(p_values)), key=p_values.__getitem__)
    assert [adjusted[i] for i in order] == sorted(adjusted)
    assert min(adjusted) == pytest.approx(min(1, len(p_values) * min(p_values)))
