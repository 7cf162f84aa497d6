"""How sure an answer is: what a band may change, and what a question without an answer gets."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from steadyrank import Candidate, open_store, rank
from steadyrank.answering.certainty import by_points
from steadyrank.answering.tables import Confidence
from support_answers import piece, write
from support_store import SAMPLE

LEVELS = ("low", "medium", "high")

scores = st.lists(st.integers(0, 400).map(lambda number: number / 8), min_size=1, max_size=30)


@given(scores, st.sampled_from([0.125, 0.5, 1.0, 5.0]), st.integers(0, 400))
def test_confidence_changes_only_within_one_gap_of_a_threshold(
    scores: list[float], gap: float, bound: int
) -> None:
    """A band lowers the score that confidence is read from by at most the gap, and never lifts it.

    So two levels differ only where a threshold lies between the two scores.
    """
    pool = [
        Candidate(f"{(place * 7) % 31:02}", score, f"d{(place * 5) % 7}")
        for place, score in enumerate(scores)
    ]
    best, banded = rank(pool)[0].score, rank(pool, gap)[0].score
    assert 0 <= best - banded <= gap
    medium = bound / 8
    settings = Confidence(high=medium + 16, medium=medium)
    without, under = (by_points(score, False, settings).level for score in (best, banded))
    assert LEVELS.index(under) <= LEVELS.index(without)
    if under != without:
        assert any(banded < edge <= best for edge in (settings.medium, settings.high))
        assert any(0 <= best - edge <= gap for edge in (settings.medium, settings.high))


@pytest.mark.whoosh
def test_a_band_lowers_a_level_where_a_threshold_lies_inside(tmp_path: Path) -> None:
    """The property is not empty: a band over a threshold makes high medium."""
    # Keyword points would be equal; lengths make the scores differ a little.
    documents = [
        piece("z", "tent"),
        piece("a", "tent and many other words"),
        *(piece(f"m{n}", "stove") for n in range(6)),
    ]
    folder = write(tmp_path / "i", documents)
    with open_store(folder) as store:
        plain = store.answer("tent", confidence={"margin": 0.0})
        first, second = plain.pieces
        assert [first.id, second.id] == ["z", "a"]
        reach = first.score / (plain.certainty.share or 1)
        between = (first.score + second.score) / 2 / reach
        edge: dict[str, Any] = {"high": between, "margin": 0.0}
        assert store.answer("tent", confidence=edge).confidence == "high"
        banded = store.answer("tent", confidence=edge, gap=first.score - second.score)
    assert banded.pieces[0].id == "a"
    assert banded.confidence == "medium"
    assert banded.certainty.margin is not None and banded.certainty.margin < 0


@pytest.mark.whoosh
def test_questions_without_an_answer_are_low_and_few_others_are(sample_store: Path) -> None:
    """Of the sample's questions: all six without an answer, at most one of 93 with one."""
    cases = yaml.safe_load((SAMPLE / "golden.yaml").read_text("utf-8"))["cases"]
    judged = [case for case in cases if "mode" not in case]
    with open_store(sample_store) as store:
        levels = [(bool(c["right"]), store.answer(c["question"]).confidence) for c in judged]
    assert levels.count((False, "low")) == 6
    assert levels.count((True, "low")) <= 1
    assert levels.count((False, "medium")) == levels.count((False, "high")) == 0


@pytest.mark.whoosh
def test_the_share_is_of_what_the_words_could_reach(tmp_path: Path) -> None:
    """By hand, with keyword points: 3 + 1 of the 6 that two words could earn in titles."""
    documents = [piece("a", "stove", title="tent"), piece("b", "lamp", title="lamp")]
    folder = write(tmp_path / "i", documents)
    with open_store(folder, {"weighting": "keyword-points"}) as store:
        certainty = store.answer("tent stove").certainty
        assert certainty.share == 4 / 4  # no document has the word stove in its title
        assert certainty.covered == 1.0
        certainty = store.answer("lamp anvil").certainty
        assert certainty.share == 3 / 6  # a word of no document could have earned three
        # Two documents: a word of one weighs ln(2 / 2) + 1, a word of none ln(2 / 1) + 1.
        assert certainty.covered == pytest.approx(1 / (1 + 1.6931471805599453))


@pytest.mark.whoosh
def test_the_share_counts_every_field(tmp_path: Path) -> None:
    """With BM25F a document that is best for a word in title and text reaches all of it."""
    documents = [piece("a", "tent", title="tent"), piece("b", "tent pole", title="pole")]
    with open_store(write(tmp_path / "i", [*documents, piece("c", "lamp")])) as store:
        answer = store.answer("tent")
        both = answer.pieces[1].score / (answer.pieces[0].score / (answer.certainty.share or 1))
    assert [p.id for p in answer.pieces] == ["a", "b"]
    assert answer.certainty.share == 1.0
    assert 0 < both < 0.5


@pytest.mark.whoosh
def test_a_tie_at_the_top_is_not_high(tmp_path: Path) -> None:
    """Two candidates alike: medium, and the reason names the lead."""
    folder = write(tmp_path / "i", [piece("b", "tent"), piece("a", "tent"), piece("c", "lamp")])
    with open_store(folder) as store:
        answer = store.answer("tent")
        alone = store.answer("lamp")
    assert (answer.confidence, answer.certainty.margin) == ("medium", 0.0)
    assert "lead" in answer.certainty.reason
    assert (alone.confidence, alone.certainty.margin) == ("high", None)
