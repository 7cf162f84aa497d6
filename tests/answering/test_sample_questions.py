"""The golden questions of the sample store."""

from __future__ import annotations

from pathlib import Path

import pytest

from steadyrank import open_index, open_store
from steadyrank.retrieval import search_words
from steadyrank_builder.evaluation import evaluate_file, read_golden
from support_store import SAMPLE

pytestmark = pytest.mark.whoosh


def test_the_golden_questions_pass(sample_store: Path) -> None:
    """A right piece in four for at least 90 % of the questions, first for at least 70 %."""
    golden = read_golden(SAMPLE / "golden.yaml")
    evaluation = evaluate_file(sample_store, SAMPLE / "golden.yaml")
    assert evaluation.outcome == "passed"
    with_a_mode = [case for case in golden.cases if case.mode is not None]
    assert (evaluation.passed, evaluation.failed) == (len(with_a_mode), 0)
    assert len(with_a_mode) > 20
    assert evaluation.metrics["questions"] == 93
    assert evaluation.metrics["success"] >= 0.9
    assert evaluation.metrics["success_at_1"] >= 0.7
    assert evaluation.metrics["refused"] == 1.0


def test_an_answer_without_quotas_is_a_search(sample_store: Path) -> None:
    """Ids and score bits of a search for the words that the answer searched."""
    index = open_index(sample_store)
    with open_store(sample_store, {"fetch": {"unlimited": True}}) as store:
        for question in ("two person tent with two doors", "return something", "gas 230"):
            whole = store.answer(question, take=200, stop_words=[])
            words = " ".join(whole.terms)
            found = search_words(index, words, k=200).hits
            assert [(p.id, p.score) for p in whole.pieces] == [(h.id, h.score) for h in found]
            assert [p.decided_by for p in whole.pieces] == [h.decided_by for h in found]
            assert [p.margin for p in whole.pieces] == [h.margin for h in found]
            assert [p.tie_size for p in whole.pieces] == [h.tie_size for h in found]


def test_what_earned_a_piece_adds_up_to_its_score(sample_store: Path) -> None:
    """Every point has a word and a field."""
    for weighting in ("bm25f", "keyword-points"):
        with open_store(sample_store, {"weighting": weighting}) as store:
            for piece in store.answer("water filter for the tent").pieces:
                total = 0.0
                for why in piece.why:
                    total += why.score
                assert total == piece.score


def test_quota_says_who_is_in_only_through_one(sample_store: Path) -> None:
    """Pieces that no search would bring, and no others, are in through a quota or limit."""
    with open_store(sample_store) as store:
        free = store.answer("tent", fetch={"unlimited": True})
        top = {piece.id for piece in free.pieces}
        tight = store.answer("tent", fetch={"quotas": {"product": 1}})
        limited = store.answer(
            "tent", settings=store.settings.overlaid({"take": {"at_least": {"faq": 2}}})
        )
    for answer in (tight, limited):
        by_quota = {piece.id for piece in answer.pieces if piece.decided_by == "quota"}
        assert by_quota == {piece.id for piece in answer.pieces} - top
        assert by_quota
    assert not any(piece.decided_by == "quota" for piece in free.pieces)
    assert limited.cut.by_limit
    assert "limit" in limited.explain()
    assert {line.kind: line.kept for line in tight.fetched}["product"] == 1
