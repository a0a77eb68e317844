"""Pure calculators: numbers in, numbers out. No files, clock, network, Streamlit or Plotly."""

VERSION = "0.1.0"
