"""Pictures go to files that an option names."""

from __future__ import annotations

from pathlib import Path

from anyofk.errors import UnavailableError


def write_text(path: str, text: str, option: str) -> None:
    """Write a file, or say that it can't be written and which option named it."""
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise UnavailableError(
            f"{path!r} cannot be written: {error.strerror}", hint=f"choose another {option}"
        ) from error
