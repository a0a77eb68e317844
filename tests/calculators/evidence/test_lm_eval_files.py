import json
import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calculators.evidence.lm_eval_files import EvalFileError, read_eval_file


def read(document, filename="results.json"):
    return read_eval_file(json.dumps(document).encode(), filename)


def test_flat_results_of_0_3():
    file = read(
        {
            "results": {
                "arc_easy": {
                    "acc": 0.7,
                    "acc_stderr": 0.01,
                    "acc_norm": 0.6,
                    "acc_norm_stderr": 0.02,
                },
                "lambada": {"ppl": 3.9, "ppl_stderr": 0.08},
            },
            "versions": {"arc_easy": 0},
            "config": {
                "model": "hf",
                "model_args": "pretrained=org/m,revision=x",
                "num_fewshot": 3,
            },
        }
    )
    first = file.scores[0]
    assert (first.value, first.stderr, first.version, first.n_shot) == (0.7, 0.01, "0", 3)
    assert [s.metric for s in file.scores] == ["acc", "acc_norm", "ppl"]
    assert file.scores[2].higher_is_better is False
    assert file.model == "org/m"
    assert file.tool.startswith("lm-evaluation-harness 0.3")


def test_filters_groups_shots_and_samples_of_0_4():
    file = read(
        {
            "results": {
                "mmlu": {"acc,none": 0.65, "acc_stderr,none": 0.004, "alias": "mmlu"},
                "mmlu_stem": {"acc,none": 0.55, "acc_stderr,none": 0.01, "alias": " - stem"},
                "mmlu_anatomy": {"acc,none": 0.6, "acc_stderr,none": "N/A", "alias": "  - anatomy"},
                "gsm8k": {
                    "exact_match,strict-match": 0.7,
                    "exact_match_stderr,strict-match": 0.01,
                    "exact_match,flexible-extract": 0.8,
                    "alias": "gsm8k",
                    "sample_len": 1319,
                },
            },
            "group_subtasks": {"mmlu": ["mmlu_stem"], "mmlu_stem": ["mmlu_anatomy"], "gsm8k": []},
            "n-shot": {"mmlu": 0, "mmlu_anatomy": 5, "gsm8k": 5},
            "n-samples": {"mmlu_anatomy": {"original": 135, "effective": 100}},
            "configs": {"mmlu_anatomy": {"doc_to_choice": ["A", "B", "C", "D"]}},
            "higher_is_better": {"gsm8k": {"exact_match": True}},
            "lm_eval_version": "0.4.9",
            "model_name": "org/m",
        }
    )
    by_key = {score.key: score for score in file.scores}
    anatomy = by_key["mmlu_anatomy", "acc", "none"]
    assert (anatomy.n_shot, anatomy.n_samples, anatomy.n_choices) == (5, 100, 4)
    assert (anatomy.stderr, anatomy.group, anatomy.is_group) == (None, "mmlu_stem", False)
    assert by_key["mmlu_stem", "acc", "none"].is_group
    assert by_key["gsm8k", "exact_match", "flexible-extract"].stderr is None
    assert by_key["gsm8k", "exact_match", "strict-match"].n_samples == 1319
    assert file.tool == "lm-evaluation-harness 0.4.9"
    assert any("0 few-shot examples for the group mmlu" in note for note in file.notes)


def test_groups_from_the_indents_of_aliases():
    results = {
        "glue": {"acc,none": 0.4, "alias": "glue"},
        "cola": {"mcc,none": -0.01, "alias": " - cola"},
        "arc": {"acc,none": 0.4, "alias": "arc"},
    }
    file = read({"results": results, "model": "org/m", "num_fewshot": 0})
    assert [s.is_group for s in file.scores] == [True, False, False]
    assert [s.group for s in file.scores] == [None, "glue", None]


