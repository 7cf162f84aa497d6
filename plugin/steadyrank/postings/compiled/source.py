"""Values of a field that are compiled too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class ValueSource:
    """A field, how the schema has its values read, and a way to read a document's.

    ``way`` changes where another schema would read something else.
    """

    field: str
    way: str
    read: Callable[[int], Any]
