"""A run: what a set of questions got from one index under one set of settings.

What compares, judges or draws rankings takes runs, so that it works the same on a live index, on
a file from last week and on what another engine returned.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeVar

from steadyrank.errors import SteadyRankError
from steadyrank.order import Candidate

RUN_SCHEMA = 1
_Record = TypeVar("_Record")


class RunError(SteadyRankError, ValueError):
    """A file that is no run, or not one of this version."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One record in a ranking: what its place was decided by, its title, a hash of its content.

    ``content`` is equal for equal stored fields and empty where nobody asked for it. ``band`` is
    the number of its band from 1, None without a gap.
    """

    id: str
    score: float
    document: str
    route: int = 0
    band: int | None = None
    title: str = ""
    content: str = ""

    def candidate(self) -> Candidate:
        """What an order looks at."""
        return Candidate(self.id, self.score, self.document, self.route)


@dataclass(frozen=True, slots=True)
class Ranking:
    """What one question got.

    ``entries`` are the answer's, in order, and ``after`` those that came next, as far as they
    were asked for. ``number`` is the question's place in its file, from 1; ``k`` how many were
    wanted. ``statistics`` names what scores depended on; ``unseen`` is the share of the
    question's terms that the statistics never saw. ``confidence`` is None where the index gives
    none (a search and not an answer).
    """

    number: int
    question: str
    k: int
    entries: tuple[Entry, ...]
    after: tuple[Entry, ...] = ()
    gap: float = 0.0
    select: Literal["band", "score"] = "band"
    statistics: str = "live"
    settings: str = ""
    confidence: str | None = None
    concepts: tuple[str, ...] = ()
    unseen: float = 0.0

    @property
    def ids(self) -> tuple[str, ...]:
        """The answer's ids, in order."""
        return tuple(entry.id for entry in self.entries)

    @property
    def known(self) -> tuple[Entry, ...]:
        """The answer and those after it."""
        return self.entries + self.after


@dataclass(frozen=True, slots=True)
class Origin:
    """Which index gave a run, and what read it.

    ``digest`` is the index's logical one, None for an index that the builder did not write.
    ``versions``: distribution and version of Whoosh, Python, Unicode tables, steadyrank.
    """

    generation: int = 0
    digest: str | None = None
    documents: int = 0
    versions: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class Run:
    """Rankings in the order of their questions, and where they come from."""

    origin: Origin
    rankings: tuple[Ranking, ...]

    def to_dict(self) -> dict[str, Any]:
        """For JSON; doubles survive it to the bit. ``run`` is the version of this shape."""
        origin = {
            "generation": self.origin.generation,
            "digest": self.origin.digest,
            "documents": self.origin.documents,
            "versions": dict(self.origin.versions),
        }
        rankings = [asdict(ranking) for ranking in self.rankings]
        return {"run": RUN_SCHEMA, "origin": origin, "rankings": rankings}


def run_of(content: Any, name: str = "run") -> Run:
    """The run of ``to_dict``. Raises RunError that says what is wrong."""
    if not isinstance(content, Mapping) or "run" not in content:
        raise RunError(f"{name} is no saved run: it has no key 'run'; save one with --save-run")
    if content["run"] != RUN_SCHEMA:
        raise RunError(
            f"{name} is a run of version {content['run']!r}, and this reads {RUN_SCHEMA}; "
            "save it again with this version"
        )
    try:
        rankings = tuple(_ranking(entry) for entry in content["rankings"])
        return Run(_typed(Origin(**content["origin"]), _ORIGIN), rankings)
    except (KeyError, TypeError, ValueError) as error:
        raise RunError(f"{name} is no whole run: {type(error).__name__}: {error}") from error


def _ranking(content: Mapping[str, Any]) -> Ranking:
    values = dict(content)
    for key in ("entries", "after"):
        values[key] = _entries(values.get(key, ()))
    values["concepts"] = tuple(values.get("concepts", ()))
    return _typed(Ranking(**values), _RANKING)


def _entries(content: Sequence[Mapping[str, Any]]) -> tuple[Entry, ...]:
    entries = tuple(Entry(**entry) for entry in content)
    for entry in entries:
        _typed(entry, _ENTRY).candidate()  # raises for a score or an id that no order takes
    return entries


# What a file that was edited by hand may have otherwise. A float's int is one, a bool is none.
_ENTRY: dict[str, Any] = {"id": str, "score": float, "document": str, "route": int}
_ENTRY |= {"band": int | None, "title": str, "content": str}
_RANKING: dict[str, Any] = {"number": int, "question": str, "k": int, "gap": float}
_RANKING |= {"select": str, "statistics": str, "settings": str}
_RANKING |= {"confidence": str | None, "unseen": float}
_ORIGIN: dict[str, Any] = {"generation": int, "digest": str | None, "documents": int}
_ORIGIN |= {"versions": Mapping}


def _typed(record: _Record, kinds: Mapping[str, Any]) -> _Record:
    for name, kind in kinds.items():
        value = getattr(record, name)
        fits = isinstance(value, int | float if kind is float else kind)
        if not fits or isinstance(value, bool) or (kind is float and not math.isfinite(value)):
            raise ValueError(f"{name} cannot be {value!r}")
    return record