def test_lighteval_names_and_sample_counts():
    file = read(
        {
            "config_general": {"model_name": "org/m", "max_samples": None},
            "results": {
                "leaderboard|arc:challenge|25": {"acc_norm": 0.61, "acc_norm_stderr": 0.014},
                "lighteval|gsm8k|5|0": {"extractive_match": 0.4},
                "all": {"acc_norm": 0.61},
            },
            "summary_tasks": {
                "leaderboard|arc:challenge|25": {"truncated": 2, "non_truncated": 1170}
            },
        }
    )
    assert file.tool == "lighteval"
    assert [(s.task, s.n_shot, s.is_group) for s in file.scores] == [
        ("leaderboard|arc:challenge", 25, False),
        ("lighteval|gsm8k", 5, False),
        ("all", None, True),
    ]
    assert file.scores[0].n_samples == 1172


def test_runs_by_time_stamp_and_results_as_a_list():
    stamped = {"arc": {"2022-07-07": {"acc": 0.5}, "2022-07-09": {"acc": 0.6, "task_name": "arc"}}}
    file = read({"results": stamped})
    assert [s.value for s in file.scores] == [0.6]
    assert "2 runs" in file.notes[0]
    listed = read({"results": [{"task_name": "copa", "prompt_name": "p", "acc": 0.57}]})
    assert listed.scores[0].task == "copa+p"


def test_counts_beside_the_scores_are_no_run():
    row = {"alias": "mmlu", "sample_count": {"original": 5, "effective": 5}, "name": "mmlu"}
    file = read({"results": {"mmlu": row, "a": {**row, "acc,none": 0.5}}})
    assert [s.key for s in file.scores] == [("a", "acc", "none")]


def test_infinity_nan_text_and_placeholders():
    text = b'{"results": {"t": {"mae,none": Infinity, "mae_stderr,none": NaN, "alias": "t"},'
    text += b'"u": {"bypass,none": 999, "bypass_stderr,none": "N/A", " ,none": "x",'
    text += b'"acc,none": 1e999}}}'
    file = read_eval_file(text)
    assert file.tasks == ("t", "u")
    assert [(s.metric, s.value, s.stderr) for s in file.scores] == [
        ("mae", math.inf, None),
        ("acc", math.inf, None),
    ]
    assert any("placeholder" in note for note in file.notes)


def test_samples_are_kept_by_filter_and_document():
    samples = [
        {"doc_id": n, "doc_hash": "h", "filter": name, "exact_match": float(n % 2)}
        for n in range(4)
        for name in ("strict", "loose")
    ]
    results = {"t": {"exact_match,strict": 0.5, "exact_match,loose": 0.5}}
    file = read({"results": results, "samples": {"t": samples}})
    assert list(file.samples["t", "exact_match", "strict"].values()) == [0, 1, 0, 1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not JSON"),
        (b"[1]", "not an object"),
        (b'{"pass@1": 0.1}', "no 'results'"),
        (b'{"results": {}}', "hold no task"),
        (b'{"results": {"t": 5}}', "hold no task"),
        (b'{"a":' * 200_000, "nested too deeply|not JSON"),
        (b'{"results": ' + b"9" * 5000 + b"}", "not JSON"),
        (b"\xff\xfe\x00", "not JSON"),
        (b" " * 50_000_001, "50 MB"),
    ],
)
def test_what_is_no_result_file_is_refused_in_one_sentence(content, words):
    with pytest.raises(EvalFileError, match=words):
        read_eval_file(content, "x.json")


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
SECTIONS = ["results", "versions", "n-shot", "n-samples", "configs", "config", "samples"]
SECTIONS += ["higher_is_better", "group_subtasks", "groups", "summary_tasks", "config_general"]


@settings(deadline=None, max_examples=150)
@given(st.dictionaries(st.sampled_from(SECTIONS), JSON | st.dictionaries(st.just("t"), JSON)))
def test_wrong_types_are_refused_or_read_but_never_crash(document):
    try:
        file = read(document)
    except EvalFileError:
        return
    assert all(score.stderr is None or score.stderr >= 0 for score in file.scores)
