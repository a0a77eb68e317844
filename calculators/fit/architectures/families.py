"""The architectures that are known, by `model_type`, each with its recipe."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from calculators.fit.architectures import (
    classic,
    compressed,
    expert_families,
    gated_delta,
    gemma,
    hybrid,
    mamba,
    nas,
    patterns,
    recurrent,
    short_conv,
    special,
)
from calculators.fit.architectures.decoder import Moe, Style, decoder
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.latent import latent_decoder
from calculators.fit.architectures.shape import Shape
from calculators.fit.architectures.styles import BIAS, DEEPSEEK, DENSE, EXPERTS, OLMO2

Recipe = Callable[[Keys], Shape]


LATENT: dict[str, Recipe] = {
    "axk1": latent_decoder(DEEPSEEK, sparse_norms=1),
    "deepseek_v2": latent_decoder(DEEPSEEK),
    "deepseek_v3": latent_decoder(DEEPSEEK),
    "deepseek_v32": latent_decoder(DEEPSEEK),
    "glm4_moe_lite": latent_decoder(DEEPSEEK),
    "glm_moe_dsa": latent_decoder(DEEPSEEK),
    "kimi_k2": latent_decoder(DEEPSEEK),
    "minicpm3": latent_decoder(Style(mlp_bias="mlp_bias", tied=True)),
    "sarvam_mla": latent_decoder(DEEPSEEK),
    "youtu": latent_decoder(Style(tied=True)),
}

GATED = replace(BIAS, qk_norm="head", gate="channel")
OTHER: dict[str, Recipe] = {
    "arctic": expert_families.arctic,
    "bailing_hybrid": gated_delta.bailing_hybrid,
    "bamba": hybrid.bamba,
    "bloom": classic.bloom,
    "chatglm": classic.chatglm,
    "codegen": classic.gptj,
    "dbrx": expert_families.dbrx,
    "deci": nas.nemotron_nas,
    "deepseek_v4": compressed.deepseek_v4,
    "falcon": classic.falcon,
    "falcon_h1": hybrid.falcon_h1,
    "falcon_mamba": hybrid.mamba1_decoder,
    "gemma3n_text": gemma.gemma3n,
    "gemma4_text": gemma.gemma4,
    "gemma4_unified_text": gemma.gemma4,
    "gpt2": classic.gpt2,
    "gpt_bigcode": classic.gpt_bigcode,
    "gpt_neo": classic.gpt_neo,
    "gpt_neox": classic.gpt_neox,
    "gptj": classic.gptj,
    "granitemoehybrid": hybrid.granite_hybrid,
    "jamba": hybrid.jamba,
    "jetmoe": expert_families.jetmoe,
    "kimi_linear": gated_delta.kimi_linear,
    "lara_mini": gated_delta.delta_decoder(
        replace(BIAS, qk_norm="head", tied=True, moe=Moe(everywhere=True, shared="width")),
        rule=patterns.required,
    ),
    "lfm2": short_conv.lfm2,
    "lfm2_moe": short_conv.lfm2,
    "lfm3": short_conv.lfm3,
    "llama4_text": special.llama4,
    "longcat_flash": expert_families.longcat,
    "mamba": hybrid.mamba1_decoder,
    "mamba2": hybrid.mamba2_decoder,
    "mimo_v2_flash": special.mimo_v2,
    "minimax": gated_delta.minimax,
    "minimax_m1": gated_delta.minimax,
    "minimax_text_01": gated_delta.minimax,
    "minimax_m3": special.minimax_m3,
    "minimax_m3_vl_text": special.minimax_m3,
    "mllama_text_model": special.mllama,
    "molmo": classic.molmo,
    "mpt": classic.mpt,
    "nemotron-nas": nas.nemotron_nas,
    "nemotron_h": mamba.nemotron_hybrid,
    "olmo_hybrid": gated_delta.delta_decoder(OLMO2),
    "opt": classic.opt,
    "persimmon": classic.persimmon,
    "phi": classic.phi,
    "qwen": classic.qwen1,
    "qwen3_5_moe_text": gated_delta.delta_decoder(
        replace(GATED, moe=Moe(shared="width", shared_gate=True, everywhere=True))
    ),
    "qwen3_5_text": gated_delta.delta_decoder(GATED),
    "qwen3_next": gated_delta.delta_decoder(
        replace(GATED, moe=Moe(shared="width", shared_gate=True))
    ),
    "recurrent_gemma": recurrent.recurrent_gemma,
    "refinedweb": classic.falcon,
    "refinedwebmodel": classic.falcon,
    "rwkv": recurrent.rwkv,
    "stablelm": classic.stablelm,
    "xglm": classic.xglm,
}

RECIPES: dict[str, Recipe] = {
    **{name: decoder(style) for name, style in (DENSE | EXPERTS).items()},
    **LATENT,
    **OTHER,
}
