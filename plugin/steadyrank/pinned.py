"""Statistics from a file: other documents cannot move a score that is computed with them."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from steadyrank.errors import SteadyRankError
from steadyrank.postings import IndexView
from steadyrank.provenance import index_digest
from steadyrank.statistics import CorpusStatistics, Derived, LiveStatistics, WhooshStatistics

_SCHEMA = 1
_KIND = "steadyrank statistics"

# What an unseen term counts as: the rarest there can be. Zero would divide by zero in some models.
UNSEEN_FREQUENCY = 1
UNSEEN_WEIGHT = 1.0
_UNSEEN = {"document_frequency": UNSEEN_FREQUENCY, "weight": UNSEEN_WEIGHT}


class StatisticsError(SteadyRankError, ValueError):
    """A file of statistics that cannot be used, or does not fit the index."""


@dataclass(frozen=True, slots=True)
class FieldStatistics:
    """One field: how its texts are analysed, its tokens in all documents, and its terms.

    ``terms`` maps a term to (documents that contain it, its weight summed over them).
    """

    analyzer: str
    length: int
    terms: Mapping[bytes, tuple[int, float]]


@dataclass(frozen=True)
class Statistics(Derived):
    """Pinned statistics: counts of one corpus on one day.

    ``documents`` is their number, ``created`` the day in ISO 8601 (UTC), ``source`` the digest
    of the index they were counted in, where its builder recorded one. Terms that were not seen
    count as in one document with weight 1.
    """

    documents: int
    fields: Mapping[str, FieldStatistics]
    created: str = ""
    source: str | None = None
    _unseen: FieldStatistics = field(
        default=FieldStatistics("", 0, MappingProxyType({})), repr=False, compare=False
    )

    @classmethod
    def pin(cls, index: Any) -> Statistics:
        """Counts the live documents of a Whoosh index, ours or anyone's.

        Reads every posting of every indexed field but those whose every term is unique to one
        document (ids): minutes for millions of documents. Weights of terms are sums.
        """
        reader = index.reader()
        try:
            view = IndexView(reader)
            fields = {
                name: _count_field(view, name, kind)
                for name, kind in sorted(reader.schema.items())
                if kind.indexed and not kind.unique
            }
            return cls(
                documents=view.doc_count(),
                fields=MappingProxyType(fields),
                created=datetime.now(UTC).replace(microsecond=0).isoformat(),
                source=index_digest(index, reader.generation()),
            )
        finally:
            reader.close()

    # What scorers ask.

    @property
    def name(self) -> str:
        """How results and logs call these statistics."""
        return f"pinned {self.digest}"

    def __str__(self) -> str:
        return self.name

    def knows(self, field: str, term: bytes) -> bool:
        """Whether the term was seen when the statistics were pinned."""
        return term in self._field(field).terms

    def doc_count(self) -> int:
        return max(1, self.documents)

    def doc_frequency(self, field: str, term: bytes) -> int:
        return self._field(field).terms.get(term, (UNSEEN_FREQUENCY, UNSEEN_WEIGHT))[0]

    def term_weight(self, field: str, term: bytes) -> float:
        return self._field(field).terms.get(term, (UNSEEN_FREQUENCY, UNSEEN_WEIGHT))[1]

    def field_length(self, field: str) -> int:
        return max(1, self._field(field).length)

    def _field(self, name: str) -> FieldStatistics:
        return self.fields.get(name, self._unseen)

    # The file.

    @cached_property
    def digest(self) -> str:
        """``sha256:`` and the hash of the counts, whatever the day and the index they are of."""
        content = {"documents": self.documents, "fields": self._fields_content()}
        text = json.dumps(content, sort_keys=True, ensure_ascii=True, separators=(",", ":"))
        return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"

    def _fields_content(self) -> dict[str, Any]:
        return {
            name: {
                "analyzer": counted.analyzer,
                "length": counted.length,
                "terms": {
                    _written(term): frequency if weight == frequency else [frequency, weight]
                    for term, (frequency, weight) in sorted(counted.terms.items())
                },
            }
            for name, counted in sorted(self.fields.items())
        }

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the file: JSON for people too, one term a line. Replaces in one step."""
        content = {
            "kind": _KIND,
            "schema": _SCHEMA,
            "digest": self.digest,
            "created": self.created,
            "source": self.source,
            "documents": self.documents,
            "unseen": _UNSEEN,
            "fields": self._fields_content(),
        }
        target = Path(path)
        scratch = target.with_name(f".{target.name}.{os.getpid()}")
        try:
            scratch.write_text(json.dumps(content, indent=1, ensure_ascii=False) + "\n", "utf-8")
            scratch.replace(target)
        finally:
            scratch.unlink(missing_ok=True)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Statistics:
        """Reads a file that ``save`` wrote.

        Raises StatisticsError for a file that is something else, is newer than this release or
        was changed by hand (its digest does not fit), and for a path without a file.
        """
        shown = os.fspath(path)
        try:
            content = json.loads(Path(path).read_text("utf-8"))
        except FileNotFoundError as error:
            raise StatisticsError(
                f"{shown} does not exist; write it with 'steadyrank pin DIR --out {shown}'"
            ) from error
        except (ValueError, OSError) as error:
            raise StatisticsError(f"{shown} cannot be read as statistics: {error}") from error
        if not isinstance(content, dict) or content.get("kind") != _KIND:
            raise StatisticsError(
                f"{shown} is no file of statistics; write one with 'steadyrank pin DIR --out FILE'"
            )
        if content.get("schema") != _SCHEMA:
            raise StatisticsError(
                f"{shown} has schema {content.get('schema')!r} and this release reads {_SCHEMA}: "
                "pin the index again"
            )
        try:
            loaded = cls(
                documents=int(content["documents"]),
                fields=MappingProxyType(
                    {name: _read_field(entry) for name, entry in content["fields"].items()}
                ),
                created=str(content["created"]),
                source=content["source"],
            )
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise StatisticsError(
                f"{shown} is damaged ({type(error).__name__}: {error}); pin the index again"
            ) from error
        if loaded.digest != content.get("digest") or content.get("unseen") != _UNSEEN:
            raise StatisticsError(
                f"{shown} was changed since it was written (its counts do not give its digest, or "
                f"unseen terms do not count as {_UNSEEN}); pin the index again"
            )
        return loaded

    def check(self, schema: Any) -> None:
        """StatisticsError unless they fit an index with this schema: same fields, same analysis."""
        searched = {name for name, kind in schema.items() if kind.indexed and not kind.unique}
        missing = sorted(searched - set(self.fields))
        extra = sorted(set(self.fields) - searched)
        if missing or extra:
            parts = [f"lack {', '.join(missing)}"] if missing else []
            parts += [f"have {', '.join(extra)}, which it has not"] if extra else []
            raise StatisticsError(
                f"the pinned statistics do not fit the index's fields: they {' and '.join(parts)}; "
                "pin this index"
            )
        for name, counted in self.fields.items():
            if counted.analyzer != analysis_of(schema[name]):
                raise StatisticsError(
                    f"the pinned statistics of field {name!r} are of texts analysed by "
                    f"{counted.analyzer}, and this index analyses by {analysis_of(schema[name])}; "
                    "pin this index"
                )


