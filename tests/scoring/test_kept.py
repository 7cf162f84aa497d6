"""What was read of a segment serves every later reader of it, and no other segment."""

from __future__ import annotations

import gc
import os
import random
from pathlib import Path
from typing import Any

import pytest
from whoosh import fields, index
from whoosh import query as q
from whoosh.reading import TermNotFound

import steadyrank
import support_sidecars
from steadyrank.postings import kept, segment
from support_layouts import WORDS, Layout, Record, corpus, schema, write

pytestmark = pytest.mark.whoosh

QUERY = q.Or([q.Term("text", word) for word in WORDS[:6]])


def answers(searcher: Any) -> list[tuple[str, float]]:
    return [(hit["id"], hit.score) for hit in searcher.search(QUERY, limit=None)]


@pytest.fixture
def decoded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The sizes of the posting lists that are decoded, from now on."""
    if os.environ.get(support_sidecars.VARIABLE) == "fitting":
        pytest.skip("no list is decoded where all are compiled")
    sizes: list[int] = []
    original = segment.decode

    def decode(*arguments: Any) -> Any:
        found = original(*arguments)
        sizes.append(found.docs.size)
        return found

    monkeypatch.setattr(segment, "decode", decode)
    return sizes


@pytest.mark.parametrize("way", ["refreshed", "opened again", "held by the searcher"])
def test_a_commit_costs_the_new_segment_only(tmp_path: Path, decoded: list[int], way: str) -> None:
    """One record is saved again: of the old segment nothing is read anew, yet it is deleted."""
    records = corpus(8, 150)
    ix = write(tmp_path, records, Layout(seed=2))
    steady = steadyrank.stabilize(ix)
    searcher = steady.searcher()
    answers(searcher)
    assert max(decoded) > 50
    if way == "held by the searcher":
        steady._kept.clear()
    if way == "opened again":
        searcher.close()
        del searcher
        gc.collect()
    writer = ix.writer()
    changed = Record(records[0].id, "lamp", f"{WORDS[0]} {WORDS[1]}", "sale", 3)
    writer.update_document(**changed.stored())
    writer.commit(merge=False)
    decoded.clear()
    fresh = steady.searcher() if way == "opened again" else searcher.refresh()
    after = answers(fresh)
    assert decoded
    assert max(decoded) <= 1
    fresh.close()
    (tmp_path / "clean").mkdir()
    clean = write(tmp_path / "clean", [changed, *records[1:]], Layout())
    with steadyrank.stabilize(clean).searcher() as searcher:
        assert after == answers(searcher)


def test_segments_of_one_name_are_not_taken_for_each_other(tmp_path: Path) -> None:
    """Names come from the process's random numbers, and a host may seed those."""
    names, found = set(), []
    holding = []
    for number in range(2):
        folder = tmp_path / str(number)
        folder.mkdir()
        random.seed(5)
        ix = index.create_in(str(folder), schema())
        writer = ix.writer()
        for record in corpus(number, 40):
            writer.add_document(**record.stored())
        writer.commit()
        names |= {path.stem for path in folder.glob("*.seg")}
        steady = steadyrank.stabilize(ix)
        with steady.searcher() as searcher:
            found.append(answers(searcher))
        holding.append(steady)
    assert len(names) == 1, "the segments have different names, which proves nothing"
    assert found[0] != found[1]
    (tmp_path / "clean").mkdir()
    clean = write(tmp_path / "clean", corpus(1, 40), Layout())
    with steadyrank.stabilize(clean).searcher() as searcher:
        assert found[1] == answers(searcher)


def test_nothing_is_kept_for_nobody(tmp_path: Path) -> None:
    steady = steadyrank.stabilize(write(tmp_path, corpus(8, 50), Layout(seed=2)))
    with steady.searcher() as searcher:
        answers(searcher)
        (key,) = {kept.files_of(searcher.reader())}
    del searcher
    gc.collect()
    assert key in kept._KEPT
    del steady
    gc.collect()
    assert key not in kept._KEPT


@pytest.mark.own_files
def test_document_frequencies_are_whooshs_before_and_after_postings_are_read(
    tmp_path: Path,
) -> None:
    """And where the schema indexes the field no more, the error is Whoosh's."""
    ix = write(tmp_path, corpus(8, 150), Layout(seed=2, segments=2))
    reader = ix.reader()
    for leaf, _ in reader.leaf_readers():
        view = segment.segment_of(leaf)
        terms = [*leaf.all_terms(), ("text", b"nowhere")]
        for read in (False, True):
            for field, term in terms:
                if read:
                    view.postings(field, term)
                    assert view._kept.size_of((field, term)) is not None
                assert view.doc_frequency(field, term) == leaf.doc_frequency(field, term)
        leaf.schema = leaf.schema.copy()
        leaf.schema.remove("text")
        leaf.schema.add("text", fields.STORED())
        for view_of in (view, leaf):
            with pytest.raises(TermNotFound):
                view_of.doc_frequency("text", b"tent")
    reader.close()
