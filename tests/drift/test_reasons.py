"""Each cause from two rankings written by hand, with the figures worked out by hand."""

from __future__ import annotations

import pytest

from steadyrank.measure import Drift, QuestionDrift, Ranking, Reason, drift_of
from support_drift import entry, ranking, run


def compared(base: Ranking, fresh: Ranking, **more: object) -> QuestionDrift:
    drift: Drift = drift_of(run(base), run(fresh), **more)  # type: ignore[arg-type]
    return drift.questions[0]


def dominant(question: QuestionDrift, id: str) -> Reason:
    move = next(move for move in question.moves if move.id == id)
    assert move.dominant is not None
    return move.dominant


def test_ten_and_nine_and_a_half_are_one_band_and_a_little_less_is_an_exit() -> None:
    base = ranking(entry("a", 9.5, 1), entry("b", 10.0, 1), gap=0.5)
    fresh = ranking(entry("b", 10.0, 1), entry("a", 9.4999999, 2), gap=0.5)
    question = compared(base, fresh)
    for id in "ab":
        reason = dominant(question, id)
        assert (reason.cause, reason.id, reason.base, reason.limit) == ("band exit", "a", 0.5, 0.5)
        assert reason.fresh == 10.0 - 9.4999999
        assert reason.text == (
            "band exit of a against b: 0.5000000 -> 0.5000001 to the leader, gap 0.5"
        )
    assert [event.cause for event in question.events] == ["band exit"]


def test_the_way_back_is_a_band_entry() -> None:
    base = ranking(entry("b", 10.0, 1), entry("a", 9.4999999, 2), gap=0.5)
    fresh = ranking(entry("a", 9.5, 1), entry("b", 10.0, 1), gap=0.5)
    reason = dominant(compared(base, fresh), "b")
    assert (reason.cause, reason.id, reason.fresh) == ("band entry", "a", 0.5)


def test_an_exit_that_changes_no_order_is_an_event() -> None:
    """The leader's document sorts first, so that both orders are the same."""
    base = ranking(entry("a", 10.0, 1), entry("b", 9.5, 1), gap=0.5)
    fresh = ranking(entry("a", 10.0, 1), entry("b", 9.4999999, 2), gap=0.5)
    question = compared(base, fresh)
    assert question.changed == ()
    assert [(event.cause, event.id) for event in question.events] == [("band exit", "b")]


def test_a_new_leader_that_does_it_alone_comes_first() -> None:
    """c rises to 10.25: b keeps its 0.375 to a, and is 0.625 below c."""
    base = ranking(entry("b", 9.625, 1), entry("c", 10.0, 1), entry("d", 9.75, 1), gap=0.5)
    fresh = ranking(entry("c", 10.0, 1), entry("d", 10.25, 1), entry("b", 9.625, 2), gap=0.5)
    reasons = next(move for move in compared(base, fresh).moves if move.id == "b").reasons
    assert [reason.cause for reason in reasons[:2]] == ["leader", "band exit"]
    assert (reasons[0].was, reasons[0].now) == ("c", "d")
    assert (reasons[1].base, reasons[1].fresh) == (0.375, 0.625)


def test_one_that_falls_out_by_itself_under_a_new_leader_is_an_exit_first() -> None:
    base = ranking(entry("b", 9.625, 1), entry("c", 10.0, 1), entry("d", 9.75, 1), gap=0.5)
    fresh = ranking(entry("c", 10.0, 1), entry("d", 10.25, 1), entry("b", 9.0, 2), gap=0.5)
    reasons = next(move for move in compared(base, fresh).moves if move.id == "b").reasons
    assert [reason.cause for reason in reasons[:2]] == ["band exit", "leader"]


def test_a_document_that_is_not_in_the_base_index_is_new() -> None:
    base = ranking(entry("a", 3.0), entry("b", 2.0), after=[entry("c", 1.0)])
    fresh = ranking(entry("n", 4.0), entry("a", 3.0), after=[entry("b", 2.0)])
    question = compared(base, fresh, base_holds={"n": None})
    assert (question.entered, question.left, question.moved) == (("n",), ("b",), ())
    assert dominant(question, "n") == Reason("new", "n")
    assert dominant(question, "b") == Reason("new", "n")


