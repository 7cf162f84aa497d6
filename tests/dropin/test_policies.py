"""Gap, documents and routes of a search against steadyrank.rank on the same candidates."""

from __future__ import annotations

from typing import Any

import pytest
from whoosh import query as q

import steadyrank
from steadyrank import Candidate, rank
from support_dropin import SALE, WORDS_QUERY, Host, found

pytestmark = pytest.mark.whoosh

ROUTE_OF_TAG = {"sale": 0, "new": 1, "outlet": 2}


def by_tag(stored: dict[str, Any]) -> int:
    return ROUTE_OF_TAG[stored["tag"]]


@pytest.mark.parametrize("gap", [0.0, 0.1, 0.5, 2.0])
@pytest.mark.parametrize("document_field", [None, "tag"])
@pytest.mark.parametrize("route", [None, "price", by_tag])
@pytest.mark.parametrize("select", ["band", "score"])
def test_a_search_is_rank_of_its_candidates(
    host: Host, gap: float, document_field: str | None, route: Any, select: Any
) -> None:
    """For every k; and with select="band" pages concatenate to the whole."""
    settings: dict[str, Any] = {
        "gap": gap, "document_field": document_field, "route": route, "select": select
    }  # fmt: skip
    with host.steady().searcher() as plain, host.steady(**settings).searcher() as ours:
        candidates = []
        for id, score in found(plain.search(WORDS_QUERY, limit=None)):
            stored = host.records[id].stored()
            document = None if document_field is None else stored[document_field]
            number = 0 if route is None else stored["price"] if route == "price" else route(stored)
            candidates.append(Candidate(id, score, document, number))
        for k in (1, 2, 3, 5, 10, 30, len(candidates), None):
            expected = rank(candidates, gap=gap, select=select, limit=k)
            results = ours.search(WORDS_QUERY, limit=k)
            assert found(results) == [(candidate.id, candidate.score) for candidate in expected]
            assert len(results) == len(candidates)
            assert len(results.placements) == len(expected)
        if select == "band" or not gap:
            whole = found(ours.search(WORDS_QUERY, limit=None))
            pages = []
            for number in range(1, 20):
                pages += found(ours.search_page(WORDS_QUERY, number, pagelen=4))
            assert pages[: len(whole)] == whole


def test_a_gap_does_rearrange(host: Host) -> None:
    """The premise of the test above: a gap of 0.5 changes the order here."""
    with host.steady().searcher() as plain, host.steady(gap=0.5).searcher() as banded:
        assert found(plain.search(WORDS_QUERY)) != found(banded.search(WORDS_QUERY))
        assert banded.search(WORDS_QUERY).selection.bands()
        assert plain.search(WORDS_QUERY).selection.bands() == []


def test_pages_under_select_score_are_refused(host: Host) -> None:
    with host.steady(gap=0.5, select="score").searcher() as ours:
        with pytest.raises(steadyrank.PolicyError, match='pages need select="band"'):
            ours.search_page(WORDS_QUERY, 1)
        assert ours.search(WORDS_QUERY)
    with host.steady(select="score").searcher() as ours:  # without a gap there is no difference
        assert list(ours.search_page(WORDS_QUERY, 1))


def test_what_groups_and_terms_see_with_a_gap(host: Host) -> None:
    """Groups stand in the banded order."""
    with host.steady(gap=0.5).searcher() as ours:
        results = ours.search(WORDS_QUERY, groupedby="tag", filter=SALE, limit=None)
        assert [doc for _, doc in results.top_n] == results.groups()["sale"]
        assert found(results) == found(ours.search(WORDS_QUERY, filter=SALE, limit=None))


def test_a_route_that_is_no_integer(host: Host) -> None:
    with (
        host.steady(route=lambda stored: stored["tag"]).searcher() as ours,
        pytest.raises(steadyrank.PolicyError, match="a route is an integer"),
    ):
        ours.search(WORDS_QUERY)


def test_placements_say_what_decided(host: Host) -> None:
    """decided_by score where the next differs, id where it is equal."""
    with host.steady().searcher() as ours:
        results = ours.search(q.Term("text", "tent"), limit=None)
        scores = [score for _, score in found(results)]
        for place, placement in enumerate(results.placements):
            neighbour = scores[place - 1] if place else scores[1]
            assert placement.decided_by == ("id" if scores[place] == neighbour else "score")
            assert placement.tie_size == scores.count(scores[place])
            lower = [score for score in scores if score < scores[place]]
            assert placement.margin == (scores[place] - lower[0] if lower else None)
            assert placement.band is None
            assert placement.headroom is None
