"""Scripts that only run inside Streamlit or as a command hold no doctests."""

collect_ignore_glob = ["app/main.py", "app/server.py", "app/__main__.py", "app/views/*"]