def test_a_document_that_left_the_index_is_gone_and_lets_another_in() -> None:
    base = ranking(entry("a", 3.0), entry("b", 2.0), after=[entry("c", 1.0)])
    fresh = ranking(entry("a", 3.0), entry("c", 1.0))
    question = compared(base, fresh, fresh_holds={"b": None})
    assert dominant(question, "b") == Reason("gone", "b")
    assert dominant(question, "c") == Reason("gone", "b")


def test_one_beyond_what_was_kept_is_out_and_not_gone() -> None:
    base = ranking(entry("a", 3.0), entry("b", 2.0), after=[entry("c", 1.0)])
    fresh = ranking(entry("a", 3.0), entry("x", 2.5), after=[entry("y", 2.25)])
    question = compared(base, fresh, base_holds={"x": "c-x"}, fresh_holds={"b": "c-b"})
    assert dominant(question, "b") == Reason("out", "b", now="fresh", count=3)
    assert dominant(question, "x").text == "x is beyond the first 3 that base kept"


def test_one_that_did_not_match_is_said_to() -> None:
    base = ranking(entry("a", 3.0), k=4)
    fresh = ranking(entry("a", 3.0), entry("x", 2.5), k=4)
    assert dominant(compared(base, fresh), "x").text == "x did not match in base"


def test_equal_digests_mean_the_same_documents() -> None:
    """Nobody asked the base index for x, and it cannot be new."""
    base = run(ranking(entry("a", 3.0)), digest="sha256:1")
    fresh = run(ranking(entry("x", 4.0)), digest="sha256:1")
    question = drift_of(base, fresh, {"x": None}).questions[0]
    assert dominant(question, "x").cause == "out"


def test_another_content_comes_before_the_reversal_that_it_made() -> None:
    base = ranking(entry("a", 3.0), entry("b", 2.75))
    fresh = ranking(entry("b", 3.5, content="c-new"), entry("a", 3.0))
    question = compared(base, fresh)
    causes = [reason.cause for reason in question.moves[0].reasons]
    assert question.moves[0].id == "b"
    assert causes == ["content", "score reversal"]
    assert dominant(question, "b") == Reason("content", "b", base=2.75, fresh=3.5)
    # a did not change: it fell because b passed it.
    assert [reason.cause for reason in question.moves[1].reasons] == ["score reversal", "content"]
    reversal = dominant(question, "a")
    assert (reversal.base, reversal.fresh) == (0.25, -0.5)


def test_scores_that_move_while_contents_do_not_are_statistics() -> None:
    base = ranking(entry("a", 3.0), entry("b", 2.0))
    fresh = ranking(entry("a", 3.25), entry("b", 1.5))
    question = compared(base, fresh)
    assert question.changed == ()
    # b moved by 0.5 and a by 0.25.
    assert question.causes == (
        Reason("statistics", "b", "", 2.0, 1.5, was="live", now="live", count=2),
    )


def test_pinned_statistics_cannot_be_what_moved_scores() -> None:
    base = ranking(entry("a", 3.0), statistics="pinned sha256:1")
    fresh = ranking(entry("a", 3.25), statistics="pinned sha256:1")
    assert [cause.cause for cause in compared(base, fresh).causes] == ["unexplained"]


def test_other_statistics_are_named() -> None:
    base = ranking(entry("a", 3.0), entry("b", 2.0), statistics="live", settings="s1")
    fresh = ranking(entry("b", 3.0), entry("a", 2.0), statistics="pinned sha256:1", settings="s2")
    question = compared(base, fresh)
    assert dominant(question, "a").text == "statistics live -> pinned sha256:1"
    # Their name is in the hash of the settings: nothing more is known to differ.
    assert [cause.cause for cause in question.causes] == ["statistics"]


