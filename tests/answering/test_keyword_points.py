"""Keyword points on the sample store: ties at the cut, and one answer whatever the layout."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from steadyrank import Store, open_store
from support_answers import ids_in, resave, shuffled, stored_in, write
from support_builder import environment
from support_store import SAMPLE, StoreOracle

pytestmark = pytest.mark.whoosh

POINTS = {"weighting": "keyword-points"}
Expected = dict[str, list[tuple[str, float]]]


@pytest.fixture(scope="module")
def documents(sample_store: Path) -> list[dict[str, Any]]:
    return stored_in(sample_store)


@pytest.fixture(scope="module")
def expected(documents: list[dict[str, Any]]) -> Expected:
    """The first four by brute force, and that the fourth and the fifth tie."""
    oracle = StoreOracle(documents)
    cases = yaml.safe_load((SAMPLE / "golden.yaml").read_text("utf-8"))["cases"]
    questions = [case["question"] for case in cases if case.get("settings") == POINTS]
    assert len(questions) == 20
    rankings = {question: oracle.keyword_points(question) for question in questions}
    for question, ranking in rankings.items():
        assert len(question.split()) == 2
        assert ranking[3][1] == ranking[4][1], question
    return {question: ranking[:4] for question, ranking in rankings.items()}


def got(store: Store, questions: Expected) -> Expected:
    return {
        question: [(piece.id, piece.score) for piece in store.answer(question).pieces]
        for question in questions
    }


def test_the_built_store_gives_the_brute_force_answer(
    sample_store: Path, expected: Expected
) -> None:
    """Points descending, then id, over a brute-force quota fetch; and says that it is a tie."""
    with open_store(sample_store, POINTS) as store:
        assert got(store, expected) == expected
        for question in expected:
            answer = store.answer(question)
            assert answer.cut.in_tie
            assert answer.cut.margin == 0.0
            assert answer.pieces[-1].tie_size > 1


@pytest.mark.slow
def test_fifty_layouts_give_one_answer(
    tmp_path: Path, documents: list[dict[str, Any]], expected: Expected
) -> None:
    """Shuffled, in segments, updated and merged, all by Whoosh's own writer."""
    rng = random.Random(4)
    orders = set()
    layouts = 0
    for seed in range(5):
        folder = write(tmp_path / str(seed), shuffled(documents, seed), segments=1 + seed)
        for step in range(10):
            if step:
                some = rng.sample(documents, rng.randint(1, 12))
                resave(folder, some, optimize=step == 9 and seed % 2 == 0)
            with open_store(folder, POINTS) as store:
                assert got(store, expected) == expected, (seed, step)
            layouts += 1
            orders.add(tuple(ids_in(folder)))
    assert layouts == 50
    assert len(orders) == 50
    assert all(list(order) != sorted(order) for order in orders)


def test_hash_seeds_give_one_answer(
    tmp_path: Path, documents: list[dict[str, Any]], expected: Expected
) -> None:
    """Processes of other hash seeds, on a shuffled index."""
    folder = write(tmp_path / "i", shuffled(documents, 11), segments=2)
    code = (
        "import json, sys, steadyrank\n"
        "store = steadyrank.open_store(sys.argv[1], {'weighting': 'keyword-points'})\n"
        "print(json.dumps({q: [[p.id, p.score] for p in store.answer(q).pieces]"
        " for q in json.loads(sys.argv[2])}))"
    )
    for seed in ("0", "1", "4242"):
        done = subprocess.run(
            [sys.executable, "-W", "ignore", "-c", code, str(folder), json.dumps(list(expected))],
            env={**environment(), "PYTHONHASHSEED": seed, "PATH": os.environ["PATH"]},
            capture_output=True,
            check=True,
        )
        answers = json.loads(done.stdout)
        assert {q: [tuple(pair) for pair in pairs] for q, pairs in answers.items()} == expected
