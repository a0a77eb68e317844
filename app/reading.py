"""Files that a command names: read whole, or one sentence why not."""

from pathlib import Path


class CannotRead(Exception):
    """Input that cannot be read at all; the message is one sentence."""


def read_bytes(path: str) -> bytes:
    """The content of a file; CannotRead where there is none."""
    try:
        return Path(path).read_bytes()
    except OSError as error:
        raise CannotRead(f"{path}: cannot be read ({error.strerror}).") from None
