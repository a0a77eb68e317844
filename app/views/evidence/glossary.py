"""What do the words on these pages mean, and why do they matter?"""

import streamlit as st

from app import state, ui
from app.glossary_links import entry, matching

ui.page_title("Glossary", __doc__)
words = st.text_input("Search", key="glossary_words")
found = matching(words)
ui.notes([f"{len(found)} terms; each is linked where it first appears on a page."])
# One element whose headings carry the anchors that links point to; see style.css for its distances.
with st.container(key="glossary"):
    st.markdown("\n\n".join(entry(term, state.query()) for term in found))
