"""A model from its own files: upload, read, show; the page uses it instead of the scenario's."""

from __future__ import annotations

import streamlit as st

from app import memory_words, ui
from calculators.fit.model_config import ModelConfigError, parse_model_config
from calculators.specs import ModelSpec

CONFIG_HELP = "From the model's page: config.json. It stays in this session."
INDEX_HELP = "model.safetensors.index.json: a cross-check of the count."
QUANT_HELP = "hf_quant_config.json of a quantized checkpoint."


def uploaded_model() -> ModelSpec | None:
    """The model of the files that were uploaded on this page, or None.

    What cannot be read, or is not known, is one sentence; nothing is guessed.
    """
    with st.expander("Use a model's own files instead"):
        left, middle, right = st.columns(3)
        with left:
            config = ui.upload("config.json", ["json"], key="memory_config", help=CONFIG_HELP)
        with middle:
            index = ui.upload("Index (optional)", ["json"], key="memory_index", help=INDEX_HELP)
        with right:
            quant = ui.upload("Formats (optional)", ["json"], key="memory_quant", help=QUANT_HELP)
        if config is None:
            return None
        try:
            model = parse_model_config(config, index, quant)
        except ModelConfigError as error:
            ui.problems([str(error)])
            return None
        ui.table(memory_words.model_rows(model), caption=f"What the files say: {model.name}")
        ui.notes(model.disagreements, kind="warning")
        return model
