"""Two runs compared, against values counted by hand and by trying all signs."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import pytest

from steadyrank.measure import Case, Entry, Golden, Origin, Ranking, Run
from steadyrank.measure.compared import Comparison
from steadyrank.measure.compared_words import merge_order, sentences
from steadyrank.measure.comparing import Values, compared, values_of


def ranking(number: int, ids: str, confidence: str | None = "high", k: int = 4) -> Ranking:
    entries = tuple(Entry(id=id, score=9.0 - place, document=id) for place, id in enumerate(ids))
    return Ranking(number, f"question {number}", k, entries, confidence=confidence)


def run(*answers: str, confidence: str | None = "high") -> Run:
    rankings = [ranking(n, ids, confidence) for n, ids in enumerate(answers, start=1)]
    return Run(Origin(), tuple(rankings))


def case(number: int, **values: object) -> Case:
    return Case(number, f"question {number}", **values)  # type: ignore[arg-type]


def test_what_questions_are_worth_by_hand() -> None:
    golden = Golden(
        cases=(
            case(1, right=("b",)),  # second: found, 1/2
            case(2, right=("z",)),  # not among the first four
            case(3, mode="exact", expected=("a", "b")),  # passes
            case(4, mode="excludes", expected=("b",), k=4),  # fails
            case(5),  # no answer, and high confidence: not refused
            case(6, grades={"c": 2, "a": 0}),  # third: 1/3
            case(7, grades={"a": 0}),  # judged, and nothing is right
        ),
        k=4,
    )
    answers = run(*["abcd"] * 6, "ax")
    assert values_of(golden, answers) == {
        "passed": {3: 1.0, 4: 0.0},
        "success@4": {1: 1.0, 2: 0.0, 6: 1.0},
        "RR@4": {1: 0.5, 2: 0.0, 6: 1 / 3},
        "refused": {5: 0.0},
    }
    refusing = values_of(golden, run(*["abcd"] * 7, confidence="low"))
    assert refusing["refused"] == {5: 1.0}
    # What the fifth piece is does not count.
    assert values_of(Golden((case(1, right=("e",)),)), run("abcde"))["RR@4"] == {1: 0.0}


def test_graded_measures_get_judgments_and_the_first_k() -> None:
    seen: list[object] = []

    def graded(
        qrels: Mapping[str, Mapping[str, int]], ids: Mapping[str, Sequence[str]], k: int
    ) -> Mapping[str, Mapping[str, float]]:
        seen.append((qrels, ids, k))
        return {"nDCG@2": {"1": 0.25, "2": 0.0}}

    golden = Golden((case(1, grades={"a": 3}), case(2, right=("a",)), case(3)), k=2)
    values = values_of(golden, run("abc", "", "a"), graded)
    # A question that got nothing is in no run, and is worth what is said of it.
    assert seen == [({"1": {"a": 3}, "2": {"a": 1}}, {"1": ("a", "b")}, 2)]
    assert values["nDCG@2"] == {1: 0.25, 2: 0.0}


def of(a: Sequence[float], b: Sequence[float]) -> Comparison:
    """The comparison of two runs with these values and equal answers."""
    same = run(*["abcd"] * len(a))

    def values(own: Sequence[float]) -> Values:
        return {"RR@4": dict(enumerate(own, start=1))}

    return compared(("A", same, values(a)), ("B", same, values(b)), k=4)


def test_means_differences_and_p_by_hand() -> None:
    a = [1.0, 0.5, 0.0, 1.0, 0.5, 0.0, 1.0, 0.25]
    b = [1.0, 1.0, 0.5, 1.0, 1.0, 1.0, 0.5, 0.5]
    [one] = of(a, b).measures
    differences = [y - x for x, y in zip(a, b, strict=True)]
    assert one.a == sum(a) / 8 and one.b == sum(b) / 8
    assert one.difference == sum(differences) / 8 == pytest.approx(one.b - one.a)
    assert (one.better, one.worse, one.ties, one.n) == (5, 1, 2, 8)
    signs = list(itertools.product((1, -1), repeat=8))
    observed = abs(sum(differences))
    extreme = [
        s for s in signs
        if abs(sum(x * y for x, y in zip(s, differences, strict=True))) >= observed
    ]  # fmt: skip
    assert one.p == len(extreme) / 256 and one.exact
    assert one.interval.low <= one.difference <= one.interval.high
    assert one.verdict == "not shown"


def test_six_one_way_are_a_verdict_and_five_are_not() -> None:
    worse = of([1.0] * 9, [0.0] * 6 + [1.0] * 3)
    assert (worse.measures[0].verdict, worse.measures[0].p) == ("worse", 2 / 64)
    assert worse.worse and not of([0.0] * 6, [1.0] * 6).worse
    assert of([0.0] * 6, [1.0] * 6).measures[0].verdict == "better"
    few = of([1.0] * 9, [0.0] * 5 + [1.0] * 4)
    assert few.measures[0].verdict == "too few" and not few.worse
    assert next(sentences(few)) == (
        "B against A: no verdict, 5 of 9 questions differ in RR@4, and a verdict needs 6 or more"
    )


def test_several_measures_are_several_chances() -> None:
    """A p of 2/64 of one measure does not stand when there are two."""
    same = run(*["abcd"] * 6)
    a = {"x": dict.fromkeys(range(1, 7), 0.0), "y": dict.fromkeys(range(1, 7), 0.0)}
    b = {"x": dict.fromkeys(range(1, 7), 1.0), "y": dict(enumerate((1.0, -1.0) * 3, start=1))}
    one, other = compared(("A", same, a), ("B", same, b), k=4).measures
    assert (one.p, one.p_adjusted, one.verdict) == (2 / 64, 4 / 64, "not shown")
    assert other.p == other.p_adjusted == 1.0


def test_answers_are_compared_in_order_as_a_set_and_at_the_top() -> None:
    before = run("abcd", "abcd", "abcd", "abcd", "abcde")
    after = run("abcd", "abdc", "bacd", "abce", "abcdf")
    found = compared(("A", before, {}), ("B", after, {}), k=4)
    answers = found.answers
    assert (answers.n, answers.order, answers.set, answers.first) == (5, 3, 1, 1)
    assert [one.number for one in found.questions] == [2, 3, 4]
    assert (found.questions[0].a, found.questions[0].b) == (tuple("abcd"), tuple("abdc"))
    assert found.measures == ()


def test_a_question_with_another_value_is_listed_whatever_its_answer() -> None:
    found = of([1.0, 1.0], [1.0, 0.5])
    assert [one.number for one in found.questions] == [2]
    assert found.questions[0].values == {"RR@4": (1.0, 0.5)}


def test_nothing_of_68_is_not_nothing() -> None:
    found = of([1.0] * 68, [1.0] * 68)
    assert list(sentences(found)) == [
        "B against A: no verdict, 0 of 68 questions differ in RR@4, and a verdict needs 6 or more",
        "B against A: 0 of 68 answers differ, 0 as a set and 0 at the top; 0 of 68 still allows "
        "up to 4.3%",
    ]


def test_what_may_be_merged_first_is_said_for_both_orders() -> None:
    lines = list(merge_order(of([1.0] * 9, [0.0] * 9), of([1.0] * 9, [1.0] * 9)))
    assert lines[0].startswith("the settings first means B for a while: worse, RR@4 -1.000")
    assert lines[1] == "the index first means B for a while: no verdict, too few questions differ"
    lines = list(merge_order(of([0.0] * 8, [1.0] * 8), of([0.0, 1.0] * 4, [1.0, 0.0] * 4)))
    assert "for a while: better, RR@4 +1.000 [+1.000, +1.000], p = 0.008, n=8" in lines[0]
    assert lines[1] == "the index first means B for a while: not shown to be worse (n=8)"
