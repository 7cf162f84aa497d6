"""Caches of postings that are full: what falls out of them is read again."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import pytest
from whoosh import query as q

import steadyrank
from steadyrank.postings import kept, segment
from steadyrank.scoring import leaf_cache
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
    monkeypatch.setattr(kept, "CACHED_POSTINGS", postings)
    monkeypatch.setattr(leaf_cache, "KEPT_HITS", 2 * postings)
    with steadyrank.stabilize(ix).searcher() as searcher:
        for _ in range(3):
            assert found(searcher) == expected
        lists = segment.segment_of(searcher.reader())._kept
        assert lists.size == sum(docs.size + kept.OVERHEAD for docs, _ in lists._lists.values())
        leaves = leaf_cache.leaf_cache(searcher.reader())
        assert leaves.size == sum(hits.docs.size + kept.OVERHEAD for hits in leaves._found.values())
        assert leaves.size <= 2 * postings


def test_threads_that_miss_together_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A term that eight threads ask for at once is decoded once and counted once."""
    ix = write(tmp_path, corpus(8, 150), Layout(seed=2))
    with steadyrank.stabilize(ix).searcher() as searcher:
        view = segment.segment_of(searcher.reader())
        reads: list[bytes] = []
        read = view._read_postings
        monkeypatch.setattr(
            view, "_read_postings", lambda field, term: reads.append(term) or read(field, term)
        )
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
        assert len(reads) == len(set(reads)) == 20
        assert view._kept.size == sum(
            docs.size + kept.OVERHEAD for docs, _ in view._kept._lists.values()
        )
