"""Parameters of audio towers."""

from __future__ import annotations

from calculators.fit.architectures.blocks import linear
from calculators.fit.architectures.keys import Keys
from calculators.fit.architectures.towers import encoder


def whisper(audio: Keys) -> int:
    """Whisper's encoder: two convolutions, positions, keys without bias."""
    width = audio.count("d_model", "hidden_size")
    n = audio.count("encoder_layers", "num_hidden_layers")
    inner = audio.count("encoder_ffn_dim", "intermediate_size")
    convolutions = 3 * audio.count("num_mel_bins") * width + 3 * width**2 + 2 * width
    positions = audio.count("max_source_positions") * width
    return convolutions + positions + encoder(width, n, inner, more=-width) + 2 * width


def gemma4_audio(audio: Keys) -> int:
    """Gemma 4's conformer: two convolutions over 128 bands, then attention between two blocks."""
    width, n = audio.count("hidden_size"), audio.count("num_hidden_layers")
    first, second = audio.counts("subsampling_conv_channels", default=[128, 32], low=1)[:2]
    taps = audio.count("conv_kernel_size", default=5)
    start = 10 * first + 9 * first * second + second + second * 32 * width
    feed = 2 * (2 * 4 * width**2 + 2 * width)
    attention = 5 * width**2 + width // audio.count("num_attention_heads")
    convolution = 3 * width**2 + width * taps + 2 * width
    end = linear(width, audio.count("output_proj_dims"), bias=True)
    return start + n * (feed + attention + convolution + 3 * width) + end
