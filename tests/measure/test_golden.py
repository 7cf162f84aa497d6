"""Golden files: every fault at once, and every mode's verdict."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from steadyrank.measure import (
    Case,
    Evaluation,
    Golden,
    GoldenError,
    Origin,
    Ranking,
    Run,
    evaluated,
    golden_of,
    judge,
)
from support_measure import entries, ranking, run_of_answers

GOT = ("a", "b", "c", "d")


def passed(mode: str, *expected: str, got: tuple[str, ...] = GOT, **more: Any) -> bool | None:
    case = Case(1, "q", mode, expected, **more)  # type: ignore[arg-type]
    return judge(case, ranking(got, confidence="medium", concepts=("freshness",)), 4).passed


@pytest.mark.parametrize(
    ("mode", "expected", "k", "verdict"),
    [
        ("exact", ("a", "b"), None, True),
        ("exact", ("b", "a"), None, False),
        ("exact", ("a", "b", "c", "d", "e"), None, False),
        ("required-set", ("b", "a"), None, True),
        ("required-set", ("a", "c"), None, False),
        ("required-set", ("a", "b"), 3, False),
        ("rank-one", ("a",), None, True),
        ("rank-one", ("b",), None, False),
        ("contains", ("c", "b"), 3, True),
        ("contains", ("d",), 3, False),
        ("excludes", ("d",), 3, True),
        ("excludes", ("c",), 3, False),
    ],
)
def test_modes(mode: str, expected: tuple[str, ...], k: int | None, verdict: bool) -> None:
    """Each mode, by hand."""
    assert passed(mode, *expected, k=k) is verdict


def test_nothing_got_passes_only_what_excludes() -> None:
    """An empty answer."""
    assert passed("exact", "a", got=()) is False
    assert passed("rank-one", "a", got=()) is False
    assert passed("excludes", "a", got=()) is True


def test_confidence_and_axis_are_judged_too() -> None:
    """The level must be that, and under ``axis: score`` no concept may have fired."""
    assert passed("exact", "a", confidence="medium") is True
    assert passed("exact", "a", confidence="high") is False
    assert passed("exact", "a", axis="score") is False


BROKEN = {
    "casses": [],
    "k": True,
    "settings": ["x"],
    "thresholds": {"succes": 0.9, "refused": 2},
    "cases": [
        {"question": "q", "mode": "exat", "expected": ["a"]},
        {"mode": "exact"},
        "text",
        {"question": "q", "right": "a"},
        {"question": "q", "mode": "exact", "expected": ["a", "b"], "k": 1},
        {"question": "q", "right": [], "confidence": "sure", "axis": 3, "settings": 1, "k": 0},
        {"question": "q", "rigth": ["a"]},
        {"question": "fine", "right": []},
    ],
}


def test_all_faults_of_a_file_are_listed_at_once() -> None:
    """Header and cases, with the number of the case and the nearest word."""
    with pytest.raises(GoldenError) as caught:
        golden_of(BROKEN, "g.yaml")
    text = str(caught.value)
    assert text.startswith("g.yaml:\n  ")
    for part in (
        "unknown key 'casses'; did you mean 'cases'",
        "k is how many",
        "settings are values",
        "'succes'; did you mean 'success'",
        "refused is a share",
        "case 1: mode 'exat' is not known; did you mean 'exact'",
        "case 2: it has no question",
        "case 2: mode 'exact' needs expected ids",
        "case 3: it is 'text'",
        "case 4: right is a list of ids",
        "case 5: k 1 is less",
        "case 6: k is 1 or more",
        "case 6: confidence is",
        "case 6: axis is a word",
        "case 6: settings of a case",
        "case 7: unknown key 'rigth'; did you mean 'right'",
        "case 7: it has neither",
    ):
        assert part in text
    assert "case 8" not in text
    assert len(caught.value.faults) == 17


@pytest.mark.parametrize("content", [None, "text", 3, {"cases": None}, {"cases": {"a": 1}}, {}])
def test_what_is_no_golden_file_is_an_error(content: Any) -> None:
    """Whatever a parser made of it."""
    with pytest.raises(GoldenError):
        golden_of(content)


def test_the_other_shape_is_read() -> None:
    """``intent`` and ``rankingAxis``, with a schema version."""
    golden = golden_of(
        {
            "schemaVersion": 1,
            "cases": [
                {"intent": "i", "mode": "rank-one", "expected": ["a"], "rankingAxis": "score"}
            ],
        }
    )
    assert golden.cases[0] == Case(1, "i", "rank-one", ("a",), axis="score")


def metrics_file(**header: Any) -> Golden:
    cases = [
        {"question": "1", "right": ["a"]},
        {"question": "2", "right": ["c", "x"]},
        {"question": "3", "right": ["z"]},
        {"question": "4", "right": []},
    ]
    return golden_of({"cases": cases, **header})


def run_for(golden: Golden) -> Run:
    """Each question got a, b, c, d; the fourth with low confidence."""
    levels = {4: "low"}
    return run_of_answers(golden, {case.number: GOT for case in golden.cases}, levels)


def evaluation_of(golden: Golden) -> Evaluation:
    return evaluated(golden, run_for(golden))


def test_metrics_by_hand() -> None:
    """Of three questions two have a right piece in four and one has it first."""
    evaluation = evaluation_of(metrics_file(thresholds={"success": 0.6, "refused": 1}))
    assert evaluation.metrics == {
        "questions": 3,
        "success": 2 / 3,
        "success_at_1": 1 / 3,
        "unjudged": 10 / 12,
        "unanswerable": 1,
        "refused": 1.0,
    }
    assert [case.right_at for case in evaluation.cases] == [1, 3, None, None]
    assert (evaluation.outcome, evaluation.missed) == ("passed", ())
    strict = evaluation_of(metrics_file(thresholds={"success_at_1": 0.5}))
    assert (strict.outcome, len(strict.missed)) == ("failed", 1)


def test_a_threshold_that_was_not_measured_is_missed() -> None:
    """Nothing to measure is not enough."""
    golden = golden_of(
        {"cases": [{"question": "1", "right": ["a"]}], "thresholds": {"refused": 0.5}}
    )
    assert evaluation_of(golden).outcome == "failed"


def test_without_anything_judged_there_is_no_verdict() -> None:
    """No cases; cases for metrics alone without a threshold; ids that do not exist."""
    assert evaluation_of(golden_of([])).outcome == "no-verdict"
    nothing = golden_of({"cases": [], "thresholds": {"success": 0}})
    assert evaluation_of(nothing).outcome == "no-verdict"
    assert evaluation_of(metrics_file()).outcome == "no-verdict"
    golden = golden_of([{"question": "q", "mode": "exact", "expected": ["a"]}])
    assert evaluation_of(golden).outcome == "passed"
    unknown = evaluated(golden, run_for(golden), ["a"])
    assert (unknown.outcome, unknown.unknown) == ("no-verdict", ("a",))


def test_routes_are_seen_under_axis_score() -> None:
    """Pieces set apart by their routes, no concept having fired."""
    one, two = entries("ab")
    case = Case(1, "q", "exact", ("a",), axis="score")
    assert judge(case, Ranking(1, "q", 2, (one, two))).passed is True
    apart = judge(case, Ranking(1, "q", 2, (one, replace(two, route=1))))
    assert (apart.passed, "routes" in apart.why) == (False, True)
    behind = judge(case, Ranking(1, "q", 1, (one,), (replace(two, route=1),)))
    assert behind.passed is False


def test_a_run_of_other_questions_is_no_verdict() -> None:
    """Not all numbers, or another question under one of them."""
    golden = golden_of([{"question": "q", "mode": "exact", "expected": ["a"]}])
    assert evaluated(golden, Run(Origin(), ())).outcome == "no-verdict"
    other = evaluated(golden, Run(Origin(), (ranking(GOT, 1, "another"),)))
    assert (other.outcome, other.cases) == ("no-verdict", ())
    assert "did not ask the questions of 1 cases: 1" in other.why


def test_a_threshold_that_is_just_reached_is_reached() -> None:
    """Inclusive, two of three being two thirds."""
    golden = metrics_file(thresholds={"success": 2 / 3})
    assert evaluated(golden, run_for(golden)).outcome == "passed"


def test_what_moved() -> None:
    """Ranks expected and got, of each mode, by hand; the ranking was read to its eighth place."""

    def moved(mode: str | None, *expected: str, k: int | None = None) -> list[str]:
        ids = {"expected": expected} if mode else {"right": expected}
        case = Case(1, "q", mode, k=k, **ids)  # type: ignore[arg-type]
        known = entries("abcdefgh")
        return [str(move) for move in judge(case, Ranking(1, "q", 4, known[:4], known[4:])).moved]

    assert moved("exact", "b", "a", "c", "z") == ["b 1 -> 2", "a 2 -> 1", "z 4 -> not within 8"]
    assert moved("rank-one", "f") == ["f 1 -> 6"]
    assert moved("contains", "a", "f", k=4) == ["f within 4 -> 6"]
    assert moved("excludes", "b", "f", k=3) == ["b out -> 2"]
    assert moved("required-set", "a", "f") == ["f within 2 -> 6", "b out -> 2"]
    assert moved(None, "x", "f") == ["x within 4 -> not within 8", "f within 4 -> 6"]
    assert moved(None, "x", "d") == []
