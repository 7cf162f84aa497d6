"""Short names for what the analyzer makes of a text."""

from __future__ import annotations

from dataclasses import dataclass

from steadyrank.analysis import StoreAnalyzer


@dataclass(frozen=True)
class Seen:
    text: str
    position: int
    start: int
    end: int


def words(text: str, language: str = "en", **options: object) -> list[str]:
    """The terms, in order."""
    return [token.text for token in StoreAnalyzer(language)(text, **options)]


def seen(text: str, language: str = "en") -> list[Seen]:
    """The terms with position and character offsets."""
    return [
        Seen(token.text, token.pos, token.startchar, token.endchar)
        for token in StoreAnalyzer(language)(text, positions=True, chars=True, mode="index")
    ]
