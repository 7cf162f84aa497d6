"""Fetch and take: arrays against the order core, limits against their definition."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadyrank import PolicyError, Settings
from steadyrank.answering.contender import Contender
from steadyrank.answering.fetching import fetched
from steadyrank.answering.stages import ranked, taken
from steadyrank.answering.weighing import Weighed
from steadyrank.order import Limits, arrange, fetch, take
from steadyrank.scoring import Hits

KINDS = ("faq", "page", "product")


class Ids:
    """Identity of documents whose ids are not in the order of their numbers."""

    def __init__(self, count: int, seed: int) -> None:
        order = np.random.default_rng(seed).permutation(count)
        self.of = [f"id{place:04}" for place in order]

    def keys(self, docs: Any) -> list[Any]:
        return [(self.of[doc],) for doc in docs.tolist()]

    def documents(self, docs: Any, keys: list[Any]) -> list[Any]:
        return [(key[0][:5],) for key in keys]


@st.composite
def pools(draw: st.DrawFn) -> tuple[Weighed, Any, Ids]:
    """Hits of three kinds with few distinct scores, so that cuts fall into ties."""
    count = draw(st.integers(0, 900))
    distinct = draw(st.sampled_from([1, 3, 40, 10_000]))
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    scores = rng.integers(1, distinct + 1, count) / 4
    routes = rng.integers(0, 3, count) if draw(st.booleans()) else None
    share = draw(st.sampled_from([[0.34, 0.33, 0.33], [0.01, 0.09, 0.9], [0.0, 0.0, 1.0]]))
    kinds = rng.choice(3, count, p=share)
    hits = Hits(np.arange(count, dtype=np.int64), scores.astype(np.float64))
    weighed = Weighed(hits, earned=lambda docs: [], terms=(), unseen=(), routes=routes)
    return weighed, (kinds.astype(np.int64), list(KINDS)), Ids(count, draw(st.integers(0, 99)))


def whole(weighed: Weighed, kinds: Any, ids: Ids) -> list[Contender]:
    docs = weighed.hits.docs
    keys = ids.keys(docs)
    routes = [0] * docs.size if weighed.routes is None else weighed.routes.tolist()
    return [
        Contender(*fields)
        for fields in zip(
            weighed.hits.scores.tolist(),
            keys,
            ids.documents(docs, keys),
            routes,
            docs.tolist(),
            [kinds[1][code] for code in kinds[0].tolist()],
            strict=True,
        )
    ]


quotas = st.dictionaries(st.sampled_from(KINDS), st.sampled_from([0, 1, 4, 10, 25, 2000]))


@settings(max_examples=150)
@given(pools(), quotas, st.sampled_from([1, 20]), st.sampled_from([0.0, 0.5]))
def test_cutting_arrays_is_the_slow_fetch(
    pool: tuple[Weighed, Any, Ids], quotas: dict[str, int], other: int, gap: float
) -> None:
    """Same candidates, same cuts, and the same ranking of them, whatever ties and routes."""
    weighed, kinds, ids = pool
    chosen = Settings.of({"gap": gap, "fetch": {"quotas": quotas, "other": other}})
    got, cuts = fetched(weighed, kinds, ids, chosen)  # type: ignore[arg-type]
    slow, slow_cuts = fetch(whole(weighed, kinds, ids), quotas, other)
    assert list(cuts) == slow_cuts
    assert {c.doc for c in got} == {c.doc for c in slow}
    order = ranked(got, ids, chosen)  # type: ignore[arg-type]
    assert [c.doc for c in order] == [c.doc for c in arrange(slow, gap)]


@settings(max_examples=20)
@given(pools())
def test_unlimited_fetches_everything(pool: tuple[Weighed, Any, Ids]) -> None:
    """No quota: all that match."""
    weighed, kinds, ids = pool
    got, cuts = fetched(weighed, kinds, ids, Settings.of({"fetch": {"unlimited": True}}))  # type: ignore[arg-type]
    assert len(got) == weighed.hits.docs.size
    assert not any(cut.in_tie for cut in cuts)


def contenders(kinds: str, documents: str | None = None) -> list[Contender]:
    """One for each letter: its kind, in falling order of score; documents likewise."""
    return [
        Contender(100.0 - place, (f"{place:02}",), (document,), 0, place, kind)
        for place, (kind, document) in enumerate(zip(kinds, documents or kinds, strict=True))
    ]


def docs(chosen: list[Contender]) -> list[int]:
    return [contender.doc for contender in chosen]


def test_upper_limits_pass_over_and_keep_the_order() -> None:
    """The best two of kind a, then whoever is allowed."""
    ranking = contenders("aaaabab")
    assert docs(take(ranking, 4, Limits(at_most={"a": 2}, backfill=False))) == [0, 1, 4, 6]
    assert docs(take(ranking, 5, Limits(at_most={"a": 2}, backfill=False))) == [0, 1, 4, 6]
    assert docs(take(ranking, 5, Limits(at_most={"a": 2}))) == [0, 1, 2, 4, 6]


def test_lower_limits_come_first() -> None:
    """One of kind b is in, though three of kind a are better."""
    ranking = contenders("aaaab")
    assert docs(take(ranking, 3, Limits(at_least={"b": 1}))) == [0, 1, 4]
    assert docs(take(ranking, 3, Limits(at_least={"c": 1}))) == [0, 1, 2]


def test_a_document_gives_at_most_so_many_sections() -> None:
    """Of each document the best ones."""
    ranking = contenders("pppppp", "xxyxzy")
    assert docs(take(ranking, 3, Limits(per_document=1))) == [0, 2, 4]


def test_limits_that_cannot_hold_are_refused() -> None:
    """Contradictions, and more than are taken."""
    with pytest.raises(PolicyError, match="cannot both hold"):
        Limits(at_most={"a": 1}, at_least={"a": 2})
    with pytest.raises(PolicyError, match="ask for 3"):
        take(contenders("ab"), 2, Limits(at_least={"a": 3}))


@given(st.text("abc", max_size=12), st.integers(0, 6), st.integers(0, 3), st.booleans())
def test_taking_keeps_the_order_and_the_limits(
    kinds: str, count: int, most: int, backfill: bool
) -> None:
    """A subsequence, never more than count, never more of a kind than allowed but by backfill."""
    chosen = take(contenders(kinds), count, Limits(at_most={"a": most}, backfill=backfill))
    assert docs(chosen) == sorted(docs(chosen))
    assert len(chosen) <= count
    if not backfill:
        assert sum(c.kind == "a" for c in chosen) <= most
    else:
        assert len(chosen) == min(count, len(kinds))


def test_select_score_arranges_only_those_inside() -> None:
    """Who is in is decided by score and id, the order by bands."""
    ranking = [
        Contender(10.0, ("c",), ("c",), 0, 0, "p"),
        Contender(9.8, ("b",), ("b",), 0, 1, "p"),
        Contender(9.6, ("a",), ("a",), 0, 2, "p"),
    ]
    chosen = Settings.of({"gap": 0.5, "select": "score", "take": {"count": 2}})
    result = taken(arrange(ranking, 0.5), chosen)
    assert docs(result.chosen) == [1, 0]
    assert docs(result.after) == [2]
    banded = Settings.of({"gap": 0.5, "take": {"count": 2}})
    assert docs(taken(arrange(ranking, 0.5), banded).chosen) == [2, 1]
