"""Memory of the server's processes on this machine (Linux: /proc)."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

PROC = Path("/proc")
_LISTENS = "0A"  # state of a socket in /proc/net/tcp
_KB_PER_MB = 1000


def resident_mb(pid: int) -> float:
    """Memory of a process that is not swapped out [MB]."""
    lines = (PROC / str(pid) / "status").read_text().splitlines()
    line = next(line for line in lines if line.startswith("VmRSS"))
    return int(line.split()[1]) * 1.024 / _KB_PER_MB


def listeners(ports: Iterable[int]) -> list[int]:
    """The processes that listen on these ports, as far as this user may see them."""
    wanted = {f"socket:[{inode}]" for inode in _inodes(set(ports))}
    return [int(folder.name) for folder in PROC.glob("[0-9]*") if wanted & _sockets(folder)]


def _inodes(ports: set[int]) -> set[str]:
    rows = []
    for table in ("tcp", "tcp6"):
        file = PROC / "net" / table
        if file.exists():
            rows += [line.split() for line in file.read_text().splitlines()[1:]]
    return {
        row[9] for row in rows if row[3] == _LISTENS and int(row[1].rpartition(":")[2], 16) in ports
    }


def _sockets(folder: Path) -> set[str]:
    found: set[str] = set()
    with suppress(OSError):  # another user's process, or one that has ended
        for handle in (folder / "fd").iterdir():
            with suppress(FileNotFoundError):  # closed meanwhile
                found.add(str(handle.readlink()))
    return found
