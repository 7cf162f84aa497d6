"""The policy, and the natural order of numeric text."""

from __future__ import annotations

import math
from dataclasses import FrozenInstanceError
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank import Policy, PolicyError, natural
from steadyrank.order import natural_key


def test_defaults() -> None:
    """Without settings: no gap, bands would decide, ids settle ties, live statistics."""
    assert Policy() == Policy(
        gap=0.0,
        select="band",
        tiebreak=(),
        statistics="live",
        id_field="id",
        document_field=None,
        route=None,
    )


def test_frozen() -> None:
    """A policy cannot be changed; policies of equal settings are equal."""
    with pytest.raises(FrozenInstanceError):
        Policy().gap = 1.0  # type: ignore[misc]
    assert Policy(gap=1) == Policy(gap=1.0)
    assert math.copysign(1, Policy(gap=-0.0).gap) == 1


@pytest.mark.parametrize("key", ["price", "-price", natural("id")], ids=str)
def test_one_tiebreak(key: Any) -> None:
    """One tie-break key stands for a tuple of one, and a list for a tuple."""
    assert Policy(tiebreak=key).tiebreak == (key,)
    assert Policy(tiebreak=[key, "x"]).tiebreak == (key, "x")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "settings",
    [
        {"gap": -0.5},
        {"gap": math.nan},
        {"gap": math.inf},
        {"gap": "0.5"},
        {"gap": None},
        {"select": "Band"},
        {"select": None},
        {"tiebreak": ""},
        {"tiebreak": "-"},
        {"tiebreak": ("a", 3)},
        {"tiebreak": (None,)},
    ],
    ids=str,
)
def test_refused(settings: dict[str, Any]) -> None:
    """Settings out of range are a PolicyError, which is a ValueError."""
    with pytest.raises(PolicyError) as caught:
        Policy(**settings)
    assert isinstance(caught.value, ValueError)


def test_natural() -> None:
    """A minus in front means descending, as in a plain key."""
    assert (natural("id").field, natural("id").descending) == ("id", False)
    assert (natural("-id").field, natural("-id").descending) == ("id", True)


@pytest.mark.parametrize(
    "ordered",
    [
        ["2", "10"],
        ["a2", "a10", "a10b", "a10b1"],
        ["", "1", "a"],
        ["9", "99999999999999999999", "100000000000000000000"],
        ["a01b3x", "a1b20", "a2"],
        ["A2", "a1"],
        ["x" + "9" * 5000, "x1" + "0" * 5000],
        ["٢", "١٠"],
    ],
    ids=lambda texts: ",".join(text[:12] for text in texts),
)
def test_natural_order(ordered: list[str]) -> None:
    """Runs of digits of any length and script compare as numbers, the rest by code point."""
    assert all(natural_key(a) < natural_key(b) for a, b in pairwise(ordered))


@given(st.integers(0, 10**30), st.integers(0, 10**30), st.integers(0, 3), st.integers(0, 3))
def test_natural_numbers(a: int, b: int, zeros: int, more_zeros: int) -> None:
    """Two numbers compare as numbers, whatever zeros they begin with."""
    key_a = natural_key("v" + "0" * zeros + str(a) + "-x")
    key_b = natural_key("v" + "0" * more_zeros + str(b) + "-x")
    assert (key_a < key_b) == (a < b)
    assert (key_a == key_b) == (a == b)


@given(st.lists(st.text(alphabet="01a-٣é\0", max_size=6)))
def test_natural_total(texts: list[str]) -> None:
    """Keys of any texts compare, whatever mixture of digits and letters they are."""
    keys = sorted(map(natural_key, texts))
    assert all(a <= b for a, b in pairwise(keys))
