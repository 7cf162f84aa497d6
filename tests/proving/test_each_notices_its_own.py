"""Wrong implementations, each noticed by the case that was made for it and by no other."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from steadyrank_builder.proving import MUTATIONS, Proof, prove
from support_proving import CASES, GAP, NUMBERS, Asks, written

pytestmark = pytest.mark.whoosh


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path, Path]:
    return written(tmp_path_factory.mktemp("proving"))


@pytest.fixture(scope="module")
def proof(made: tuple[Path, Path, Path]) -> Proof:
    index, later, golden = made
    ask = Asks(index, golden)
    return prove(ask.golden, ask, fresh=Asks(later, golden))


def test_scores_are_the_stated_points(made: tuple[Path, Path, Path]) -> None:
    """Else no distance below is what the cases say."""
    index, _, golden = made
    ask = Asks(index, golden)
    scores = {
        entry.id: entry.score for ranking in ask(ask.golden).rankings for entry in ranking.known
    }
    assert (scores["edge:c"] - scores["edge:b"], scores["edge:b"] - scores["edge:a"]) == (GAP, 3)
    assert (scores["wide:b"], scores["wide:a"]) == (20, 14)
    assert (scores["tie:a"], scores["tie:b"]) == (3, 3)


def test_every_mutation_has_a_case() -> None:
    """One for each, in the same order."""
    assert list(CASES) == [mutation.name for mutation in MUTATIONS]


def test_all_cases_pass_when_nothing_is_wrong(proof: Proof) -> None:
    """On the index and on the later one."""
    assert (proof.failing, proof.failing_fresh) == ((), ())


@pytest.mark.parametrize("name", CASES)
def test_a_mutation_is_noticed_by_its_own_case_alone(name: str, proof: Proof) -> None:
    """A good case notices its own mutation and no other."""
    tried = next(one for one in proof.mutations if one.mutation.name == name)
    assert (tried.status, tried.noticed_by) == ("noticed", (NUMBERS[name],))
    assert proof.noticed_of()[NUMBERS[name]] == (name,)


def test_what_holds(proof: Proof) -> None:
    """Everything was noticed, wrong expectations too."""
    assert proof.holds
    assert proof.unnoticed == ()
    assert {one.name: len(one.tried) for one in proof.expectations} == {
        "neighbours-swapped": 2,  # the exact cases
        "first-replaced": 8,
        "one-dropped": 2,
        "other-confidence": 1,
        "right-replaced": 0,
    }


@pytest.mark.parametrize("name", [name for name in CASES if name != "confidence-of-highest"])
def test_without_its_case_a_mutation_goes_unnoticed(
    name: str, made: tuple[Path, Path, Path]
) -> None:
    """It still applies: the other cases have gaps, ties, quotas and pinned statistics."""
    index, later, golden = made
    ask, fresh = Asks(index, golden), Asks(later, golden)
    others = ask.golden.cases
    # The case is still asked, but expects what is so in any case.
    lame = tuple(
        replace(one, mode="contains", expected=one.expected[:1], k=9, confidence=None)
        if one.number == NUMBERS[name] and one.mode != "excludes"
        else replace(one, expected=("tie:a",))
        if one.number == NUMBERS[name]
        else one
        for one in others
    )
    golden_set = replace(ask.golden, cases=lame)
    mutations = [mutation for mutation in MUTATIONS if mutation.name == name]
    proof = prove(golden_set, ask, fresh=fresh, mutations=mutations)
    assert proof.unnoticed == (name,)
    assert not proof.holds
    [tried] = proof.mutations
    assert tried.why == tried.mutation.wanted
    assert tried.suggestion is not None
    assert name in tried.suggestion.notices


def test_what_does_not_apply(made: tuple[Path, Path, Path]) -> None:
    """Without a gap no band is wrong, without a tie no tie-break; that is no fault."""
    index, _, golden = made
    ask = Asks(index, golden)
    only = replace(ask.golden.cases[2], settings={})  # wide, without its gap: no tie, no band
    proof = prove(replace(ask.golden, cases=(only,)), ask)
    assert {one.mutation.name: one.status for one in proof.mutations} == dict.fromkeys(
        CASES, "not-applicable"
    )
    assert proof.holds
