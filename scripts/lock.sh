#!/bin/sh
# Pin requirements.txt and requirements-dev.txt, for every platform, without a registry's address.
set -eu
cd "$(dirname "$0")/.."
pin() {
    .venv/bin/uv pip compile --quiet --universal --python-version 3.11 --upgrade \
        --no-emit-index-url --no-emit-find-links --no-header --no-annotate "$1" --output-file "$2"
}
pin requirements.txt requirements.lock
pin requirements-dev.txt requirements-dev.lock
