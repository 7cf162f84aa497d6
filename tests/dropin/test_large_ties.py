"""Ties of hundreds at the end of a page: the lowest ids, though not all ids are read."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import pytest
from whoosh import fields, index
from whoosh import query as q
from whoosh.analysis import SpaceSeparatedTokenizer
from whoosh.scoring import Frequency

import steadyrank
from steadyrank.collecting import selection
from steadyrank.order import placements
from steadyrank.postings import Identity

pytestmark = pytest.mark.whoosh

COUNT = 400
TIED = q.Every()


def shuffled(seed: int = 5) -> list[str]:
    ids = [f"r{number:03}" for number in range(COUNT - 2)] + ["zebra", "Ärger"]
    random.Random(seed).shuffle(ids)
    return ids


def write(folder: Path, ids: list[str | None], id_field: Any, segments: int = 3) -> Any:
    ix = index.create_in(str(folder), fields.Schema(id=id_field, n=fields.STORED))
    for part in range(segments):
        writer = ix.writer()
        for number, id in list(enumerate(ids))[part::segments]:
            record = {} if id is None else {"id": id}
            writer.add_document(n=number, **record)
        writer.commit(merge=False)
    return ix


def top(ix: Any, limit: int) -> list[str]:
    with steadyrank.stabilize(ix, id_field="id").searcher() as searcher:
        return [hit.get("id") for hit in searcher.search(TIED, limit=limit)]


def reads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many keys each call reads, from now on."""
    sizes: list[int] = []
    original = Identity.keys

    def keys(self: Identity, docs: Any) -> Any:
        sizes.append(docs.size)
        return original(self, docs)

    monkeypatch.setattr(selection.Identity, "keys", keys)
    return sizes


@pytest.mark.parametrize("sortable", [False, True])
@pytest.mark.parametrize("segments", [1, 3])
def test_the_lowest_ids_are_found_by_their_order_in_the_index(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, segments: int, sortable: bool
) -> None:
    ids = shuffled()
    kind = fields.ID(stored=True, unique=True, sortable=sortable)
    ix = write(tmp_path, ids, kind, segments)
    writer = ix.writer()
    for gone in sorted(ids)[1:4]:
        writer.delete_by_term("id", gone)
    writer.commit(merge=False)
    left = sorted(ids)[:1] + sorted(ids)[4:]
    sizes = reads(monkeypatch)
    for limit in (1, 10, 50):
        assert top(ix, limit) == left[:limit]
    assert sizes
    assert max(sizes) <= 50, "all ids of the tie were read"
    assert top(ix, COUNT) == left


def banded(seed: int, count: int = 900) -> list[tuple[str, float]]:
    """Ids and scores, in any order: a few above, then two large bands, the second one cut off."""
    chance = random.Random(seed)
    ids = [f"b{number:04}" for number in range(count)]
    chance.shuffle(ids)
    scores = [8.0, 7.75, 7.5, 6.0, *([3.0] * 30), *([2.75] * 270), 2.25]
    scores += chance.choices([2.0, 1.75, 1.5, 0.25], k=count - len(scores))
    return list(zip(ids, scores, strict=True))


def scored_by(records: list[tuple[str, float]], folder: Path, segments: int) -> Any:
    """An index where each record has one word, which names its score."""
    kind = fields.ID(stored=True, unique=True)
    text = fields.TEXT(analyzer=SpaceSeparatedTokenizer(), phrase=False)
    ix = index.create_in(str(folder), fields.Schema(id=kind, text=text))
    for part in range(segments):
        writer = ix.writer()
        for id, score in records[part::segments]:
            writer.add_document(id=id, text=f"s{score}")
        writer.commit(merge=False)
    return ix


