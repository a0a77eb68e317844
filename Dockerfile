# Breakeven: one process, no state on disk. Runs with a read-only root file system.
FROM python:3.11-slim AS build
# For a package mirror of your own, and a certificate file inside the base image that it is signed by.
ARG PIP_INDEX_URL
ARG UV_DEFAULT_INDEX
ARG SSL_CERT_FILE
WORKDIR /srv/breakeven
RUN python -m venv .venv && .venv/bin/pip install --no-cache-dir uv
COPY requirements.lock .
RUN .venv/bin/uv pip install --python .venv/bin/python --no-cache -r requirements.lock \
    && .venv/bin/pip uninstall -y uv pip setuptools
COPY app app
COPY calculators calculators
COPY catalogs catalogs
COPY .streamlit .streamlit
RUN .venv/bin/python -m compileall -q app calculators catalogs

FROM python:3.11-slim
RUN useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin breakeven
COPY --from=build /srv/breakeven /srv/breakeven
WORKDIR /srv/breakeven
ENV PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    HOME=/run/breakeven \
    TMPDIR=/run/breakeven \
    STREAMLIT_SERVER_ADDRESS=0.0.0.0 \
    STREAMLIT_SERVER_PORT=8501
RUN install -d -m 1777 /run/breakeven
USER 10001
EXPOSE 8501
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD [".venv/bin/python", "-m", "app.health"]
CMD [".venv/bin/python", "-m", "app"]
