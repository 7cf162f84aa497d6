"""Span queries over an Or: stock Whoosh raises or not, by size and limit; ours always answers."""

from __future__ import annotations

from pathlib import Path

import pytest
from whoosh import query as q

from support_faults import EVERYWHERE, check_fault, numbered, ours, stock, texts

pytestmark = pytest.mark.whoosh

FIVE = q.Or([q.Term("text", word) for word in ("tent", "stove", "lamp", "boot", "rope")])
LAMP = q.Term("text", "lamp")
TEXTS = ["tent stove lamp boot rope", "tent lamp", "stove boot tent", "rope"]

# Over an array union, which has no positions: which distributions raise, and what is right.
QUERIES = [
    (q.SpanNot(FIVE, LAMP), {"a00", "a01", "a02", "a03"}),
    (q.SpanContains(FIVE, LAMP), {"a00", "a01"}),
    (q.SpanBefore(FIVE, LAMP), {"a00", "a01"}),
    (q.SpanFirst(FIVE), {"a00", "a01", "a02", "a03"}),
]


@pytest.mark.parametrize(("query", "right"), QUERIES, ids=lambda value: type(value).__name__)
def test_spans_over_an_or(tmp_path: Path, query: q.Query, right: set[str]) -> None:
    """2.7.4 and reloaded say that the field does not support spans, which it does."""
    ix = texts(tmp_path, numbered(*TEXTS))
    raised = False
    try:
        found = {id for id, _ in stock(ix, query, limit=None)}
    except Exception as error:  # they raise a bare Exception
        raised = "does not support spans" in str(error)
    check_fault(raised, EVERYWHERE - {"whoosh3"})
    if not raised:
        assert found == right
    assert {id for id, _ in ours(ix, query, limit=None)} == right


@pytest.mark.parametrize(("terms", "where"), [(False, frozenset({"whoosh3"})), (True, EVERYWHERE)])
def test_first_spans_over_an_or_with_a_limit(
    tmp_path: Path, terms: bool, where: frozenset[str]
) -> None:
    """A tree of the Or has positions until it is pruned: SpanFirst then raises with a limit."""
    ix = texts(tmp_path, numbered(*TEXTS * 5))
    query = q.SpanFirst(FIVE)
    raised = False
    try:
        stock(ix, query, limit=3, terms=terms)
    except NotImplementedError:
        raised = True
    except Exception as error:  # an array has none at all, and raises a bare Exception
        assert "does not support spans" in str(error)
    check_fault(raised, where)
    assert ours(ix, query, limit=3, terms=terms) == ours(ix, query, limit=None)[:3]
    assert len(ours(ix, query, limit=None)) == 20


def test_one_clear_error_without_positions(tmp_path: Path) -> None:
    """A phrase over a field without positions is the same error in every index."""
    from steadyrank.errors import UnsupportedQueryError

    ix = texts(tmp_path, numbered("tent"))
    query = q.SpanNot(q.Or([q.Term("id", "a00"), LAMP, FIVE]), LAMP)
    with pytest.raises(UnsupportedQueryError, match="field 'id' stores no positions"):
        ours(ix, query)
