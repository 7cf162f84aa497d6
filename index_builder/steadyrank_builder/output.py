"""How commands print: data to stdout, notes to stderr, JSON in one form."""

from __future__ import annotations

import json
import unicodedata
from typing import Any

import click


def emit_json(value: Any) -> None:
    """Print ``value`` as one line of JSON with sorted keys, the form of every ``--json``.

    Escaped to ASCII: a terminal or pipe of any encoding can carry it.
    """
    click.echo(json.dumps(value, sort_keys=True, allow_nan=False))


def note(text: str) -> None:
    """Say ``text`` to the person who watches, beside the data; what it quotes moves no cursor."""
    click.echo("\n".join(map(printable, text.split("\n"))), err=True)


def printable(text: str) -> str:
    """The text without what would move the cursor or the reading direction of a terminal."""
    return "".join(
        "\N{REPLACEMENT CHARACTER}" if unicodedata.category(char) in ("Cc", "Cf", "Cs") else char
        for char in text
    )


def thousands(number: int) -> str:
    """``number`` with a thin gap between groups of three: 1 204."""
    return f"{number:,}".replace(",", " ")
