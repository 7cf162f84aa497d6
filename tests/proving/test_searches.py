"""Mutated runs are what a plain evaluation of the wrong rule gives, for searches and answers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest
from whoosh.fields import ID, TEXT, Schema
from whoosh.index import create_in

from steadyrank.measure import Case, Entry, Golden, Run
from steadyrank_builder.evaluation.asking import Base, GoldenAsker
from steadyrank_builder.proving.mutants import BANDS, TIES
from steadyrank_builder.proving.trial import mutated
from steadyrank_builder.runs import Way
from support_answers import piece, write

pytestmark = pytest.mark.whoosh

TEXTS = [
    "rope rope rope", "rope rope knot", "rope knot knot", "rope knot", "knot rope rope sail",
    "rope sail", "rope sail knot mast", "rope", "knot", "mast rope rope rope keel",
]  # fmt: skip
# So that ids go neither with scores nor against them.
IDS = ["f", "c", "i", "a", "h", "b", "j", "e", "d", "g"]
# Each text twice: every score is a tie.
RECORDS = [(f"{id}{n}", text) for n in (1, 2) for id, text in zip(IDS, TEXTS, strict=True)]
QUESTIONS = ("rope", "rope knot", "sail mast rope", "knot keel")
K = 3

# Whether a new band begins, by the scores of leader, neighbour and candidate, and the gap.
Apart = Callable[[float, float, float, float], bool]

RULES: dict[str, Apart] = {
    "": lambda leader, _, score, gap: leader - score > gap,
    "gap-times-10": lambda leader, _, score, gap: leader - score > gap * 10,
    "gap-by-10": lambda leader, _, score, gap: leader - score > gap / 10,
    "gap-exclusive": lambda leader, _, score, gap: leader - score >= gap and score < leader,
    "bands-chained": lambda _, above, score, gap: above - score > gap,
}


def in_bands(entries: Sequence[Entry], apart: Apart, gap: float) -> list[str]:
    """The ids in bands by a rule, each band by id."""
    ordered = sorted(entries, key=lambda entry: (-entry.score, entry.id))
    bands: list[list[Entry]] = []
    for entry in ordered:
        if bands and not apart(bands[-1][0].score, bands[-1][-1].score, entry.score, gap):
            bands[-1].append(entry)
        else:
            bands.append([entry])
    return [one.id for band in bands for one in sorted(band, key=lambda entry: entry.id)]


@pytest.fixture(scope="module", params=["searches", "answers"])
def ask(request: Any, tmp_path_factory: pytest.TempPathFactory) -> Callable[[Golden], Run]:
    """Asks a foreign index by search, or a store for answers."""
    folder = tmp_path_factory.mktemp("bands") / "index"
    if request.param == "answers":
        write(folder, [piece(id, text) for id, text in RECORDS])
    else:
        folder.mkdir()
        schema = Schema(id=ID(stored=True, unique=True), text=TEXT(stored=True))
        writer = create_in(str(folder), schema).writer()
        for id, text in RECORDS:
            writer.add_document(id=id, text=text)
        writer.commit()

    def asked(golden: Golden) -> Run:
        with GoldenAsker(folder, Base(golden, folder), Way()) as asker:
            return asker.run()

    return asked


def golden(gap: float, k: int = K) -> Golden:
    cases = tuple(
        Case(number, question, k=k, mode="contains", expected=("a1",), settings={"gap": gap})
        for number, question in enumerate(QUESTIONS, start=1)
    )
    return Golden(cases)


def gaps(ask: Callable[[Golden], Run]) -> set[float]:
    """Distances of results, exactly, and some that are none."""
    found = {0.05, 0.3, 1.0}
    for ranking in ask(golden(0.0, k=20)).rankings[:2]:
        scores = sorted({entry.score for entry in ranking.entries}, reverse=True)
        found |= {one - other for one, other in pairwise(scores)}
    return found


@pytest.mark.parametrize("name", RULES)
def test_bands_are_those_of_the_wrong_rule(name: str, ask: Callable[[Golden], Run]) -> None:
    """The first three, whatever the gap: no shortcut of a search hides what the rule brings."""
    mutation = next((one for one in BANDS if one.name == name), None)
    everything = ask(golden(0.0, k=20)).rankings
    changed = 0
    for gap in sorted(gaps(ask)):
        run = ask(golden(gap)) if mutation is None else mutated(mutation, golden(gap), ask)[0]
        for ranking, whole in zip(run.rankings, everything, strict=True):
            expected = in_bands(whole.entries, RULES[name], gap)[:K]
            assert list(ranking.ids[:K]) == expected, (gap, whole.question)
            changed += expected != in_bands(whole.entries, RULES[""], gap)[:K]
    assert changed > 0 or not name, "no gap tells this rule from the right one"


def test_a_reversed_tie_break_turns_every_tie(ask: Callable[[Golden], Run]) -> None:
    """Without a gap by score, and of equal scores the last id first."""
    whole = ask(golden(0.0, k=20)).rankings
    run, occasions = mutated(TIES[0], golden(0.0), ask)
    assert occasions
    for ranking, right in zip(run.rankings, whole, strict=True):
        by_id = sorted(right.entries, key=lambda entry: entry.id, reverse=True)
        wrong = sorted(by_id, key=lambda entry: -entry.score)
        assert list(ranking.ids[:K]) == [entry.id for entry in wrong[:K]]


def test_nothing_but_the_mutation_differs(ask: Callable[[Golden], Run]) -> None:
    """Scores, content and confidence are those of the right run: only the order is wrong."""
    right = {
        (ranking.number, entry.id): replace(entry, band=None)
        for ranking in ask(golden(0.3, k=20)).rankings
        for entry in ranking.entries
    }
    for ranking in mutated(BANDS[0], golden(0.3, k=20), ask)[0].rankings:
        for entry in ranking.entries:
            assert replace(entry, band=None) == right[ranking.number, entry.id]
