"""Templates to one self-contained page."""

from __future__ import annotations

import hashlib
from base64 import b64encode
from functools import cache
from importlib.resources import files
from typing import Any

from steadyrank_builder.drawing.text import clipped, number, share, shown
from steadyrank_builder.errors import MissingExtraError


def rendered(template: str, **values: Any) -> str:
    """The page that a template makes of the values, every one of them escaped.

    The page loads nothing and runs nothing, and its policy forbids both: the one style sheet in
    it is allowed by its hash. Raises MissingExtraError without Jinja2.
    """
    style = _style()
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"
    page: str = _environment().get_template(template).render(policy=policy, style=style, **values)
    return page


@cache
def _style() -> str:
    return files(__package__).joinpath("templates/page.css").read_text("utf-8")


@cache
def _environment() -> Any:
    try:
        import jinja2
    except ImportError as error:
        raise MissingExtraError("Jinja2", needed_for="a page (--html)", extra="evaluate") from error
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader(__package__, "templates"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters.update(shown=shown, clipped=clipped, number=number, share=share)
    return environment
