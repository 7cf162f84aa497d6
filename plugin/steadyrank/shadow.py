"""Shadow mode: answers stay Whoosh's own, and what ours would have been is logged beside them."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from whoosh.searching import Searcher

from steadyrank.order import Policy
from steadyrank.postings import IndexView, record_id
from steadyrank.searcher import STOCK_CALLS, SteadySearcher

Log = logging.Logger | Callable[[str], Any]


class ShadowSearcher(Searcher):  # type: ignore[misc]
    """Answers as stock Whoosh does, and logs one JSON line for each search.

    ``log`` is a logger (lines at level INFO) or a callable that takes a line. Each line has
    ``query`` (its repr), ``limit``, ``stock`` and ``steady`` (ids, best first), ``changed``
    (whether they differ), and where they do ``first_difference`` (rank from 1) and ``set_changed``.
    A search that steadyrank refuses is logged with ``error``; the host never sees one.
    """

    def __init__(self, *args: Any, log: Log, policy: Policy, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._log = log
        self._policy = policy

    def _subsearcher(self, reader: Any) -> Any:
        return Searcher(reader, fromindex=self._ix, weighting=self.weighting, parent=self)

    def search(self, q: Any, **kwargs: Any) -> Any:
        """As Whoosh's."""
        results = super().search(q, **kwargs)
        with suppress(Exception):  # not even a log that fails may break the host
            self._report(q, kwargs, results)
        return results

    def refresh(self) -> Any:
        """As Whoosh's, deleted documents that some versions then return included."""
        if not self._ix or self.up_to_date():
            return super().refresh()
        self.is_closed = True
        return self.__class__(
            self._ix.reader(reuse=self.ixreader),
            fromindex=self._ix,
            weighting=self.weighting,
            log=self._log,
            policy=self._policy,
        )

    def _report(self, q: Any, kwargs: dict[str, Any], results: Any) -> None:
        try:
            line = self._compared(q, kwargs, results)
        except Exception as error:
            line = {"query": repr(q), "error": f"{type(error).__name__}: {error}"}
        text = json.dumps({"schema": 1, **line}, sort_keys=True, default=repr)
        if isinstance(self._log, logging.Logger):
            self._log.info("%s", text)
        else:
            self._log(text)

    def _compared(self, q: Any, kwargs: dict[str, Any], results: Any) -> dict[str, Any]:
        steady = SteadySearcher(
            self.reader(),
            weighting=self.weighting,
            closereader=False,
            fromindex=self._ix,
            policy=self._policy,
        )
        id_of = partial(record_id, IndexView(self.reader()), self._policy.id_field)
        stock = [id_of(doc) for _, doc in results.top_n]
        ours = [id_of(doc) for _, doc in steady.search(q, **kwargs).top_n]
        line: dict[str, Any] = {
            "query": repr(q),
            "limit": kwargs.get("limit", 10),
            "stock": stock,
            "steady": ours,
            "changed": stock != ours,
        }
        if stock != ours:
            same = [one == other for one, other in zip(stock, ours, strict=False)]
            line["first_difference"] = (same.index(False) if False in same else len(same)) + 1
            line["set_changed"] = set(stock) != set(ours)
        return line


# Stock's answers stay stock's, also while steadyrank is installed in Searcher.
for _name, _call in STOCK_CALLS.items():
    if _name not in vars(ShadowSearcher):
        setattr(ShadowSearcher, _name, _call)
