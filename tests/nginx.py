"""deploy/nginx.conf with this machine's addresses and folders put in."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

CONFIG = Path(__file__).resolve().parents[1] / "deploy" / "nginx.conf"
NGINX = shutil.which("nginx", path="/usr/sbin:/usr/bin:/usr/local/sbin:/usr/local/bin")


def rendered(config: str, folder: Path, port: int, replicas: Sequence[int]) -> str:
    """The configuration before replicas on these ports; its files lie in `folder`."""
    for number, replica in enumerate(replicas, start=1):
        config = config.replace(f"replica-{number}:8501", f"127.0.0.1:{replica}")
    config = config.replace("listen 8080;", f"listen 127.0.0.1:{port};")
    config = config.replace("/dev/stdout", str(folder / "access.log"))
    return config.replace("/run/nginx-breakeven", str(folder / "nginx"))


def start_nginx(folder: Path, port: int, replicas: Sequence[int]) -> subprocess.Popen:
    """Start nginx in the foreground."""
    file = folder / "nginx.conf"
    file.write_text(rendered(CONFIG.read_text(encoding="utf-8"), folder, port, replicas))
    command = [str(NGINX), "-c", str(file), "-g", "daemon off;", "-e", "stderr"]
    return subprocess.Popen(command, stderr=subprocess.DEVNULL)
