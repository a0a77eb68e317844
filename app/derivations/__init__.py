"""How each figure of a page comes about, with the scenario's own numbers; no Streamlit."""