@pytest.mark.parametrize("segments", [1, 3])
@pytest.mark.parametrize("select", ["band", "score"])
@pytest.mark.parametrize("limit", [1, 2, 3, 5, 40, 400])
def test_a_large_band_at_the_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, select: str, limit: int, segments: int
) -> None:
    """The first of a band of hundreds, its figures and reasons, though few of its ids are read."""
    records = banded(segments)
    ix = scored_by(records, tmp_path, segments)
    asked = q.Or([q.Term("text", f"s{score}", boost=score) for score in {s for _, s in records}])
    policy = steadyrank.Policy(gap=0.5, select=select)
    sizes = reads(monkeypatch)
    with steadyrank.stabilize(ix, policy=policy).searcher(weighting=Frequency()) as searcher:
        results = searcher.search(asked, limit=limit)
        found = [(hit["id"], hit.score) for hit in results]
    candidates = [steadyrank.Candidate(score=score, id=id) for id, score in records]
    expected = steadyrank.rank(candidates, 0.5, select=select, limit=limit)
    assert found == [(candidate.id, candidate.score) for candidate in expected]
    assert limit == 400 or max(sizes) <= limit + 31, "all ids of the tie or band were read"
    if select == "score":
        return
    whole = placements(steadyrank.rank(candidates, 0.5), 0.5)
    assert results.placements == whole[:limit]
    shown = {candidate.id for candidate in expected}
    assert [
        (band.size, band.leader.id[0][1], band.span, band.headroom, band.clearance)
        for band in results.selection.bands()
    ] == [
        (len(band.members), band.leader.id, band.span, band.headroom, band.clearance)
        for band in steadyrank.bands(candidates, 0.5)
        if not shown.isdisjoint(member.id for member in band.members)
    ]


def test_ids_that_occur_twice_are_told_apart_by_content(tmp_path: Path) -> None:
    """A walk that meets such an id gives up, and what was promised for it holds."""
    ids: list[str | None] = [*shuffled(), "r000", "r001"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", steadyrank.SteadyRankWarning)
        forwards = write(inside(tmp_path, "a"), ids, fields.ID(stored=True))
        backwards = write(inside(tmp_path, "b"), ids[::-1], fields.ID(stored=True))
        assert top(forwards, 4) == top(backwards, 4) == ["r000", "r000", "r001", "r001"]
        assert top(forwards, 3) == ["r000", "r000", "r001"]
        assert top(forwards, 5) == ["r000", "r000", "r001", "r001", "r002"]


def test_a_cut_between_two_with_one_id_is_seen(tmp_path: Path) -> None:
    """The last that is in and the first that is out share an id: their content decides."""
    ids = [*shuffled(), "r003"]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert top(write(tmp_path, ids, fields.ID(stored=True)), 4) == sorted(ids)[:4]
    assert [warning.category for warning in caught] == [steadyrank.SteadyRankWarning]


def test_records_without_an_id_come_last(tmp_path: Path) -> None:
    ids = shuffled()
    gaps = [None if number % 2 else id for number, id in enumerate(ids)]
    expected = sorted(id for id in gaps if id is not None)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", steadyrank.SteadyRankWarning)
        ix = write(tmp_path, gaps, fields.ID(stored=True))
        assert top(ix, 20) == expected[:20]
        assert top(ix, len(expected) + 2) == [*expected, None, None]


def test_what_is_stored_is_the_id(tmp_path: Path) -> None:
    """Where something else is indexed than stored, as under a lowercase analyzer."""
    ids = [id.upper() if number % 3 else id for number, id in enumerate(shuffled())]
    from whoosh.analysis import IDTokenizer, LowercaseFilter

    lowered = fields.ID(stored=True, analyzer=IDTokenizer() | LowercaseFilter())
    assert top(write(inside(tmp_path, "a"), ids, lowered), 30) == sorted(ids)[:30]
    ix = index.create_in(str(inside(tmp_path, "b")), fields.Schema(id=fields.ID(stored=True)))
    writer = ix.writer()
    for id in ids:
        writer.add_document(id=f"x{id[::-1]}", _stored_id=id)
    writer.commit()
    assert top(ix, 30) == sorted(ids)[:30]


def inside(parent: Path, name: str) -> Path:
    folder = parent / name
    folder.mkdir()
    return folder
