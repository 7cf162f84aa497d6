"""A value of JSON on each line."""

from __future__ import annotations

import json
from typing import Any


def json_lines(text: str) -> tuple[list[tuple[str, Any]], list[str]]:
    """The values of the lines that are not empty, each with ``line N`` as its place; the faults.

    Lines count from 1. A line that is not JSON is a fault, and the others are read on.
    """
    values: list[tuple[str, Any]] = []
    faults = []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                values.append((f"line {number}", json.loads(line)))
            except ValueError as error:
                faults.append(f"line {number} is not JSON: {error}")
    return values, faults
