"""Families of ordinary decoders, by `model_type`: how each departs from Llama."""

from __future__ import annotations

from dataclasses import replace

from calculators.fit.architectures import patterns
from calculators.fit.architectures.decoder import Moe, Style

BIAS = Style(qkv_bias="attention_bias", o_bias="attention_bias")
LLAMA = replace(BIAS, mlp_bias="mlp_bias")
MISTRAL = Style(window=patterns.all_sliding)
QWEN2 = Style(qkv_bias=True, window=patterns.qwen)
QWEN3 = replace(BIAS, qk_norm="head", window=patterns.qwen)
GEMMA = replace(BIAS, n_norms=4, tied=True)
COHERE = replace(BIAS, n_norms=1, tied=True)
OLMO2 = replace(BIAS, qk_norm="full")
GLM = Style(qkv_bias="attention_bias")
GLM_MOE = replace(GLM, qk_norm="head", qk_norm_switch="use_qk_norm", moe=Moe(shared="count"))
ERNIE = Style(qkv_bias="use_bias", o_bias="use_bias", mlp_bias="use_bias", tied=True)
SHARED = Moe(shared="count")
DEEPSEEK = Style(moe=SHARED)
PLAIN_MOE = Moe(everywhere=True, width=())
DENSE: dict[str, Style] = {
    "llama": LLAMA,
    "aquila": Style(),
    "apertus1p5_text": replace(BIAS, qk_norm="head", gated=False, extra_layer=2),
    "arcee": replace(LLAMA, gated=False),
    "apertus": replace(BIAS, qk_norm="head", gated=False, extra_layer=2),
    "baichuan": Style(),
    "bitnet": replace(BIAS, sub_norms=True),
    "cohere": replace(COHERE, qk_norm="full", qk_norm_switch="use_qk_norm"),
    "cohere2": replace(COHERE, window=patterns.every(4, "sliding_window_pattern")),
    "cwm": replace(Style(mlp_bias="mlp_bias"), window=patterns.cwm),
    "ernie4_5": ERNIE,
    "exaone": LLAMA,
    "exaone4": Style(qk_norm="head", window=patterns.lettered),
    "gemma": replace(BIAS, tied=True),
    "gemma2": replace(GEMMA, window=patterns.every(2)),
    "gemma3_text": replace(
        GEMMA,
        qk_norm="head",
        window=patterns.every(6, "sliding_window_pattern", "_sliding_window_pattern"),
    ),
    "glm": GLM,
    "glm4": replace(GLM, n_norms=4),
    "granite": LLAMA,
    "glm4v_text": Style(qkv_bias=True, n_norms=4),
    "granite_swa": replace(LLAMA, sinks=True, window=patterns.all_sliding),
    "helium": replace(LLAMA, o_bias=False),
    "hunyuan_v1_dense": replace(BIAS, qk_norm="head", qk_norm_switch="use_qk_norm"),
    "hyperclovax": replace(LLAMA, extra_norms="use_post_norm"),
    "internlm": Style(qkv_bias="bias", o_bias="bias"),
    "internlm2": Style(qkv_bias="bias", o_bias="bias"),
    "internlm3": replace(LLAMA, qkv_bias="qkv_bias", o_bias="bias", mlp_bias="bias"),
    "iquestcoder": LLAMA,
    "jais2": replace(LLAMA, gated=False, norm=2),
    "minicpm": Style(tied=True),
    "ministral": replace(Style(), window=patterns.all_sliding),
    "ministral3": MISTRAL,
    "mistral": MISTRAL,
    "muse_glimmer_text": replace(BIAS, gate="channel", n_norms=4, window=patterns.nope_full),
    "nanochat": replace(BIAS, gated=False, norm=0, final_norm=False),
    "nemotron": replace(LLAMA, gated=False, norm=2),
    "olmo": replace(BIAS, norm=0),
    "olmo_1124": OLMO2,
    "olmo2": OLMO2,
    "olmo3": replace(OLMO2, window=patterns.every(4)),
    "orion": replace(LLAMA, norm=2),
    "phi3": Style(window=patterns.all_sliding),
    "qwen2": QWEN2,
    "qwen3": QWEN3,
    "seed_oss": Style(qkv_bias="attention_bias", o_bias="attention_out_bias", mlp_bias="mlp_bias"),
    "skywork": Style(),
    "smollm3": replace(LLAMA, window=patterns.qwen),
    "starcoder2": Style(
        qkv_bias="use_bias",
        o_bias="use_bias",
        mlp_bias="use_bias",
        gated=False,
        norm=2,
        tied=True,
        window=patterns.all_sliding,
    ),
    "vaultgemma": replace(GEMMA, n_norms=2, window=patterns.every(2)),
    "xverse": Style(),
}
EXPERTS: dict[str, Style] = {
    "afmoe": replace(
        BIAS,
        qk_norm="head",
        gate="channel_unbiased",
        n_norms=4,
        window=patterns.every(4, "global_attn_every_n_layers"),
        moe=replace(SHARED, counted_bias=True),
    ),
    "bailing_moe": Style(
        qkv_bias="use_qkv_bias", o_bias="use_bias", mlp_bias="use_bias", moe=SHARED
    ),
    "bailing_moe_v2": Style(
        qkv_bias="use_qkv_bias",
        o_bias="use_bias",
        qk_norm="head",
        qk_norm_switch="use_qk_norm",
        moe=SHARED,
    ),
    "cohere2_moe": replace(
        COHERE,
        window=patterns.every(4, "sliding_window_pattern"),
        moe=Moe(everywhere=True, width=(), shared="count"),
    ),
    "deepseek": replace(BIAS, moe=SHARED),
    "dots1": replace(BIAS, qk_norm="head", window=patterns.all_full, moe=SHARED),
    "ernie4_5_moe": replace(
        ERNIE, head_bias="use_bias", moe=replace(SHARED, shared_bias="use_bias", counted_bias=True)
    ),
    "exaone_moe": Style(qk_norm="head", window=patterns.lettered, moe=SHARED),
    "flex_olmo": replace(OLMO2, moe=PLAIN_MOE),
    "flint": Style(qk_norm="head", sinks=True, window=patterns.all_full, moe=Moe(shared="width")),
    "glm4_moe": GLM_MOE,
    "glm4v_moe_text": GLM_MOE,
    "gpt_oss": replace(
        BIAS,
        sinks=True,
        window=patterns.every(2),
        moe=Moe(everywhere=True, bias=True, router_bias=True, width=()),
    ),
    "granitemoe": replace(BIAS, moe=PLAIN_MOE),
    "granitemoe_swa": replace(
        BIAS,
        sinks=True,
        window=patterns.all_sliding,
        moe=replace(PLAIN_MOE, shared="width"),
    ),
    "granitemoeshared": replace(BIAS, moe=replace(PLAIN_MOE, shared="width")),
    "hunyuan_v1_moe": replace(
        BIAS,
        qk_norm="head",
        qk_norm_switch="use_qk_norm",
        moe=Moe(
            everywhere=True, width=("moe_intermediate_size", "intermediate_size"), shared="count"
        ),
    ),
    "hy_v3": replace(BIAS, qk_norm="head", moe=SHARED),
    "kolibri1": Style(
        qk_norm="head",
        n_norms=4,
        window=patterns.every(5),
        moe=Moe(everywhere=True, shared="width"),
    ),
    "laguna": Style(qk_norm="head", gate="head", moe=Moe(shared="width", counted_bias=True)),
    "mellum": replace(BIAS, qk_norm="head", moe=Moe()),
    "minimax_m2": Style(qk_norm="full", moe=PLAIN_MOE),
    "mixtral": replace(MISTRAL, moe=PLAIN_MOE),
    "olmoe": replace(OLMO2, moe=PLAIN_MOE),
    "phimoe": replace(
        BIAS, norm=2, head_bias="lm_head_bias", window=patterns.all_sliding, moe=PLAIN_MOE
    ),
    "qwen2_moe": replace(QWEN2, qkv_bias="qkv_bias", moe=Moe(shared="width", shared_gate=True)),
    "qwen3_moe": replace(QWEN3, moe=Moe()),
    "sarvam_moe": GLM_MOE,
    "solar_open": replace(GLM, moe=SHARED),
}
