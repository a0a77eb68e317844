"""The Streamlit dashboard, its figures, the memo and the command line."""
