"""The architectures that are known, by `model_type`, each with its recipe."""

from __future__ import annotations

from collections.abc import Callable

from calculators.fit.architectures import mamba, patterns
from calculators.fit.architectures.decoder import Moe, Style, decoder
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.latent import latent_decoder
from calculators.fit.architectures.shape import Shape

Recipe = Callable[[Keys], Shape]

LLAMA = Style(qkv_bias="attention_bias", o_bias="attention_bias", mlp_bias="mlp_bias")
MISTRAL = Style(window=patterns.all_sliding)
QWEN2 = Style(qkv_bias=True, window=patterns.qwen)
QWEN3 = Style(
    qkv_bias="attention_bias", o_bias="attention_bias", qk_norm="head", window=patterns.qwen
)
DEEPSEEK = Style(moe=Moe(shared="count"))

RECIPES: dict[str, Recipe] = {
    "llama": decoder(LLAMA),
    "mistral": decoder(MISTRAL),
    "ministral3": decoder(MISTRAL),
    "mixtral": decoder(Style(window=patterns.all_sliding, moe=Moe(everywhere=True, width=()))),
    "qwen2": decoder(QWEN2),
    "qwen3": decoder(QWEN3),
    "qwen3_moe": decoder(
        Style(
            qkv_bias="attention_bias",
            o_bias="attention_bias",
            qk_norm="head",
            window=patterns.qwen,
            moe=Moe(),
        )
    ),
    "deepseek_v3": latent_decoder(DEEPSEEK),
    "kimi_k2": latent_decoder(DEEPSEEK),
    "deepseek_v32": latent_decoder(DEEPSEEK),
    "glm_moe_dsa": latent_decoder(DEEPSEEK),
    "gpt_oss": decoder(
        Style(
            qkv_bias="attention_bias",
            o_bias="attention_bias",
            sinks=True,
            window=patterns.every(2),
            moe=Moe(everywhere=True, bias=True, router_bias=True, width=()),
        )
    ),
    "gemma3_text": decoder(
        Style(
            qkv_bias="attention_bias",
            o_bias="attention_bias",
            qk_norm="head",
            n_norms=4,
            window=patterns.every(6, "sliding_window_pattern", "_sliding_window_pattern"),
            tied=True,
        )
    ),
    "nemotron_h": mamba.nemotron_h,
}
