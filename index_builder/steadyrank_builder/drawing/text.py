"""Untrusted text, made fit to be shown. Escaping is the template's, for every value."""

from __future__ import annotations

import unicodedata


def shown(text: object) -> str:
    """The text on one line; what would move the reading direction or is no character becomes
    a replacement character.
    """
    return "".join(
        "\N{REPLACEMENT CHARACTER}"
        if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Cn", "Co")
        else char
        for char in " ".join(str(text).split())
    )


def clipped(text: object, length: int) -> str:
    """``shown``, at most so many characters; wide ones count twice."""
    line, used = shown(text), 0
    kept: list[str] = []
    for char in line:
        used += 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if used > length:
            # The last one makes room for the mark that something is missing.
            return "".join(kept[:-1]).rstrip() + "…"
        kept.append(char)
    return line


def number(value: float | None, digits: int = 4) -> str:
    """A score or a distance, with a real minus; a dash for none."""
    if value is None:
        return "–"
    text = f"{value:.{digits}f}"
    if float(text) == 0.0:
        text = f"{0:.{digits}f}"
    return text.replace("-", "\N{MINUS SIGN}")


def share(value: float | None) -> str:
    """A share as a percentage; a dash for none."""
    return "–" if value is None else f"{value:.1%}"
