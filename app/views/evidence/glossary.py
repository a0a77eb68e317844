"""What do the words on these pages mean?"""

import streamlit as st

from app import ui
from app.glossary import TERMS
from app.glossary_links import matching

ui.page_title("Glossary", __doc__)
words = st.text_input("Search", key="glossary_words")
found = matching(words)
ui.notes([f"{len(found)} of {len(TERMS)} terms; each is linked where it first appears on a page."])
# One element whose headings carry the anchors that links point to; see style.css for its distances.
with st.container(key="glossary"):
    st.markdown("\n\n".join(f"## {term}\n\n{TERMS[term]}" for term in found))
