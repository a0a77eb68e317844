"""What happens to a weight that is stored in few bits, and where does the damage land?"""

import streamlit as st

from app import compute, state, ui
from app.lab_parts import affine, digits, formats, symmetric

PARTS = {
    "Affine per group": affine.draw,
    "Symmetric schemes": symmetric.draw,
    "Trained classifier": digits.draw,
    "Formats of the field": formats.draw,
}

WHY = {
    "Affine per group": "Neighbouring weights share a small scale. One very large weight (an "
    "outlier) stretches it, and all its neighbours are rounded more coarsely.",
    "Symmetric schemes": "One scale for everything must reach the largest weight. More scales, "
    "each for fewer weights, are finer and take a little more memory.",
    "Trained classifier": "A small network that reads digits, in fewer and fewer bits: it stays "
    "as good for long, then fails at once. Large models do the same, at other widths.",
    "Formats of the field": "The methods that people use, on one made-up layer. What counts is how "
    "far the layer's output moves, not how far its weights do.",
}

plan = compute.plan(state.scenario())
ui.page_title("Quantization", __doc__)
part = st.radio(
    "Lab",
    list(PARTS),
    horizontal=True,
    key="lab_quantization",
    persist_state="session",
)
ui.notes([WHY[part]])
PARTS[part](plan)
