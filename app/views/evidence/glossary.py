"""What do the words on these pages mean?"""

import streamlit as st

from app import ui
from app.glossary import TERMS

ui.page_title("Glossary", __doc__)
words = st.text_input("Search", key="glossary_words")
found = [
    {"Term": term, "Meaning": meaning}
    for term, meaning in sorted(TERMS.items(), key=lambda item: item[0].lower())
    if words.lower() in f"{term} {meaning}".lower()
]
ui.table(found, caption=f"{len(found)} terms")
