"""The analyzer object that an index's schema holds."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any

from steadyrank.whoosh_support import require_whoosh

require_whoosh()

from whoosh.analysis import Analyzer, Token  # noqa: E402 - after the check that it is there

from steadyrank.analysis.chunk import (  # noqa: E402
    CHUNK,
    LONGEST_TOKEN,
    chunk_analysis,
    long_chunk_analysis,
)
from steadyrank.analysis.errors import AnalyzerVersionError  # noqa: E402
from steadyrank.analysis.languages import LANGUAGES, known_code, language_of  # noqa: E402
from steadyrank.analysis.spoken import Spoken  # noqa: E402

# Raised with every change of what any text is turned into: an index and a query must agree.
ANALYZER_VERSION = 1


class StoreAnalyzer(Analyzer):  # type: ignore[misc] # no distribution of Whoosh has types
    """Turns a store's text into terms, alike on every Whoosh distribution.

    A Whoosh analyzer: called with a text it yields one Token over and over (copy what you keep).
    Every token has a position of its own, counting from ``start_pos``, because Whoosh's phrase
    queries expect the analyzer's tokens one after another. What is taken for a token is described
    in the package's docstring. ``mode`` makes no difference: a query is analysed like a document.

    ``language`` is a code or tag that ``languages.language_of`` knows, else LanguageError.
    ``others`` are further languages that texts of the index are in: a text that says that it is
    in one of them (``Spoken``) is analysed by its rules, any other by those of ``language``.
    A question has no language, so ``readings`` are asked for its words, one for each language.
    Two analyzers with the same languages and version are equal.
    """

    def __init__(self, language: str = "en", others: Iterable[str] = ()) -> None:
        self.language = language_of(language).code
        codes = {language_of(other).code for other in others}
        self.others = tuple(sorted(codes - {self.language}))
        self.version = ANALYZER_VERSION

    @property
    def readings(self) -> tuple[StoreAnalyzer, ...]:
        """An analyzer of one language for each language, that of ``language`` first."""
        if not self.others:
            return (self,)
        return tuple(StoreAnalyzer(code) for code in (self.language, *self.others))

    @property
    def is_morph(self) -> bool:
        """Whether terms are stems (Whoosh then offers to keep the words for spelling)."""
        return bool(LANGUAGES[self.language].stemmer)

    def __call__(
        self,
        value: str,
        positions: bool = False,
        chars: bool = False,
        keeporiginal: bool = False,
        removestops: bool = True,
        start_pos: int = 0,
        start_char: int = 0,
        tokenize: bool = True,
        mode: str = "",
        no_morph: bool = False,
        **kwargs: Any,
    ) -> Iterator[Token]:
        """The tokens of ``value``; the keywords are those of Whoosh's tokenizers.

        ``no_morph`` leaves the words unstemmed. Raises TypeError for anything but a string and
        AnalyzerVersionError for an index that another version of the analyzer wrote.
        """
        if not isinstance(value, str):
            raise TypeError(f"StoreAnalyzer reads str, not {type(value).__name__}: decode it first")
        if self.version != ANALYZER_VERSION:
            raise AnalyzerVersionError(
                f"this index was written with version {self.version} of StoreAnalyzer, this "
                f"steadyrank has version {ANALYZER_VERSION}: build the index again, or use the "
                "steadyrank that built it",
                version=self.version,
                supported=ANALYZER_VERSION,
            )
        token = Token(positions, chars, removestops=removestops, mode=mode, **kwargs)
        if not tokenize:
            return _whole(token, value, keeporiginal, start_pos, start_char)
        code = self._code(value)
        return self._tokens(code, token, value, keeporiginal, start_pos, start_char, no_morph)

    def _code(self, value: str) -> str:
        """The language whose rules a text is analysed by."""
        if self.others and isinstance(value, Spoken):
            code = known_code(value.language)
            if code in self.others:
                return code
        return self.language

    def _tokens(
        self,
        code: str,
        token: Token,
        value: str,
        keeporiginal: bool,
        position: int,
        start_char: int,
        no_morph: bool,
    ) -> Iterator[Token]:
        analyse = chunk_analysis(code, not no_morph)
        analyse_long = long_chunk_analysis(code, not no_morph)
        positions = token.positions
        chars = token.chars
        for match in CHUNK.finditer(value):
            offset = match.start()
            chunk = match.group()
            found = analyse(chunk) if len(chunk) <= LONGEST_TOKEN else analyse_long(chunk)
            for text, start, end in found:
                token.text = text
                # A filter behind us may have changed these on the token that is used again.
                token.boost = 1.0
                token.stopped = False
                if keeporiginal:
                    token.original = value[offset + start : offset + end]
                if positions:
                    token.pos = position
                    position += 1
                if chars:
                    token.startchar = start_char + offset + start
                    token.endchar = start_char + offset + end
                yield token

    def __getstate__(self) -> dict[str, object]:
        state: dict[str, object] = {"language": self.language, "version": self.version}
        if self.others:  # so that an index of one language is what it was before there were more
            state["others"] = list(self.others)
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        # No check here: an index of another version can still be opened, listed and verified.
        self.language = state["language"]
        self.version = state["version"]
        self.others = tuple(state.get("others", ()))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, StoreAnalyzer):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((StoreAnalyzer, *self._key()))

    def _key(self) -> tuple[object, ...]:
        return (self.language, self.others, self.version)

    def __repr__(self) -> str:
        others = f", {self.others!r}" if self.others else ""
        return f"StoreAnalyzer({self.language!r}{others})"


# What a pickled schema names: stays when the modules inside the package move.
StoreAnalyzer.__module__ = "steadyrank.analysis"


def _whole(
    token: Token, value: str, keeporiginal: bool, position: int, start_char: int
) -> Iterator[Token]:
    token.text = value
    token.boost = 1.0
    if keeporiginal:
        token.original = value
    if token.positions:
        token.pos = position
    if token.chars:
        token.startchar = start_char
        token.endchar = start_char + len(value)
    yield token


def describe(analyzer: object) -> dict[str, str | int | None]:
    """What a manifest has to record of an analyzer, ours or any other.

    ``name`` is the class; ``version``, ``language`` and ``stemmer`` are None where they are not
    known; ``others`` are further languages, if there are any; ``unicode`` is the version of this
    Python's tables, on which words depend too.
    """
    kind = type(analyzer)
    described: dict[str, str | int | None] = {
        "name": f"{kind.__module__}.{kind.__qualname__}",
        "version": None,
        "language": None,
        "unicode": unicodedata.unidata_version,
        "stemmer": None,
    }
    if isinstance(analyzer, StoreAnalyzer):
        stemmer = LANGUAGES[analyzer.language].stemmer
        described["version"] = analyzer.version
        described["language"] = analyzer.language
        described["stemmer"] = f"snowball:{stemmer}" if stemmer else "none"
        if analyzer.others:
            described["others"] = " ".join(analyzer.others)
    return described
