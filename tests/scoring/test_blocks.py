"""Posting blocks read without their values say what Whoosh's own matchers say."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from whoosh import fields, index
from whoosh.analysis import SimpleAnalyzer
from whoosh.codec.whoosh3 import W3Codec

from steadyrank.postings import blocks
from steadyrank.postings.segment import _plain_matcher, segment_of

pytestmark = pytest.mark.whoosh

SIZES = (1, 2, 3, 4, 127, 128, 129, 300, 700)
FIELDS = ("positions", "frequencies", "flags")


@pytest.fixture(scope="module", params=[3, 0], ids=["compressed", "plain"])
def leaf(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Words in so many documents as they say, up to 70,000 apart, once or more often in each."""
    chance = random.Random(4)
    schema = fields.Schema(
        positions=fields.TEXT(SimpleAnalyzer()),
        frequencies=fields.TEXT(SimpleAnalyzer(), phrase=False, field_boost=1.5),
        flags=fields.KEYWORD(),
    )
    places = {size: set(chance.sample(range(700), size)) for size in SIZES}
    ix = index.create_in(str(tmp_path_factory.mktemp("blocks")), schema)
    writer = ix.writer(codec=W3Codec(compression=request.param))
    for doc in range(700):
        words = [f"w{size}" for size in SIZES if doc in places[size]]
        often = [word for word in words for _ in range(chance.randint(1, 3))]
        if doc in (1, 400):  # many documents without anything, so that steps need three bytes
            for _ in range(70_000):
                writer.add_document()
        writer.add_document(
            positions=" ".join(often), frequencies=" ".join(often), flags=" ".join(words)
        )
    writer.commit()
    with ix.reader() as reader:
        yield reader


@pytest.mark.parametrize("field", FIELDS)
@pytest.mark.parametrize("size", SIZES)
def test_documents_and_weights_are_whooshs(leaf: Any, field: str, size: int) -> None:
    word = f"w{size}".encode()
    matcher, expected = _plain_matcher(leaf, field, word), []
    while matcher.is_active():
        expected.append((matcher.id(), matcher.weight()))
        matcher.next()
    assert len(expected) == size
    found = segment_of(leaf).postings(field, word)
    assert list(zip(found.docs.tolist(), found.weights.tolist(), strict=True)) == expected


def test_values_are_not_unpickled(leaf: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short way is taken for blocks of positions, and not for other kinds of block."""
    ends: list[bytes] = []

    def loads(data: bytes) -> Any:
        ends.append(data[-2:])
        return original(data)

    original = blocks.loads
    monkeypatch.setattr(blocks, "loads", loads)
    for field, cut in (("positions", True), ("frequencies", False)):
        ends.clear()
        blocks.read_blocks(_plain_matcher(leaf, field, b"w700"))
        assert len(ends) == 6
        assert all((end == blocks._END) == cut for end in ends)


@pytest.mark.parametrize("size", SIZES[1:])  # a single posting lies in the dictionary of terms
def test_of_the_wanted_documents_none_is_missed(leaf: Any, size: int) -> None:
    """Blocks without a wanted document are stepped over; the wanted come with their weights."""
    word = f"w{size}".encode()
    docs, weights = blocks.read_blocks(_plain_matcher(leaf, "positions", word))
    whole = dict(zip(docs.tolist(), weights.tolist(), strict=True))
    edges = {0, docs[0] - 1, docs[-1] + 1, *docs[:2], *docs[-2:], *docs[127:130]}
    for wanted in [[int(doc)] for doc in sorted(edges)] + [sorted(map(int, edges)), []]:
        some, theirs = blocks.read_blocks(_plain_matcher(leaf, "positions", word), wanted)
        found = dict(zip(some.tolist(), theirs.tolist(), strict=True))
        assert whole.keys() & set(wanted) <= found.keys()
        assert found.items() <= whole.items()
        if len(wanted) <= 1:
            assert len(found) <= 128
        assert np.all(np.diff(some) > 0)


def test_positions_of_the_wanted_documents(leaf: Any) -> None:
    segment = segment_of(leaf)
    docs = segment.postings("positions", b"w300").docs
    weights = segment.postings("positions", b"w300").weights
    without = [50, 200_000]  # the first stands in a run of documents without anything
    wanted = np.union1d(docs[[3, 4, 200, 299]], without)
    found = dict(segment.positions("positions", b"w300", wanted))
    assert list(found) == docs[[3, 4, 200, 299]].tolist()
    assert [len(places) for places in found.values()] == weights[[3, 4, 200, 299]].tolist()
