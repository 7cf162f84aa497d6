"""The option ``--html``: what was measured as one page."""

from __future__ import annotations

from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from steadyrank_builder.errors import MissingExtraError


def _possible(ctx: click.Context, param: click.Parameter, value: Path | None) -> Path | None:
    # Said before anything is measured, and not after an hour of it.
    if value is not None and find_spec("jinja2") is None:
        raise MissingExtraError("Jinja2", needed_for="--html", extra="evaluate")
    return value


def html_option(command: Callable[..., Any]) -> Callable[..., Any]:
    """Where to write the page; the command gets it as ``html``."""
    return click.option(
        "--html", type=click.Path(path_type=Path, dir_okay=False), metavar="FILE",
        callback=_possible, help="Write a page for a browser: one file, without scripts.",
    )(command)  # fmt: skip
