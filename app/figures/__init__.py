"""Results to Plotly figures; no Streamlit here."""
