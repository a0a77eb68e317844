"""The command line as a process: keys, exit codes, one sentence on standard error."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys

import pandas as pd
import pytest

from app.cli import main
from tests.worlds import API_ID

LLAMA_1B = {
    "architectures": ["LlamaForCausalLM"],
    "model_type": "llama",
    "hidden_size": 2048,
    "intermediate_size": 8192,
    "num_hidden_layers": 16,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 64,
    "vocab_size": 128256,
    "tie_word_embeddings": True,
    "torch_dtype": "bfloat16",
}


def run(capsys, *arguments: str) -> tuple[int, str, str]:
    code = main(list(arguments))
    out, err = capsys.readouterr()
    return code, out, err


def test_plan_prints_json_and_bad_fields_fall_back(capsys):
    code, out, _ = run(capsys, "plan", f"https://host/base/?cards=0&tokens=50&api={API_ID}")
    report = json.loads(out)
    assert code == 0
    assert [problem["key"] for problem in report["problems"]] == ["cards"]
    assert report["scenario"]["tokens"] == 50
    assert report["cost"]["api_usd_month"] == pytest.approx(44.0)  # 50 million at 0.88 USD


def test_a_pinned_link_gives_the_same_figures(capsys):
    first = json.loads(run(capsys, "plan", "gpu=l40s&cards=2&tokens=900")[1])
    second = json.loads(run(capsys, "plan", first["link"])[1])
    for section in ("fit", "speed", "cost", "verdict"):
        assert second[section] == first[section]
    assert second["problems"] == []


@pytest.mark.parametrize(
    "link",
    [
        "tokens=50&gpu=l40s",
        "?tokens=50&gpu=l40s",
        "https://host/base/?tokens=50&gpu=l40s#top",
        "tokens=50&gpu=l40s&cmp=what?",
    ],
)
def test_a_link_is_read_whole_or_from_its_question_mark(capsys, link):
    report = json.loads(run(capsys, "plan", link)[1])
    assert report["problems"] == []
    assert (report["scenario"]["tokens"], report["scenario"]["gpu"]) == (50, "l40s")


def test_score_prints_its_rows_as_csv_and_the_summary_apart(tmp_path, capsys):
    rows = tmp_path / "rows.csv"
    rows.write_text(
        "id,engine,model,gpu,n_gpus,tp,scenario,batch_or_concurrency,input_tokens,"
        "output_tokens,metric,value,quality\n"
        "a,vLLM,Llama-3.1-8B,H100-SXM-80GB,1,1,server,32,1024,128,"
        "output_tok_s_total,2000,A\n"
    )
    code, out, err = run(capsys, "score", str(rows))
    table = pd.read_csv(io.StringIO(out))
    assert code == 0 and "1 of 1 row scored" in err
    assert table["ratio"][0] == pytest.approx(table["predicted"][0] / 2000)


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (("--gpu", "h100-smx"), "close to it: h100-sxm"),
        (("--gpu", "h100-sxm", "--n-gpus", "0"), "--n-gpus: is 0"),
        (("--gpu", "h100-sxm", "--batch", "nan"), "--batch: is nan"),
        (("--engine", "vlllm"), "close to it: vllm"),
        (("--weight-format", "fp99"), "--weight-format: is “fp99”"),
        (("--n-gpus", "1"), "does not say the card; give --gpu."),
        (("--gpu", "h100-sxm", "--n-gpus", "1", "--out", "no/such/place.csv"), "cannot be written"),
    ],
)
def test_wrong_options_of_score_are_one_sentence(tmp_path, capsys, asked, said):
    path = tmp_path / "result.json"
    path.write_text(json.dumps({"model_id": "llama-3.1-8b", "output_throughput": 900.0}))
    code, out, err = run(capsys, "score", str(path), *asked)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and said in err and "None" not in err


def test_what_a_latency_file_does_not_say_is_given_by_options(tmp_path, capsys):
    path = tmp_path / "latency.json"
    path.write_text(json.dumps({"avg_latency": 4.0, "model_id": "llama-3.1-8b"}))
    code, _, err = run(capsys, "score", str(path), "--gpu", "h100-sxm", "--gpus", "1")
    assert code == 2 and "--input-tokens, --output-tokens, --batch" in err
    lengths = ("--input-tokens", "512", "--output-tokens", "100", "--batch", "8")
    code, out, _ = run(capsys, "score", str(path), "--gpu", "h100-sxm", "--gpus", "1", *lengths)
    assert code == 0
    assert pd.read_csv(io.StringIO(out))["value"].tolist() == [200.0]  # 8 x 100 / 4 s


def test_an_option_against_the_file_is_said(tmp_path, capsys):
    path = tmp_path / "result.json"
    path.write_text(
        json.dumps({"model_id": "llama-3.1-8b", "output_throughput": 900.0, "gpu": "L4", "tp": 1})
    )
    code, _, err = run(capsys, "score", str(path), "--gpu", "h100-sxm")
    assert code == 0 and "card: the file says L4, you said h100-sxm: taken h100-sxm" in err


def test_options_prints_csv(capsys):
    code, out, _ = run(capsys, "options", "tokens=1000")
    table = pd.read_csv(io.StringIO(out))
    assert code == 0
    assert table["rank"].tolist() == list(range(1, len(table) + 1))
    assert table["usd_month"].is_monotonic_increasing


def test_model_counts_by_hand(tmp_path, capsys):
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA_1B))
    code, out, _ = run(capsys, "model", str(path))
    report = json.loads(out)
    hidden, kv = 2048, 8 * 64
    layer = 2 * hidden * hidden + 2 * hidden * kv + 3 * hidden * 8192 + 2 * hidden
    assert code == 0
    assert report["total_params"] == 128256 * hidden + 16 * layer + hidden
    assert report["kv_bytes_per_tok_fp16"] == 16 * 2 * kv * 2


def test_an_unsupported_model_is_said_with_exit_2(tmp_path, capsys):
    path = tmp_path / "config.json"
    t5 = {"model_type": "t5", "architectures": ["T5ForConditionalGeneration"]}
    path.write_text(json.dumps(t5))
    code, out, err = run(capsys, "model", str(path))
    assert code == 2
    assert "unsupported" in json.loads(out)
    assert err.count("\n") == 1 and "encoder-decoder" in err


@pytest.mark.parametrize("command", ["model", "score", "fit"])
def test_a_missing_file_is_one_sentence_and_exit_2(capsys, command):
    code, out, err = run(capsys, command, "no-such-file.csv")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1 and "no-such-file.csv" in err


def test_a_file_that_is_no_table_is_one_sentence(tmp_path, capsys):
    path = tmp_path / "x.csv"
    path.write_bytes(b"\x00\x01\x02")
    for command in ("score", "fit"):
        code, _, err = run(capsys, command, str(path))
        assert code == 2
        assert err.count("\n") == 1


def test_missing_overrides_are_a_problem_not_a_crash(capsys, monkeypatch, tmp_path):
    monkeypatch.setenv("BREAKEVEN_OVERRIDES", str(tmp_path / "none.yaml"))
    code, out, _ = run(capsys, "plan", "")
    assert code == 0
    assert "none.yaml" in json.loads(out)["problems"][0]["message"]


def test_the_real_command_starts():
    done = subprocess.run(
        [sys.executable, "-m", "app", "plan", "tokens=1"],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONWARNINGS": "error"},
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["cost"]["demand_mtok_month"] == 1
