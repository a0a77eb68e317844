import pytest

from calculators.fit.engine_rules import EngineDefaults, engine_defaults, memory_rule, pass_tok
from calculators.specs import MemoryRule, OlderMemory
from tests.calculators.fit.shapes import card, engine

RULE = MemoryRule(huge_card_gib=160)


@pytest.mark.parametrize(
    ("name", "gib", "expected"),
    [
        # vLLM engine/arg_utils.py: 70 GiB and more but not A100; 160 GiB and more
        # (vllm-project/vllm#53961)
        ("rtx-3090", 24, (2048, 256)),
        ("a100-80gb", 80, (2048, 256)),
        ("h100-sxm", 80, (8192, 1024)),
        ("mi300x", 192, (16384, 1024)),
    ],
)
def test_defaults_by_card(name, gib, expected):
    assert engine_defaults(RULE, card(gib, id=name)) == EngineDefaults(*expected)


def test_before_0_10_an_a100_counted_as_large():
    early = MemoryRule(small_by_name=())
    assert engine_defaults(early, card(80, id="a100-80gb")) == EngineDefaults(8192, 1024)


def test_a_setting_wins_over_the_default():
    assert pass_tok(RULE, EngineDefaults(2048, 256), 512, 100_000) == 512


def test_recent_releases_cut_prompts():
    assert pass_tok(RULE, EngineDefaults(2048, 256), None, 20_000) == 2048


def test_old_releases_pass_short_prompts_whole_and_never_less_than_the_default():
    old = MemoryRule(batched_is_context=True)
    usual = EngineDefaults(2048, 256)
    assert [pass_tok(old, usual, None, n) for n in (1000, 29_000, 35_000)] == [2048, 29_000, 2048]


def test_the_rule_of_a_release():
    old, middle = MemoryRule(runtime_gib=1), MemoryRule(runtime_gib=2)
    history = (OlderMemory(before="0.4", memory=old), OlderMemory(before="0.25", memory=middle))
    vllm = engine().model_copy(update={"older_memory": history})
    found = [memory_rule(vllm, release).runtime_gib for release in ((0, 3, 9), (0, 4), (0, 9, 2))]
    assert found == [1, 2, 2]
    assert memory_rule(vllm, (0, 25)) == memory_rule(vllm, None) == vllm.memory


def test_old_releases_cut_long_prompts_to_passes_of_their_own_length():
    # vLLM 0.6.3, config.py: 512 tokens; 0.7.3: 2,048
    usual = EngineDefaults(2048, 256)
    found = [
        pass_tok(MemoryRule(batched_is_context=True, cut_batched_tok=n), usual, None, 40_000)
        for n in (512, 2048)
    ]
    assert found == [512, 2048]
