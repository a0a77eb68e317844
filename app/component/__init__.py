"""The chart component: Plotly.react on a node that stays."""
