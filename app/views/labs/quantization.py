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

plan = compute.plan(state.scenario())
ui.page_title("Quantization", __doc__)
part = st.radio(
    "Lab",
    list(PARTS),
    horizontal=True,
    key="lab_quantization",
    persist_state="session",
)
PARTS[part](plan)
