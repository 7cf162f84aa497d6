"""What can go wrong before a text is analysed."""

from __future__ import annotations

from steadyrank.errors import SteadyRankError


class LanguageError(SteadyRankError, ValueError):
    """A language that the analyzer has no rules for. ``language`` is what was asked for."""

    def __init__(self, message: str, *, language: str) -> None:
        super().__init__(message)
        self.language = language


class AnalyzerVersionError(SteadyRankError, ValueError):
    """An index was written with another version of the analyzer: its terms are not ours.

    ``version`` is the index's, ``supported`` the one of this installation.
    """

    def __init__(self, message: str, *, version: int, supported: int) -> None:
        super().__init__(message)
        self.version = version
        self.supported = supported