def provider(chosen: Any, view: IndexView) -> CorpusStatistics:
    """The statistics that a policy names, over one reader.

    Raises StatisticsError for pinned ones that do not fit the reader's schema.
    """
    if chosen == "live":
        return LiveStatistics(view)
    if chosen == "whoosh":
        return WhooshStatistics(view.reader)
    statistics: Statistics = loaded(chosen)
    statistics.check(view.reader.schema)
    return statistics


def loaded(chosen: Any) -> Any:
    """The policy's ``statistics`` with a path replaced by what the file holds."""
    if isinstance(chosen, Statistics) or chosen in ("live", "whoosh"):
        return chosen
    if isinstance(chosen, str | os.PathLike):
        return Statistics.load(chosen)
    raise StatisticsError(
        f'statistics is "live", "whoosh", the path of a pinned file or a Statistics, not {chosen!r}'
    )


def analysis_of(kind: Any) -> str:
    """How a field's texts become terms, as one line that is equal for equal analysis."""
    analyzer = getattr(kind, "analyzer", None)
    return f"{type(kind).__name__} {_described(analyzer)}"


def _described(value: Any, depth: int = 0) -> str:
    # Whoosh's analyzers are trees of small objects; their settings are what matters. Sets have
    # no order, patterns and functions have names.
    if value is None or isinstance(value, bool | int | float | str | bytes):
        return repr(value)
    if isinstance(value, set | frozenset):
        return "{" + ", ".join(sorted(_described(item, depth + 1) for item in value)) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_described(item, depth + 1) for item in value) + "]"
    if isinstance(value, dict):
        items = sorted((repr(key), _described(item, depth + 1)) for key, item in value.items())
        return "{" + ", ".join(f"{key}: {item}" for key, item in items) + "}"
    if hasattr(value, "pattern") and hasattr(value, "flags"):
        return f"re {value.pattern!r}"
    name = getattr(value, "__qualname__", None)
    if name is not None and callable(value):
        return str(name)
    if depth > 8:
        return type(value).__qualname__
    settings = {
        key: item
        for key, item in sorted(_settings(value).items())
        if "cache" not in key and not callable(item)
    }
    return type(value).__qualname__ + (_described(settings, depth + 1) if settings else "")


def _settings(value: Any) -> dict[str, Any]:
    state: Any = value.__getstate__()
    return state if isinstance(state, dict) else {"state": state}


def _count_field(view: IndexView, name: str, kind: Any) -> FieldStatistics:
    terms: dict[bytes, tuple[int, float]] = {}
    for term in sorted({bytes(term) for term in _lexicon(view, name)}):
        frequency = view.doc_frequency(name, term)
        if frequency:  # terms of deleted documents are still in the lexicon
            terms[term] = (frequency, view.term_weight(name, term))
    length = view.field_length(name) if kind.scorable else 0
    return FieldStatistics(analysis_of(kind), length, MappingProxyType(terms))


def _lexicon(view: IndexView, name: str) -> list[bytes]:
    return [
        term
        for segment, _ in view.segments
        if name in set(segment.reader.indexed_field_names())
        for term in segment.reader.lexicon(name)
    ]


def _written(term: bytes) -> str:
    # Terms of texts are UTF-8; those of numbers are not, and a text may look like an escape.
    try:
        text = term.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    if text is None or text.startswith("hex:") or not text.isprintable():
        return f"hex:{term.hex()}"
    return text


def _read_field(entry: Mapping[str, Any]) -> FieldStatistics:
    terms = {}
    for written, counted in entry["terms"].items():
        term = bytes.fromhex(written[4:]) if written.startswith("hex:") else written.encode()
        frequency, weight = counted if isinstance(counted, list) else (counted, counted)
        terms[term] = (int(frequency), float(weight))
        if terms[term][0] < 1 or not terms[term][1] >= 0:  # 0 in a field whose boost is 0
            raise ValueError(f"term {written!r} has counts {counted!r}")
    return FieldStatistics(str(entry["analyzer"]), int(entry["length"]), MappingProxyType(terms))
