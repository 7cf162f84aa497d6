"""The sample store and its golden questions: what they hold, and orders worked out by rule."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
import yaml

import steadyrank
from steadyrank.retrieval import search_words
from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.formats import ReadOptions
from support_store import SAMPLE, StoreOracle

pytestmark = pytest.mark.whoosh

STEADYRANK = [sys.executable, "-c", "from steadyrank_builder.cli import main; main()"]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("sample") / "store.idx"
    build([SAMPLE / "store"], folder, BuildSettings(reading=ReadOptions(language="en")))
    return folder


@pytest.fixture(scope="module")
def documents(store: Path) -> list[dict[str, Any]]:
    with steadyrank.open_index(store).searcher() as searcher:
        return list(searcher.reader().all_stored_fields())


@pytest.fixture(scope="module")
def oracle(documents: list[dict[str, Any]]) -> StoreOracle:
    return StoreOracle(documents)


@pytest.fixture(scope="module")
def cases() -> list[dict[str, Any]]:
    golden = yaml.safe_load((SAMPLE / "golden.yaml").read_text("utf-8"))
    return list(golden["cases"])


def judged(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [case for case in cases if "mode" not in case]


def points(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [c for c in cases if c.get("settings") == {"weighting": "keyword-points"}]


def banded(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [c for c in cases if c.get("settings") == {"gap": 0.5}]


def test_the_store_is_a_believable_size(documents: list[dict[str, Any]]) -> None:
    """At least 60 products, 40 FAQ entries and 12 pages."""
    kinds = Counter(document["kind"] for document in documents)
    pages = {d["document"] for d in documents if d["kind"] == "page"}
    assert kinds["product"] >= 60
    assert kinds["faq"] >= 40
    assert len(pages) >= 12


def test_every_id_that_a_question_names_exists(
    documents: list[dict[str, Any]], cases: list[dict[str, Any]]
) -> None:
    """Right and expected ids are ids of the store."""
    known = {document["id"] for document in documents}
    named = {id for case in cases for id in case.get("right") or case.get("expected") or []}
    assert len(named) > 100
    assert named <= known


def test_questions_are_asked_of_each_kind_and_of_nothing(cases: list[dict[str, Any]]) -> None:
    """Sixty questions with an answer, a fair part of each kind, and some without one."""
    answered = [case for case in judged(cases) if case["right"]]
    kinds = Counter(case["right"][0].partition(":")[0] for case in answered)
    assert len(answered) >= 60
    assert min(kinds["product"], kinds["faq"], kinds["page"]) >= 20
    assert sum(not case["right"] for case in judged(cases)) >= 5


def test_twenty_two_word_questions_tie_at_the_cut(
    oracle: StoreOracle, cases: list[dict[str, Any]]
) -> None:
    """Of keyword points the fourth and the fifth are equal, and the rule gives the stated four."""
    assert len(points(cases)) == 20
    for case in points(cases):
        assert len(case["question"].split()) == 2
        ranking = oracle.keyword_points(case["question"])
        assert ranking[3][1] == ranking[4][1], case["question"]
        assert [id for id, _ in ranking[:4]] == case["expected"], case["question"]


def test_near_ties_are_ordered_by_the_band_rule(
    store: Path, oracle: StoreOracle, cases: list[dict[str, Any]]
) -> None:
    """With a gap of 0.5 brute force and search give the stated four, and not the scores' four."""
    assert len(banded(cases)) >= 5
    index = steadyrank.open_index(store, gap=0.5)
    for case in banded(cases):
        by_score = oracle.bm25f(case["question"])
        assert [id for id, _ in by_score[:4]] != case["expected"]
        by_rule = oracle.banded(by_score, 0.5)
        assert [id for id, _ in by_rule[:4]] == case["expected"], case["question"]
        hits = search_words(index, case["question"], k=4).hits
        assert [(hit.id, hit.score) for hit in hits] == by_rule[:4]


def test_the_outsider_guards_the_gap(oracle: StoreOracle, cases: list[dict[str, Any]]) -> None:
    """An early-sorting document just outside a band: other gaps give other answers."""
    case = next(c for c in banded(cases) if c["question"] == "hiking socks")
    ranking = oracle.bm25f(case["question"])
    leader, *_ = ranking
    outsider = dict(ranking)["product:merino-sock-heavy-crew"]
    assert 0.5 < leader[1] - outsider < 0.6
    assert min(case["expected"][:3]) > "product:merino-sock-heavy-crew"
    for gap in (5.0, 0.05, 0.6):
        assert [id for id, _ in oracle.banded(ranking, gap)[:4]] != case["expected"], gap


def test_search_is_brute_force_on_every_question(
    store: Path, oracle: StoreOracle, cases: list[dict[str, Any]]
) -> None:
    """All matches of all questions: the ids and score bits of a plain evaluation."""
    index = steadyrank.open_index(store)
    for case in judged(cases):
        hits = search_words(index, case["question"], k=1000).hits
        assert [(hit.id, hit.score) for hit in hits] == oracle.bm25f(case["question"])


def test_naming_the_files_in_another_order_changes_nothing(tmp_path: Path) -> None:
    """Equal digests, and search output equal byte for byte but for the generation."""
    files = sorted(str(path) for path in (SAMPLE / "store").rglob("*") if path.is_file())
    reports = []
    outputs = []
    for name, order in (("a", files), ("b", [*files[5:], *reversed(files[:5])])):
        out = tmp_path / name
        built = subprocess.run(
            [*STEADYRANK, "build", *order, "--out", str(out), "--json"],
            check=True,
            capture_output=True,
        )
        reports.append(json.loads(built.stdout))
        found = [
            subprocess.run(
                [*STEADYRANK, "search", str(out), words, "-k", "7", "--gap", gap, "--json"],
                check=True,
                capture_output=True,
            ).stdout
            for words in ("trail mug", "return something")
            for gap in ("0", "0.5")
        ]
        outputs.append([_without_generation(output) for output in found])
    assert reports[0]["digest"] == reports[1]["digest"]
    assert reports[0]["published"] and reports[1]["published"]
    assert outputs[0] == outputs[1]


def _without_generation(output: bytes) -> bytes:
    generation = json.loads(output)["generation"]
    return output.replace(f'"generation": {generation}'.encode(), b"")


def test_the_demo_makes_its_point() -> None:
    """Stock Whoosh's answers differ between two insertion orders, ours in no bit."""
    done = subprocess.run([*STEADYRANK, "demo", "--json"], check=True, capture_output=True)
    comparison = json.loads(done.stdout)["comparison"]
    assert comparison["stock_changed"] > 0
    assert comparison["steady_changed"] == 0
    assert comparison["steady_score_bits_changed"] == 0
    assert comparison["questions"] > 90
