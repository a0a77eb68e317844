#!/bin/sh
# Create .venv and install one lock file into it: setup.sh requirements.lock
# Nothing happens while the lock file is the one that was installed last.
set -eu
cd "$(dirname "$0")/.."
lock=${1:-requirements.lock}
venv=.venv
stamp=$venv/.installed-$(basename "$lock")

find_python() {
    for name in "${PYTHON:-}" python3.11 python3.12 python3.13 python3.14 python3; do
        if [ -n "$name" ] && command -v "$name" >/dev/null 2>&1 &&
            "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            echo "$name"
            return
        fi
    done
    echo "Breakeven needs Python 3.11 or later; none was found. Set PYTHON=/path/to/python." >&2
    exit 1
}

if [ -f "$stamp" ] && cmp -s "$lock" "$stamp"; then
    exit 0
fi
if [ ! -x "$venv/bin/python" ]; then
    python=$(find_python)
    if ! "$python" -m venv "$venv"; then
        echo "python -m venv failed; on Debian and Ubuntu: apt-get install python3-venv" >&2
        exit 1
    fi
fi
echo "Installing $lock into $venv ..." >&2
if "$venv/bin/python" -m pip install --quiet --disable-pip-version-check uv &&
    "$venv/bin/uv" pip install --quiet --python "$venv/bin/python" -r "$lock"; then
    :
else
    echo "uv could not install; trying pip." >&2
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check -r "$lock"
fi
cp "$lock" "$stamp"
