"""Process-wide: every searcher of Whoosh orders its results, also in code one cannot reach."""

from __future__ import annotations

import threading
import warnings
from dataclasses import replace
from typing import Any

from whoosh.searching import Searcher

from steadyrank.errors import PolicyError
from steadyrank.order import Policy
from steadyrank.pinned import loaded
from steadyrank.postings import SteadyRankWarning
from steadyrank.searcher import STEADY_CALLS

_LOCK = threading.Lock()
_originals: dict[str, Any] = {}


def install(*, policy: Policy | None = None, **settings: Any) -> None:
    """Makes every Whoosh searcher of this process order its results by the policy.

    The fields of :class:`steadyrank.Policy` are keywords, or come in one as ``policy``. An index
    without the id field is ordered by its stored fields, with a warning. Installing again
    replaces the policy. Searchers that exist already follow from their next search on.
    """
    if policy is not None and settings:
        raise PolicyError("give either policy= or its fields as keywords, not both")
    chosen = policy or Policy(**settings)
    chosen = replace(chosen, statistics=loaded(chosen.statistics))
    with _LOCK:
        if not _originals:
            for name, call in STEADY_CALLS.items():
                _originals[name] = Searcher.__dict__[name]
                setattr(Searcher, name, call)
        Searcher.policy = _PolicyOf(chosen)


def uninstall() -> None:
    """Gives Whoosh's searchers their own calls back; without effect when nothing is installed."""
    with _LOCK:
        for name, original in _originals.items():
            setattr(Searcher, name, original)
        if _originals:
            del Searcher.policy
        _originals.clear()


class _PolicyOf:
    """The installed policy as it fits one searcher's index.

    A descriptor without a setter, so that a steady searcher's own policy goes before it.
    """

    def __init__(self, policy: Policy) -> None:
        self._policy = policy
        self._without_id = replace(policy, id_field=None)
        self._warned = False

    def __get__(self, searcher: Any, owner: type) -> Policy:
        if searcher is None:
            return self._policy
        field = self._policy.id_field
        if field is None or self._readable(searcher.schema, field):
            return self._policy
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"an index has no readable field {field!r}, so ties in it are settled by all "
                f"stored fields (its fields: {', '.join(searcher.schema.names())})",
                SteadyRankWarning,
                stacklevel=4,
            )
        return self._without_id

    @staticmethod
    def _readable(schema: Any, field: str) -> bool:
        return field in schema and bool(schema[field].stored or schema[field].column_type)
