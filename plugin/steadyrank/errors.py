"""Every error that steadyrank raises on purpose.

One root, so that a caller can catch all of them, and each error also a fitting builtin, so
that a caller who does not know us still catches what they expect. A message says what is
wrong, where, and what to do next; the offender stays readable as an attribute.
"""

from __future__ import annotations

from collections.abc import Iterable


class SteadyRankError(Exception):
    """The root of all errors that steadyrank raises on purpose."""


class SteadyRankWarning(UserWarning):
    """Something about an index: an order that depends on more than scores and ids, or a file
    beside it that cannot be used.
    """


class ScoreError(SteadyRankError, ValueError):
    """A score that has no place in a total order: NaN, infinite, or too large to be exact.

    ``id`` is the record's id where it is known, ``score`` the offending number.
    """

    def __init__(self, message: str, *, id: str | None = None, score: float) -> None:
        super().__init__(message)
        self.id = id
        self.score = score


class DuplicateIdError(SteadyRankError, ValueError):
    """Two records with one id, so the id cannot settle a tie. ``ids`` names them, sorted."""

    def __init__(self, message: str, *, ids: Iterable[str]) -> None:
        super().__init__(message)
        self.ids = tuple(sorted(ids))


class IdFieldError(SteadyRankError, KeyError):
    """The id field cannot be read: it is not in the schema, or is not stored, or is missing."""

    def __init__(self, message: str, *, field: str) -> None:
        super().__init__(message)
        self.field = field

    def __str__(self) -> str:  # KeyError would show the repr of the message
        return str(self.args[0])


class PolicyError(SteadyRankError, ValueError):
    """Settings that contradict each other or lie outside their range."""


class UnsupportedQueryError(SteadyRankError, TypeError):
    """A query whose matches cannot be had from this Whoosh distribution. ``query`` is its repr."""

    def __init__(self, message: str, *, query: str) -> None:
        super().__init__(message)
        self.query = query


class WhooshMissingError(SteadyRankError, ImportError):
    """No Whoosh distribution is installed."""
