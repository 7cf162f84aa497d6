"""Seven ways to get the order wrong, each of which has to be noticed.

Each mutation replaces a part of the order core; the cases below, and the measured orders of a
documentation server, must then fail. A case set that would not fail protects nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import total_ordering
from typing import Any

import pytest

from steadyrank import bands, rank
from steadyrank.order import Ranked, band_ends, in_band
from support_order import (
    Case,
    Item,
    candidates,
    distance,
    expected_bands,
    guidance,
    ids_of,
    in_order,
)

# By name, since the package's attribute of the second name is the function.
_MODULES = [sys.modules[f"steadyrank.order.{name}"] for name in ("ranking", "bands", "placement")]


def case(name: str, order: str, sizes: list[int], *items: Item) -> Case:
    return Case(name, 0.5, list(items), order.split(), sizes)


CASES = [
    case("no chaining", "b c a", [2, 1], Item("c", 10.0, "c"), Item("b", 9.6, "b"),
         Item("a", 9.2, "a")),
    case("three apart", "b a", [1, 1], Item("b", 10.0, "b"), Item("a", 7.0, "a")),
    case("0.2 apart", "a b", [2], Item("b", 10.0, "b"), Item("a", 9.8, "a")),
    case("the edge", "a b", [2], Item("b", 10.0, "b"), Item("a", 9.5, "a")),
    case("beyond the edge", "b a", [1, 1], Item("b", 10.0, "b"), Item("a", 9.4999999, "a")),
    case("a tie", "a b", [2], Item("b", 1.0, "b"), Item("a", 1.0, "a")),
    case("two documents", "p#2 p#1 q#1", [3], Item("q#1", 10.0, "q"), Item("p#1", 9.8, "p"),
         Item("p#2", 9.9, "p")),
    case("two routes", "b a", [1, 1], Item("a", 10.0, "a", 1), Item("b", 1.0, "b", 0)),
    case("two routes that tie", "b a", [1, 1], Item("a", 1.0, "a", 1), Item("b", 1.0, "b", 0)),
]  # fmt: skip


def failing(cases: Iterable[Case]) -> list[str]:
    """The names of the cases whose order or bands come out otherwise."""
    return [
        case.name
        for case in cases
        if ids_of(rank(candidates(case.items), case.gap)) != case.order
        or [len(band.members) for band in bands(candidates(case.items), case.gap)] != case.sizes
    ]


def with_exact_edges(cases: list[Case]) -> list[Case]:
    """The same candidates with the gap at which the second score is exactly at the edge.

    The outcome is worked out by the plain definition.
    """
    found = []
    for case in cases:
        ordered = in_order(case.items)
        lower = [
            item
            for item in ordered
            if item.route == ordered[0].route and item.score < ordered[0].score
        ]
        if lower:
            gap = distance(ordered[0].score, lower[0].score)
            grouped = [members for _, *members in expected_bands(case.items, gap)]
            order = [item.id for members in grouped for item in members]
            found.append(Case(case.name, gap, case.items, order, [len(m) for m in grouped]))
    return found


Ends = Callable[[Sequence[Ranked], float], Iterator[int]]
Mutate = Callable[[str, Any], None]


def ends_where(parts: Callable[[Ranked, Ranked, Ranked, float], bool]) -> Ends:
    """Band ends by another rule: whether a candidate is apart from (leader, neighbour)."""

    def mutant(ordered: Sequence[Ranked], gap: float) -> Iterator[int]:
        if not ordered:
            return
        leader = ordered[0]
        for place in range(1, len(ordered)):
            if parts(leader, ordered[place - 1], ordered[place], gap):
                yield place
                leader = ordered[place]
        yield len(ordered)

    return mutant


@total_ordering
class Backwards:
    def __init__(self, text: str) -> None:
        self.text = text

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Backwards) and self.text == other.text

    def __lt__(self, other: Backwards) -> bool:
        return other.text < self.text

    __hash__ = None  # type: ignore[assignment]


def unchanged_rule(mutate: Mutate) -> None:
    """Not a mutation: the rule in the form that the mutations below are written in."""
    mutate(
        "band_ends", ends_where(lambda a, _, c, gap: a.route != c.route or a.score - c.score > gap)
    )


def chaining(mutate: Mutate) -> None:
    """Candidates join while they are near their neighbour, not their leader."""
    mutate(
        "band_ends", ends_where(lambda _, b, c, gap: b.route != c.route or b.score - c.score > gap)
    )


def gap_times_ten(mutate: Mutate) -> None:
    """The gap is 5 instead of 0.5."""
    mutate("band_ends", lambda ordered, gap: band_ends(ordered, gap * 10))


def gap_by_ten(mutate: Mutate) -> None:
    """The gap is 0.05 instead of 0.5."""
    mutate("band_ends", lambda ordered, gap: band_ends(ordered, gap / 10))


def exclusive_edge(mutate: Mutate) -> None:
    """A candidate exactly at the edge is outside (its leader itself stays inside)."""
    mutate(
        "band_ends", ends_where(lambda a, _, c, gap: a.route != c.route or a.score - c.score >= gap)
    )


def ids_reversed(mutate: Mutate) -> None:
    """Ids and documents compare the other way round."""
    mutate("total_order", lambda c: (c.route, -c.score, Backwards(c.id)))
    mutate("in_band", lambda c: (Backwards(c.document), -c.score, Backwards(c.id)))


def documents_by_best_score(mutate: Mutate) -> None:
    """In a band, the document with the best section comes first, not the smallest id."""

    def mutant(pool: Sequence[Any], *, key: Callable[[Any], Any]) -> list[Any]:
        if key is not in_band:
            return sorted(pool, key=key)
        best: dict[str, float] = {}
        for candidate in pool:
            score = best.get(candidate.document, candidate.score)
            best[candidate.document] = max(score, candidate.score)
        return sorted(pool, key=lambda c: (-best[c.document], in_band(c)))

    mutate("sorted", mutant)


def route_ignored(mutate: Mutate) -> None:
    """Route plays no part, neither in the order nor in the bands."""
    mutate("total_order", lambda c: (-c.score, c.id))
    mutate("band_ends", ends_where(lambda a, _, c, gap: a.score - c.score > gap))


MUTATIONS: dict[Callable[[Mutate], None], str] = {
    chaining: "no chaining",
    gap_times_ten: "three apart",
    gap_by_ten: "0.2 apart",
    exclusive_edge: "the edge",
    ids_reversed: "a tie",
    documents_by_best_score: "two documents",
    route_ignored: "two routes",
}
mutations = pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)


@pytest.fixture
def mutate(monkeypatch: pytest.MonkeyPatch) -> Mutate:
    """Replaces a name in every module of the order core that works with it."""

    def replace(name: str, mutant: Any) -> None:
        modules = [m for m in _MODULES if hasattr(m, name) or name == "sorted"]
        assert modules, f"the order core has no {name} any more: rewrite this mutation"
        for module in modules:
            monkeypatch.setattr(module, name, mutant, raising=name != "sorted")

    return replace


def test_unchanged() -> None:
    """Without a mutation every case passes."""
    assert failing(CASES) == []


def test_unchanged_rule(mutate: Mutate) -> None:
    """The form in which the mutations are written changes nothing by itself."""
    unchanged_rule(mutate)
    assert failing(CASES) == []


@mutations
def test_noticed_by_cases(mutation: Callable[[Mutate], None], mutate: Mutate) -> None:
    """The small cases notice each mutation, the one written for it among them."""
    mutation(mutate)
    assert MUTATIONS[mutation] in failing(CASES)


@mutations
def test_noticed_by_guidance(mutation: Callable[[Mutate], None], mutate: Mutate) -> None:
    """The measured orders notice each mutation.

    No two of their scores are exactly 0.5 apart, so for the edge their gap is moved to where
    two are.
    """
    cases = guidance()
    if mutation is exclusive_edge:
        cases = with_exact_edges(cases)
    assert failing(cases) == []
    mutation(mutate)
    assert failing(cases)


def test_guidance_has_no_exact_edge(mutate: Mutate) -> None:
    """The measured orders as they are cannot tell an inclusive edge from an exclusive one."""
    cases = guidance()
    exclusive_edge(mutate)
    assert failing(cases) == []
