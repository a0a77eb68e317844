#!/bin/sh
# Make sure that a Chromium or Chrome is there for the browser tests.
set -eu
for name in chromium chromium-browser google-chrome google-chrome-stable; do
    if command -v "$name" >/dev/null 2>&1; then
        exit 0
    fi
done
if [ -n "${BREAKEVEN_BROWSER:-}" ] && [ -x "$BREAKEVEN_BROWSER" ]; then
    exit 0
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
    if command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
        as_root="sudo -n"
    else
        as_root=none
    fi
fi
if [ "$as_root" = none ] || ! command -v apt-get >/dev/null 2>&1; then
    echo "The browser tests need Chromium, and this user cannot install it." >&2
    echo "Install it (Debian: apt-get install chromium), or set BREAKEVEN_BROWSER=/path/to/chrome." >&2
    exit 1
fi
echo "Installing Debian's chromium for the browser tests ..." >&2
$as_root apt-get update -qq
DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends \
    chromium fonts-dejavu-core >/dev/null
