"""Caches of postings that are full: what falls out of them is read again."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from whoosh import query as q

import steadyrank
from steadyrank.postings import segment
from support_layouts import WORDS, Layout, corpus, write

pytestmark = pytest.mark.whoosh

PHRASES = [q.Phrase("text", [one, other]) for one in WORDS[:5] for other in WORDS[:5]]


def found(searcher: Any) -> list[list[tuple[str, float]]]:
    return [
        [(hit["id"], hit.score) for hit in searcher.search(query, limit=None)] for query in PHRASES
    ]


@pytest.mark.parametrize("postings", [0, 120, 1000])
def test_small_caches_change_no_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, postings: int
) -> None:
    """Terms read again and again, some kept and some not: the answers of an endless cache."""
    ix = write(tmp_path, corpus(8, 150), Layout(seed=2))
    with steadyrank.stabilize(ix).searcher() as searcher:
        expected = found(searcher)
    assert any(expected)
    monkeypatch.setattr(segment, "_CACHED_POSTINGS", postings)
    with steadyrank.stabilize(ix).searcher() as searcher:
        for _ in range(3):
            assert found(searcher) == expected
        view = segment.segment_of(searcher.reader())
        assert view._cached == sum(kept.docs.size for kept in view._postings.values())


def test_threads_that_miss_together_read_once(tmp_path: Path) -> None:
    """A term that eight threads ask for at once is decoded once and counted once."""
    ix = write(tmp_path, corpus(8, 150), Layout(seed=2))
    with steadyrank.stabilize(ix).searcher() as searcher:
        view = segment.segment_of(searcher.reader())
        start = threading.Barrier(8)
        got: list[Any] = []

        def ask() -> None:
            start.wait()
            got.extend(view.postings("text", word.encode()) for word in WORDS[:20])

        threads = [threading.Thread(target=ask) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(got) == 160
        assert len({id(postings) for postings in got}) == 20
        assert view._cached == sum(kept.docs.size for kept in view._postings.values())
