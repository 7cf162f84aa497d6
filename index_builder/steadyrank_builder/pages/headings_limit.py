"""A page has a bound to its headings: each is a record with an id."""

from __future__ import annotations

import re
from itertools import islice

from steadyrank_builder.reading.html_text import HtmlError

HEADINGS_LIMIT = 10_000
HEADING_TAG = re.compile(r"<h[1-6](?=[\s/>])", re.IGNORECASE)


def refuse_headings(heading: re.Pattern[str], page: str) -> None:
    """Raise HtmlError (``too-many-headings``) if the page has more than ``HEADINGS_LIMIT``."""
    if next(islice(heading.finditer(page), HEADINGS_LIMIT, None), None) is not None:
        raise HtmlError(
            "too-many-headings",
            f"more than {HEADINGS_LIMIT} headings on one page; split it into several",
        )
