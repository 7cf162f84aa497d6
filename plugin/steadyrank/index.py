"""Steady views of Whoosh indexes."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from steadyrank.errors import PolicyError, SteadyRankError
from steadyrank.order import Policy
from steadyrank.whoosh_support import require_whoosh

require_whoosh()

from whoosh.index import FileIndex  # noqa: E402 - only after the check above
from whoosh.index import open_dir as _open_dir  # noqa: E402

from steadyrank.pinned import loaded, provider  # noqa: E402
from steadyrank.postings import IndexView  # noqa: E402
from steadyrank.postings.identity import check_fields  # noqa: E402
from steadyrank.postings.kept import kept_by  # noqa: E402
from steadyrank.postings.mapped import open_mapped  # noqa: E402
from steadyrank.schema import DOCUMENT_FIELD  # noqa: E402
from steadyrank.searcher import SteadySearcher  # noqa: E402
from steadyrank.shadow import Log, ShadowSearcher  # noqa: E402

_TRIES = 10
_PAUSE = 0.02  # seconds


class NoIndexError(SteadyRankError, FileNotFoundError):
    """There is no Whoosh index at ``path``."""

    def __init__(self, message: str, *, path: str) -> None:
        super().__init__(message)
        self.path = path


class SteadyIndex(FileIndex):  # type: ignore[misc]
    """A Whoosh index whose searchers order their results by the policy.

    Everything else, writing included, is the index's own.
    """

    def __init__(
        self,
        storage: Any,
        schema: Any = None,
        indexname: str = "MAIN",
        policy: Policy | None = None,
        shadow: Log | None = None,
    ) -> None:
        super().__init__(storage, schema=schema, indexname=indexname)
        self.policy = policy or Policy()
        self.shadow = shadow
        self._kept: list[Any] = []  # held, not used

    @classmethod
    def _reader(
        cls, storage: Any, schema: Any, segments: Any, generation: Any, reuse: Any = None
    ) -> Any:
        mapped = open_mapped(storage, segments)
        return super()._reader(mapped, schema, segments, generation, reuse=reuse)

    def reader(self, reuse: Any = None) -> Any:
        """As Whoosh's; what was read of segments that are still there is not read again."""
        reader = super().reader(reuse=reuse)
        self._kept = kept_by(reader)
        return reader

    def searcher(self, **kwargs: Any) -> Any:
        """As Whoosh's, a SteadySearcher; ``policy`` may be given for this searcher alone."""
        policy = kwargs.pop("policy", self.policy)
        if self.shadow is not None:
            return ShadowSearcher(
                self.reader(), fromindex=self, policy=policy, log=self.shadow, **kwargs
            )
        return SteadySearcher(self.reader(), fromindex=self, policy=policy, **kwargs)


def stabilize(
    index: Any,
    *,
    policy: Policy | None = None,
    shadow: Log | None = None,
    **settings: Any,
) -> SteadyIndex:
    """A steady view of a Whoosh index; the given index stays as it is.

    The fields of :class:`steadyrank.Policy` are keywords (``id_field="id"``, ``gap=0.5``, ...),
    or come in one as ``policy``. With ``shadow``, a logger or a callable, answers stay those of
    stock Whoosh and each search logs one JSON line that compares them with ours.

    Raises IdFieldError when the index has no such id field, StatisticsError for pinned
    statistics that do not fit it.
    """
    if not isinstance(index, FileIndex):
        raise TypeError(
            f"stabilize takes a Whoosh index, not {type(index).__name__}: open it with "
            "whoosh.index.open_dir, or give the folder to steadyrank.open_index"
        )
    if policy is not None and settings:
        raise PolicyError("give either policy= or its fields as keywords, not both")
    chosen = policy or Policy(**settings)
    chosen = replace(chosen, statistics=loaded(chosen.statistics))

    def opened() -> SteadyIndex:
        view = SteadyIndex(
            index.storage,
            schema=getattr(index, "_schema", None),
            indexname=index.indexname,
            policy=chosen,
            shadow=shadow,
        )
        check_fields(view.schema, chosen)  # an error now, and not at the first tie
        return view

    view = _while_published(opened)
    if not isinstance(chosen.statistics, str):
        reader = view.reader()
        try:
            provider(chosen.statistics, IndexView(reader))
        finally:
            reader.close()
    return view


def open_index(
    path: str | os.PathLike[str], *, indexname: str | None = None, **settings: Any
) -> SteadyIndex:
    """Opens a folder that holds a Whoosh index, built by ``steadyrank build`` or by anyone.

    ``settings`` as for :func:`stabilize`; the sections of a page in a store's index belong to
    one document without being told. An index directory is trusted input: Whoosh unpickles
    its schema. Raises NoIndexError (a FileNotFoundError) when there is none.
    """
    folder = os.fspath(path)
    return _while_published(lambda: _open(folder, indexname, settings))


def _open(folder: str, indexname: str | None, settings: dict[str, Any]) -> SteadyIndex:
    from whoosh.index import EmptyIndexError, exists_in

    names = {} if indexname is None else {"indexname": indexname}
    if not Path(folder).is_dir() or not exists_in(folder, **names):
        raise NoIndexError(
            f"{folder}: no Whoosh index here; build one with "
            f"'steadyrank build MATERIAL --out {folder}', or give the folder of an existing one",
            path=folder,
        )
    try:
        index = _open_dir(folder, **names)
    except EmptyIndexError as error:
        raise NoIndexError(f"{folder}: {error}", path=folder) from error
    if "policy" not in settings and is_store(index.schema):
        settings.setdefault("document_field", DOCUMENT_FIELD)
    return stabilize(index, **settings)


def _while_published(opened: Callable[[], SteadyIndex]) -> SteadyIndex:
    """What ``opened`` gives, tried again when a file was gone before it could be read.

    Whoosh looks for the latest generation and then opens its files; a writer that commits in
    between takes them away. Its own reader() tries again, opening an index does not.
    """
    for _ in range(_TRIES):
        try:
            return opened()
        except NoIndexError:
            raise
        except FileNotFoundError:
            time.sleep(_PAUSE)
    return opened()


def is_store(schema: Any) -> bool:
    """Whether the schema is the one that ``steadyrank build`` writes."""
    from steadyrank.analysis import StoreAnalyzer

    return all(name in schema for name in (DOCUMENT_FIELD, "kind", "title", "text")) and (
        isinstance(schema["text"].analyzer, StoreAnalyzer)
    )
