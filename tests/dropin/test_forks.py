"""A process that forks: its children search with what it has open."""

from __future__ import annotations

import multiprocessing
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from whoosh import index
from whoosh.query import Term

import steadyrank
from steadyrank import search_ids
from steadyrank.postings import kept, locks, segment
from steadyrank.scoring import leaf_cache
from support_layouts import WORDS, Layout, corpus, schema, write

pytestmark = [
    pytest.mark.whoosh,
    pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork"),
    # Python warns of forks beside threads, which is what this is about.
    pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning"),
]


def answers(searcher: Any, words: list[str]) -> list[tuple[list[str], list[float]]]:
    found = []
    for word in words:
        ids, scores = search_ids(searcher, word, 10)
        found.append((ids, scores.tolist()))
        hits = searcher.search(Term("text", word), limit=5)
        found.append(([hit["id"] for hit in hits], [hit.score for hit in hits]))
    return found


def exit_code(check: Callable[[], bool], seconds: float = 30.0) -> int | None:
    """That of a forked child which exits with 0 if the check holds; None if it never ends."""

    def child() -> None:
        os._exit(0 if check() else 1)

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    process.join(seconds)
    if process.exitcode is None:
        process.kill()
        process.join()
        return None
    return process.exitcode


def test_files_that_are_not_packed_into_one(tmp_path: Path) -> None:
    """Threads, and children, do not move each other's place in them."""
    ix = index.create_in(str(tmp_path), schema())
    records = corpus(5, 600)
    for part in range(2):
        writer = ix.writer(compound=False)
        for record in records[part::2]:
            writer.add_document(**record.stored())
        writer.commit(merge=False)
    ix.close()
    with steadyrank.open_index(tmp_path).searcher() as other:
        expected = answers(other, WORDS)
    with steadyrank.open_index(tmp_path).searcher() as searcher:
        leaf = searcher.reader().leaf_readers()[0][0]
        assert not leaf.segment().is_compound()
        assert exit_code(lambda: answers(searcher, WORDS) == expected) == 0
        found: list[bool] = []
        threads = [
            threading.Thread(target=lambda: found.append(answers(searcher, WORDS) == expected))
            for _ in range(6)
        ]
        every = sys.getswitchinterval()
        sys.setswitchinterval(1e-5)
        try:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
        finally:
            sys.setswitchinterval(every)
        assert found == [True] * 6


def test_while_other_threads_search(tmp_path: Path) -> None:
    """Whatever they hold at that moment, a child does not wait for them."""
    expected = []
    write(tmp_path, corpus(3, 60), Layout(segments=2)).close()
    with steadyrank.open_index(tmp_path).searcher() as other:
        expected = answers(other, WORDS[:6])
    with steadyrank.open_index(tmp_path).searcher() as searcher:
        search_ids(searcher, WORDS[7])
        reader = searcher.reader()
        held = [each.lock for each in kept.kept_by(reader)]
        held += [leaf_cache.leaf_cache(reader)._lock, leaf_cache._CACHES_LOCK]
        held += [kept._LOCK, segment._SEGMENTS_LOCK]
        assert set(held) <= set(locks._LOCKS)
        is_held, may_go = threading.Event(), threading.Event()

        def hold() -> None:
            for lock in held:
                lock.acquire()
            is_held.set()
            may_go.wait()
            for lock in held:
                lock.release()

        holder = threading.Thread(target=hold)
        holder.start()
        is_held.wait()
        try:
            assert exit_code(lambda: answers(searcher, WORDS[:6]) == expected) == 0
        finally:
            may_go.set()
            holder.join()
        assert answers(searcher, WORDS[:6]) == expected
