"""Tie-break keys of records that have no value for them."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest
from whoosh import fields, index
from whoosh import query as q

import steadyrank

pytestmark = pytest.mark.whoosh

# Written in this order, two to a segment: one has only dates, one none, one both.
DAYS = [("b", 2), ("d", 4), ("x", None), ("a", None), ("c", 3), ("y", None)]


@pytest.mark.parametrize("sortable", [False, True])
@pytest.mark.parametrize("shift", range(6))
@pytest.mark.parametrize(
    ("tiebreak", "expected"),
    [("day", ["b", "c", "d", "a", "x", "y"]), ("-day", ["d", "c", "b", "a", "x", "y"])],
)
def test_a_date_that_is_not_there_comes_last(
    tmp_path: Path, sortable: bool, shift: int, tiebreak: str, expected: list[str]
) -> None:
    """Ascending or descending, stored or in a column whose default is no date at all."""
    schema = fields.Schema(
        id=fields.ID(stored=True),
        text=fields.TEXT,
        day=fields.DATETIME(stored=True, sortable=sortable),
    )
    ix = index.create_in(str(tmp_path), schema)
    days = DAYS[shift:] + DAYS[:shift]
    for start in (0, 2, 4):
        writer = ix.writer()
        for id, day in days[start : start + 2]:
            value = {} if day is None else {"day": datetime(2024, 1, day)}
            writer.add_document(id=id, text="same", **value)
        writer.commit(merge=False)
    with steadyrank.stabilize(ix, tiebreak=tiebreak).searcher() as searcher:
        hits = searcher.search(q.Term("text", "same"), limit=None)
        assert [hit["id"] for hit in hits] == expected
