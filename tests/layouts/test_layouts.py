"""Same documents, same bytes: every layout gives the ids and score bits of the first one."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import numpy as np
import pytest
from whoosh import query as q

from steadyrank import KeywordPoints, Statistics
from support_asked import KINDS, PLAIN, asked
from support_layouts import corpus
from support_machine import LAYOUTS, TITLE_BOOST, Ranking, rankings, searching, stock_rankings
from support_models import Facts, bm25f
from support_oracle import Oracle, bands

pytestmark = pytest.mark.whoosh

RECORDS = corpus(5, 90)
QUERIES = asked(len(KINDS) * 6)
SOME = QUERIES[: len(KINDS) * 2]
PLAIN_ONES = asked(60, 2, PLAIN)
FIRST, *OTHERS = LAYOUTS


@cache
def first() -> tuple[Any, Statistics]:
    """The first layout's index, and statistics pinned in another corpus."""
    folder = Path(mkdtemp())
    (folder / "other").mkdir()
    pinned = Statistics.pin(LAYOUTS["five segments"](folder / "other", corpus(6, 40)))
    return LAYOUTS[FIRST](folder, RECORDS), pinned


@cache
def expected(kind: str, gap: float, count: int) -> list[Ranking]:
    ix, pinned = first()
    statistics = pinned if kind == "pinned" else kind
    return rankings(ix, QUERIES[:count], gap=gap, statistics=statistics)


def differing(found: list[Ranking], wanted: list[Ranking]) -> list[str]:
    """The questions whose rankings differ, to read in a failure."""
    pairs = zip(QUERIES, found, wanted, strict=False)
    return [repr(query) for query, one, other in pairs if one != other]


@pytest.mark.parametrize("layout", OTHERS)
def test_ids_and_score_bits_are_those_of_the_first_layout(layout: str, tmp_path: Path) -> None:
    """Hundreds of rankings of all query classes, live and pinned, with a gap and without."""
    _, pinned = first()
    ix = LAYOUTS[layout](tmp_path, RECORDS)
    if hasattr(ix, "writer"):  # stock cannot score over disk and a buffer
        stock = zip(
            stock_rankings(first()[0], PLAIN_ONES), stock_rankings(ix, PLAIN_ONES), strict=True
        )
        differs = sum(one != other for one, other in stock)
        assert differs >= 20, "a layout in which stock agrees with itself proves nothing"
    all_of_them = len(QUERIES)
    assert differing(rankings(ix, QUERIES), expected("live", 0.0, all_of_them)) == []
    for kind, gap in (("live", 0.5), ("pinned", 0.0), ("pinned", 0.5)):
        found = rankings(ix, SOME, gap=gap, statistics=pinned if kind == "pinned" else kind)
        assert differing(found, expected(kind, gap, len(SOME))) == []
    if hasattr(ix, "close") and not hasattr(ix, "writer"):
        ix.close()


def test_the_questions_are_of_every_class_and_mostly_match() -> None:
    """Over four fifths find something, and their rankings hold ties and near-ties."""
    found = expected("live", 0.0, len(QUERIES))
    assert sum(map(bool, found)) > 0.75 * len(QUERIES)
    ties = sum(len({score for _, score in ranking}) < len(ranking) for ranking in found)
    assert ties > 0.5 * len(QUERIES)
    banded = expected("live", 0.5, len(SOME))
    assert sum(one != other for one, other in zip(found, banded, strict=False)) > 20
    pinned = expected("pinned", 0.0, len(SOME))
    assert sum(one != other for one, other in zip(found, pinned, strict=False)) > 40


def _narrowed(facts: Facts) -> float:
    # Whoosh stores a posting's weight in single precision; Facts has a title boost of 2.
    if facts.field != "title":
        return bm25f()(facts)
    weight = float(np.float32(facts.weight / 2.0 * TITLE_BOOST))
    return bm25f()(replace(facts, weight=weight))


def test_the_first_layout_is_the_plain_oracle() -> None:
    """The layout that all others are compared with is the plain evaluation of the definition."""
    oracle = Oracle(RECORDS, model=_narrowed)
    dates = ("daterange", "columnquery", "weightingquery")
    sample = [query for query in SOME if not any(name in _names(query) for name in dates)]
    assert len(sample) > 0.8 * len(SOME)
    ix, _ = first()
    plain = [oracle.ranking(query) for query in sample]
    assert rankings(ix, sample) == [[(id, s.hex()) for id, s in one] for one in plain]
    arranged = [[(id, s.hex()) for id, s in bands(one, 0.5)] for one in plain]
    assert rankings(ix, sample, gap=0.5) == arranged


def _names(query: q.Query) -> set[str]:
    below = list(query.children())
    return {type(query).__name__.lower()}.union(*map(_names, below))


def test_statistics_pinned_in_any_layout_are_the_same(tmp_path: Path) -> None:
    """Counting again after deletions, merges and updates gives the same digest."""
    wanted = Statistics.pin(first()[0]).digest
    for name in ("seven segments with deletions", "updates optimized", "two processes"):
        (tmp_path / name).mkdir()
        assert Statistics.pin(LAYOUTS[name](tmp_path / name, RECORDS)).digest == wanted


def test_keyword_points_are_the_same_in_any_layout(tmp_path: Path) -> None:
    """A model of small integers, all ties: the ids alone decide, in every layout."""
    wanted = _points(first()[0])
    assert any(len({score for _, score in one}) < len(one) / 5 for one in wanted if len(one) > 20)
    for name in ("resaved unchanged", "five segments"):
        (tmp_path / name).mkdir()
        assert _points(LAYOUTS[name](tmp_path / name, RECORDS)) == wanted


def _points(ix: Any) -> list[list[tuple[str, float]]]:
    found = []
    with searching(ix) as searcher:
        searcher.weighting = KeywordPoints()
        for query in PLAIN_ONES:
            found.append([(hit["id"], hit.score) for hit in searcher.search(query, limit=None)])
    return found
