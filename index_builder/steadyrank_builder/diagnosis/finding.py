"""One thing that a diagnosis has to say."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """``severity``: a problem is to be mended, a note is to be known.

    ``code`` is a stable word for programs; ``message`` says what, where and what to do.
    """

    code: str
    severity: Literal["problem", "note"]
    message: str


def problem(code: str, message: str) -> Finding:
    """Something to mend."""
    return Finding(code, "problem", message)


def note(code: str, message: str) -> Finding:
    """Something to know."""
    return Finding(code, "note", message)
