"""What is no decoder-only language model, and how a message says so."""

from __future__ import annotations

from calculators.fit.architectures.errors import UnsupportedModel
from calculators.fit.architectures.keys import Keys, shown

ENCODER_DECODERS = """
    t5 mt5 umt5 longt5 bart mbart pegasus pegasus_x bigbird_pegasus marian m2m_100 blenderbot
    blenderbot-small led prophetnet xlm-prophetnet switch_transformers nllb-moe plbart mvp fsmt
    encoder-decoder speech-encoder-decoder vision-encoder-decoder whisper speech_to_text speecht5
    seamless_m4t seamless_m4t_v2 t5gemma t5gemma2 pix2struct udop florence2 moonshine trocr donut
"""
ENCODERS = """
    bert roberta roberta-prelayernorm distilbert albert electra deberta deberta-v2 camembert
    xlm-roberta xlm-roberta-xl mpnet nomic_bert modernbert eurobert ernie esm funnel convbert
    squeezebert mobilebert megatron-bert big_bird longformer nystromformer roformer layoutlm
    layoutlmv3 clip clip_vision_model siglip siglip2 siglip_vision_model vit deit swin dinov2
    beit convnext resnet wav2vec2 hubert wavlm clap chinese_clip gte
"""


def listed(kind: str | None, table: str) -> bool:
    """Is a model type in a table?"""
    return kind in table.split()


def refuse(keys: Keys, kind: str | None) -> None:
    """Raise UnsupportedModel for what is known not to be a decoder-only language model."""
    if keys.has("_class_name", "_diffusers_version"):
        name = shown(keys.data.get("_class_name"))
        raise UnsupportedModel(f"{name} is part of a diffusion model, not a language model.")
    if listed(kind, ENCODER_DECODERS) or keys.data.get("is_encoder_decoder") is True:
        raise UnsupportedModel(
            f"{kind or 'This model'} is an encoder-decoder: its encoder runs once and its decoder "
            "keeps a second, fixed cache, which is not modelled here."
        )
    if listed(kind, ENCODERS):
        raise UnsupportedModel(f"{kind} is an encoder (embeddings, classes): it generates no text.")


def unknown(kind: str | None, architectures: list[str]) -> UnsupportedModel:
    """The refusal of an architecture that is not known."""
    named = ", ".join(architectures[:3])[:120] or "none"
    if kind is None:
        reason = f"The config has no 'model_type', and 'architectures' ({named}) is not known."
    else:
        reason = f"The architecture {shown(kind)} (architectures: {named}) is not known."
    return UnsupportedModel(f"{reason} Its parameters are not guessed.")
