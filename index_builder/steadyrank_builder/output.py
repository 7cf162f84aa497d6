"""How commands print: data to stdout, notes to stderr, JSON in one form."""

from __future__ import annotations

import json
from typing import Any

import click


def emit_json(value: Any) -> None:
    """Print ``value`` as one line of JSON with sorted keys, the form of every ``--json``.

    Escaped to ASCII: a terminal or pipe of any encoding can carry it.
    """
    click.echo(json.dumps(value, sort_keys=True, allow_nan=False))


def note(text: str) -> None:
    """Say ``text`` to the person who watches, beside the data."""
    click.echo(text, err=True)


def thousands(number: int) -> str:
    """``number`` with a thin gap between groups of three: 1 204."""
    return f"{number:,}".replace(",", " ")