def test_versions_are_what_is_left_when_the_documents_are_the_same() -> None:
    base = run(ranking(entry("a", 3.0)), digest="sha256:1", versions={"python": "3.11"})
    fresh = run(ranking(entry("a", 3.5)), digest="sha256:1", versions={"python": "3.13"})
    drift = drift_of(base, fresh)
    assert [change.text for change in drift.changes] == [
        "versions changed: python 3.11 -> python 3.13"
    ]
    assert [cause.cause for cause in drift.questions[0].causes] == ["versions"]


def test_whoosh_statistics_move_with_the_layout_of_the_same_documents() -> None:
    base = run(ranking(entry("a", 3.0), statistics="whoosh"), digest="sha256:1")
    fresh = run(ranking(entry("a", 3.5), statistics="whoosh"), digest="sha256:1")
    assert [cause.cause for cause in drift_of(base, fresh).questions[0].causes] == ["statistics"]


@pytest.mark.parametrize(
    ("was", "now", "text"),
    [
        ({"gap": 0.0}, {"gap": 0.5}, "settings changed: gap 0 -> gap 0.5"),
        ({"k": 2}, {"k": 3}, "settings changed: k 2 -> k 3"),
        ({"settings": "s1"}, {"settings": "s2"}, "settings changed: s1 -> s2"),
    ],
)
def test_settings_come_first(was: dict[str, object], now: dict[str, object], text: str) -> None:
    base = ranking(entry("a", 3.0), entry("b", 2.75), **was)
    fresh = ranking(entry("b", 3.5), entry("a", 3.0), **now)
    assert dominant(compared(base, fresh), "a").text == text


def test_a_route_that_changed_decides_before_any_score() -> None:
    base = ranking(entry("a", 1.0), entry("b", 3.0, route=1))
    fresh = ranking(entry("b", 3.0), entry("a", 1.0))
    question = compared(base, fresh)
    assert dominant(question, "a") == Reason("route", "b", was="1", now="0")
    assert [event.cause for event in question.events] == ["route"]


def test_an_order_that_scores_did_not_make_is_a_limit_or_a_key() -> None:
    base = ranking(entry("a", 3.0), after=[entry("b", 2.0)])
    fresh = ranking(entry("b", 2.0), after=[entry("a", 3.0)])
    assert dominant(compared(base, fresh), "a") == Reason("limit", "a", "b", 1.0, 1.0)
    base = ranking(entry("a", 3.0), entry("b", 3.0))
    fresh = ranking(entry("b", 3.0), entry("a", 3.0))
    assert dominant(compared(base, fresh), "a") == Reason("tie-break", "a", "b", 0.0, 0.0)


def test_a_confidence_that_changed_says_of_which_piece() -> None:
    base = ranking(entry("a", 3.0), confidence="high")
    fresh = ranking(entry("a", 2.5), confidence="medium")
    question = compared(base, fresh)
    assert question.changed == ("confidence",)
    assert question.causes[-1].text == "confidence high -> medium, first: a 3.000 -> 2.500"


def test_a_move_inside_a_band_is_told_apart() -> None:
    """Two sections of one document, which scores order inside a band."""
    base = ranking(entry("p#1", 3.0, 1, document="p"), entry("p#2", 2.75, 1, document="p"), gap=0.5)
    fresh = ranking(
        entry("p#2", 3.125, 1, document="p"), entry("p#1", 3.0, 1, document="p"), gap=0.5
    )
    question = compared(base, fresh)
    assert [(move.kind, move.within) for move in question.moves] == [("moved", True)] * 2
    assert dominant(question, "p#1").cause == "score reversal"


def test_select_score_cuts_by_score_inside_a_band() -> None:
    """a stood first by its document, with the lower score; a third one takes its place."""
    more = {"gap": 0.5, "select": "score", "k": 2}
    base = ranking(entry("a", 2.75, 1), entry("b", 3.0, 1), after=[entry("c", 2.5)], **more)
    fresh = ranking(entry("b", 3.0, 1), entry("c", 2.875, 1), after=[entry("a", 2.75)], **more)
    question = compared(base, fresh)
    assert dominant(question, "a").cause == "score reversal"
    assert (dominant(question, "a").base, dominant(question, "a").fresh) == (0.25, -0.125)
