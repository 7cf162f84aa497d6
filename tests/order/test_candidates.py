"""What a candidate is: its id, score, document and route, and what is refused."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank import Candidate, ScoreError, rank
from support_order import TRICKY, any_gap, ids_of, points


def tied(ids: list[str], gap: float = 0.0) -> list[str]:
    return ids_of(rank([Candidate(id, 1.0) for id in ids], gap))


@pytest.mark.parametrize("gap", [0.0, 0.5])
@pytest.mark.parametrize(
    "ids",
    [
        pytest.param(["", "\0", "a"], id="the empty id is first"),
        pytest.param(["a", "a\0", "a\0\0", "a\0b", "ab"], id="a prefix is before what it begins"),
        pytest.param(["A", "B", "a", "b"], id="case counts, capitals are before small letters"),
        pytest.param(["10", "2"], id="digits are characters, not numbers"),
        pytest.param(["\ufffd", "\U0001f600"], id="beyond the BMP is after it, unlike in UTF-16"),
        pytest.param(["e\u0301", "z", "é"], id="no locale: é is after z, its parts are before"),
        pytest.param(["SS", "ss", "ß"], id="no case folding"),
    ],
)
def test_ids(ids: list[str], gap: float) -> None:
    """Equal scores are in the order of their ids by code point, with and without bands."""
    assert tied(list(reversed(ids)), gap) == ids


def test_utf16_differs() -> None:
    """UTF-16 would put U+1F600 before U+FFFD, so the case above can tell the two apart."""
    assert "\U0001f600".encode("utf-16-be") < "\ufffd".encode("utf-16-be")


@given(st.lists(st.sampled_from(TRICKY) | st.text(), unique=True), any_gap)
def test_code_points(ids: list[str], gap: float) -> None:
    """Ids compare as their code points do, which is the order of their UTF-8 bytes."""
    assert tied(ids, gap) == sorted(ids, key=points) == sorted(ids, key=str.encode)


def test_numpy_strings_keep_their_nul() -> None:
    """Ids are compared as Python strings: "a" and "a\\0" are two, which numpy arrays merge."""
    ids = ["a\0", "a"]
    assert len(set(np.array(ids).tolist())) == 1  # what must not happen on the way
    assert tied(ids) == ["a", "a\0"]


def test_own_comparison_does_not_count() -> None:
    """A string subclass cannot bring another order along."""

    class Backwards(str):
        def __lt__(self, other: str) -> bool:
            return str.__gt__(self, other)

    ranked = rank([Candidate(Backwards(id), 1.0, Backwards(id)) for id in "bca"], 0.5)
    assert ids_of(ranked) == ["a", "b", "c"]
    assert {type(candidate.id) for candidate in ranked} == {str}
    assert {type(candidate.document) for candidate in ranked} == {str}


def test_minus_zero() -> None:
    """-0.0 is 0.0: the two tie, and what comes out is 0.0."""
    ranked = rank([Candidate("b", 0.0), Candidate("a", -0.0), Candidate("c", -0.0)])
    assert ids_of(ranked) == ["a", "b", "c"]
    assert [math.copysign(1, candidate.score) for candidate in ranked] == [1, 1, 1]


def test_document_defaults_to_id() -> None:
    """An undivided record is its own document; an empty document is one like any other."""
    assert Candidate("a", 1.0).document == "a"
    assert Candidate("a", 1.0, "").document == ""


def test_frozen() -> None:
    """A candidate cannot be changed, and equal ones are equal and hash alike."""
    candidate = Candidate("a", 1)
    with pytest.raises(AttributeError):
        candidate.score = 2.0  # type: ignore[misc]
    assert {candidate, Candidate("a", 1.0, "a", 0)} == {candidate}


@pytest.mark.parametrize(
    "score",
    [
        3,
        3.0,
        np.float64(3),
        np.float32(3),
        np.float16(3),
        np.int64(3),
        np.uint8(3),
        Fraction(3),
        Decimal(3),
    ],
    ids=lambda score: type(score).__name__,
)
def test_numbers(score: Any) -> None:
    """Any real number is a score, and is kept as a plain float."""
    candidate = Candidate("a", score)
    assert type(candidate.score) is float
    assert candidate.score == 3.0


def test_single_precision() -> None:
    """A float32 is the double that it is, not the decimal that it was written as."""
    ranked = rank([Candidate("a", np.float32(0.1)), Candidate("b", 0.1)])  # type: ignore[arg-type]
    assert float(np.float32(0.1)) > 0.1
    assert ids_of(ranked) == ["a", "b"]
    ranked = rank([Candidate("b", 0.1), Candidate("c", np.float64(0.1)), Candidate("a", 0.1)])
    assert ids_of(ranked) == ["a", "b", "c"]


@pytest.mark.parametrize(
    "score",
    [math.nan, -math.nan, math.inf, -math.inf, np.float64("nan"), np.float32("inf")],
    ids=str,
)
def test_not_finite(score: float) -> None:
    """NaN and infinities are a ScoreError, a ValueError that names the record and the score."""
    with pytest.raises(ScoreError, match="'page:x'") as caught:
        Candidate("page:x", score)
    assert isinstance(caught.value, ValueError)
    assert caught.value.id == "page:x"
    assert repr(caught.value.score) == repr(float(score))


@pytest.mark.parametrize(
    ("score", "infinity"), [(10**400, math.inf), (-(10**400), -math.inf)], ids=["+", "-"]
)
def test_beyond_doubles(score: int, infinity: float) -> None:
    """An integer that no double holds is refused as a score, not an OverflowError."""
    with pytest.raises(ScoreError) as caught:
        Candidate("a", score)
    assert caught.value.score == infinity


@pytest.mark.parametrize("score", ["1.0", b"1", None, 1j, [1.0], {}], ids=repr)
def test_no_number(score: Any) -> None:
    """A score that is no number is a TypeError that names the record; text is not read as one."""
    with pytest.raises(TypeError, match="'page:x'"):
        Candidate("page:x", score)


@pytest.mark.parametrize("id", [None, 7, b"a", ("a",)], ids=repr)
def test_id_types(id: Any) -> None:
    """An id, or a document, that is no string is a TypeError."""
    with pytest.raises(TypeError, match="an id is a string"):
        Candidate(id, 1.0)
    if id is not None:
        with pytest.raises(TypeError, match="the document of 'a' is a string"):
            Candidate("a", 1.0, id)


@pytest.mark.parametrize("route", [None, 1.0, "1", 1.5], ids=repr)
def test_route_types(route: Any) -> None:
    """A route that is no integer is a TypeError."""
    with pytest.raises(TypeError, match="the route of 'a' is an integer"):
        Candidate("a", 1.0, None, route)


def test_numpy_route() -> None:
    """An integer of numpy is a route, and is kept as a plain one."""
    candidate = Candidate("a", 1.0, None, np.int64(3))  # type: ignore[arg-type]
    assert (type(candidate.route), candidate.route) == (int, 3)


def test_routes() -> None:
    """Routes are any integers, negative and huge ones too."""
    routes = [10**30, 0, -1, 5, -(10**30)]
    ranked = rank([Candidate(str(route), 1.0, None, route) for route in routes])
    assert [candidate.route for candidate in ranked] == sorted(routes)
