"""Functions that stand in for others are gone afterwards, and never seen from elsewhere."""

from __future__ import annotations

import gc
import sys
import threading
import types
from collections.abc import Iterator
from typing import Any

import pytest

from steadyrank import Candidate, rank
from steadyrank.order import band_ends, total_order
from steadyrank_builder.proving import MUTATIONS
from steadyrank_builder.proving.exchange import Change, exchanged
from steadyrank_builder.proving.mutation import Mutation, Occasions

pytestmark = pytest.mark.whoosh

mutations = pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.name)
TIED = [Candidate("b", 1.0), Candidate("a", 1.0)]


def backwards(candidate: Any) -> Any:
    """Of equal scores the last id comes first."""
    return (candidate.route, -candidate.score, -ord(candidate.id))


TURNED = [Change(total_order, backwards)]


def ids(ranking: list[Candidate]) -> list[str]:
    return [candidate.id for candidate in ranking]


def bound() -> dict[tuple[str, str], int]:
    """What every name of the library's modules and classes is bound to."""
    found = {}
    for module in list(sys.modules.values()):
        name = getattr(module, "__name__", "")
        if isinstance(module, types.ModuleType) and name.startswith("steadyrank"):
            for key, value in vars(module).items():
                found[name, key] = id(value)
                if isinstance(value, type) and value.__module__.startswith("steadyrank"):
                    found |= {(f"{name}.{key}", own): id(v) for own, v in vars(value).items()}
    return found


def test_the_function_is_another_inside_and_its_own_outside() -> None:
    """Wherever it is called from, here within ``rank``."""
    assert ids(rank(TIED)) == ["a", "b"]
    with exchanged(TURNED):
        assert ids(rank(TIED)) == ["b", "a"]
    assert ids(rank(TIED)) == ["a", "b"]


@mutations
def test_every_name_is_bound_as_before(mutation: Mutation) -> None:
    """Also when what runs inside fails. That names change inside shows that this looks."""
    before = bound()
    with pytest.raises(ZeroDivisionError), exchanged(mutation.changes(Occasions())):
        assert bound() != before
        raise ZeroDivisionError
    assert bound() == before


def test_a_mutant_that_fails_is_taken_back() -> None:
    def broken(candidate: Any) -> Any:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), exchanged([Change(total_order, broken)]):
        rank(TIED)
    assert ids(rank(TIED)) == ["a", "b"]


def test_a_change_that_cannot_be_made_leaves_none() -> None:
    """The first of two is not made when the second is of a function that nothing calls."""

    def nobody_calls() -> None: ...

    before = bound()
    with (
        pytest.raises(LookupError, match="nobody_calls"),
        exchanged([*TURNED, Change(nobody_calls, nobody_calls)]),
    ):
        pytest.fail("never inside")
    assert bound() == before


def test_other_threads_get_the_right_order_meanwhile() -> None:
    """A service that ranks while somebody proves is not disturbed."""
    got: list[list[str]] = []
    with exchanged(TURNED):
        thread = threading.Thread(target=lambda: got.append(ids(rank(TIED))))
        thread.start()
        thread.join()
        assert ids(rank(TIED)) == ["b", "a"]
    assert got == [["a", "b"]]


def test_two_threads_take_turns() -> None:
    """The second waits, and both see their own mutant alone."""
    inside, go_on = threading.Event(), threading.Event()
    seen: dict[str, Any] = {}

    def first() -> None:
        with exchanged(TURNED):
            inside.set()
            go_on.wait(10)
            seen["first"] = ids(rank(TIED))

    def second() -> None:
        inside.wait(10)
        threading.Timer(0.05, go_on.set).start()
        with exchanged([Change(band_ends, lambda ordered, gap: iter([len(ordered)]))]):
            seen["was done"] = "first" in seen
            seen["second"] = ids(rank(TIED))

    threads = [threading.Thread(target=run) for run in (first, second)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20)
    assert seen == {"first": ["b", "a"], "second": ["a", "b"], "was done": True}


def test_one_mutation_at_a_time() -> None:
    """An exchange inside another is refused, and the outer one goes on."""
    with exchanged(TURNED):
        with pytest.raises(RuntimeError, match="one mutation at a time"), exchanged(TURNED):
            pytest.fail("never inside")
        assert ids(rank(TIED)) == ["b", "a"]
    assert ids(rank(TIED)) == ["a", "b"]


@pytest.fixture
def late() -> Iterator[types.ModuleType]:
    module = types.ModuleType("steadyrank.imported_late")
    yield module
    sys.modules.pop(module.__name__, None)
    gc.collect()


def test_a_module_imported_inside_has_the_right_function_afterwards(
    late: types.ModuleType,
) -> None:
    """It binds the stand-in, which must not outlive the block."""
    with exchanged(TURNED):
        late.total_order = sys.modules["steadyrank.order.ranking"].total_order  # type: ignore[attr-defined]
        sys.modules[late.__name__] = late
        assert late.total_order is not total_order
    assert late.total_order is total_order


def test_a_stand_in_that_somebody_kept_is_the_original_again() -> None:
    """Even by a name that nothing can find, it does not go on to be wrong."""
    with exchanged(TURNED):
        kept = sys.modules["steadyrank.order.ranking"].total_order
        assert kept(TIED[0]) == (0, -1.0, -98)
    assert kept(TIED[0]) == (0, -1.0, "b")
