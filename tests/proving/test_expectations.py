"""Wrong expectations fail, and a judge that passes them is found out."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest

from steadyrank.measure import Case, Entry, Golden, Origin, Ranking, Run, judge
from steadyrank.measure.thresholds import Threshold
from steadyrank_builder.proving.expectations import Perturbation, perturbed

GOT = ("a", "b", "c", "d")
MODES: dict[str, dict[str, Any]] = {
    "exact": {"mode": "exact", "expected": ("a", "b", "c")},
    "required-set": {"mode": "required-set", "expected": ("c", "a", "b")},
    "rank-one": {"mode": "rank-one", "expected": ("a",)},
    "contains": {"mode": "contains", "expected": ("d", "b"), "k": 4},
    "excludes": {"mode": "excludes", "expected": ("z", "y")},
    "sure": {"mode": "exact", "expected": ("a",), "confidence": "medium"},
    "measured": {"right": ("b",)},
}
NUMBERS = {name: number for number, name in enumerate(MODES, start=1)}


def golden(**thresholds: float) -> Golden:
    cases = tuple(Case(n, "q", **MODES[name]) for name, n in NUMBERS.items())
    return Golden(cases, thresholds=thresholds)


def run(*ids: str) -> Run:
    entries = tuple(Entry(id, float(9 - n), id) for n, id in enumerate(ids))
    rankings = tuple(Ranking(n, "q", 4, entries, confidence="medium") for n in NUMBERS.values())
    return Run(Origin(), rankings)


def by_name(found: tuple[Perturbation, ...]) -> dict[str, tuple[set[str], set[str]]]:
    names = {number: name for name, number in NUMBERS.items()}
    return {
        one.name: ({names[n] for n in one.tried}, {names[n] for n in one.unnoticed})
        for one in found
    }


def test_each_is_tried_where_it_makes_the_expectation_wrong_and_is_noticed() -> None:
    """A set has no order to swap, and what a contains list loses was not needed."""
    assert by_name(perturbed(golden(success=0.5), run(*GOT))) == {
        "neighbours-swapped": ({"exact"}, set()),
        "first-replaced": (set(MODES) - {"measured"}, set()),
        "one-dropped": ({"exact", "required-set"}, set()),
        "other-confidence": ({"sure"}, set()),
        "right-replaced": ({"measured"}, set()),
    }


def test_a_case_that_fails_anyway_is_not_tried() -> None:
    """It would fail whatever was expected of it."""
    tried = by_name(perturbed(golden(), run("b", "a", "c", "d")))
    assert tried["first-replaced"][0] == {"required-set", "contains", "excludes"}
    assert tried["right-replaced"] == (set(), set())  # no threshold, so nothing to miss


def test_a_judge_without_eyes_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """One that looks at no ids passes everything but a wrong confidence."""

    def nothing(*arguments: Any) -> Iterator[str]:
        return iter(())

    module = sys.modules[judge.__module__]
    monkeypatch.setattr(module, "_ids_fault", nothing)
    found = by_name(perturbed(golden(), run(*GOT)))
    for name in ("neighbours-swapped", "first-replaced", "one-dropped"):
        tried, unnoticed = found[name]
        assert tried == unnoticed != set()
    assert found["other-confidence"] == ({"sure"}, set())


def test_a_judge_that_takes_sets_for_orders_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """Swapped neighbours pass it, everything else fails as it should."""
    module = sys.modules[judge.__module__]
    right = vars(module)["_ids_fault"]

    def unordered(case: Case, got: Any, k: int) -> Iterator[str]:
        if case.mode == "exact" and set(got[: len(case.expected)]) == set(case.expected):
            return iter(())
        return iter(list(right(case, got, k)))

    monkeypatch.setattr(module, "_ids_fault", unordered)
    found = by_name(perturbed(golden(), run(*GOT)))
    assert found["neighbours-swapped"] == ({"exact"}, {"exact"})
    assert found["first-replaced"][1] == found["one-dropped"][1] == set()


def test_thresholds_that_measure_nothing_are_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    """A share that is right whatever the right ids are."""
    monkeypatch.setattr(Threshold, "reached", True)
    found = by_name(perturbed(golden(success=0.5), run(*GOT)))
    assert found["right-replaced"] == ({"measured"}, {"measured"})
