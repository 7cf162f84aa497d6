"""More than 5,000 documents, where stock Whoosh changes its matchers and so its sums."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import pytest
from whoosh import index, query

from support_asked import PLAIN, asked
from support_layouts import Record, corpus
from support_machine import Ranking, rankings, schema, stock_rankings, stored

pytestmark = [pytest.mark.whoosh, pytest.mark.slow]

SIZE = 5_200
QUERIES = asked(60, 3)
PLAIN_ONES = asked(30, 2, PLAIN)
TOP = 25


def _records() -> list[Record]:
    # Short texts: the first words of each, so that writing them takes seconds.
    from dataclasses import replace

    found = corpus(11, SIZE)
    return [replace(one, text=" ".join(one.text.split()[:5])) for one in found]


@cache
def one_segment() -> Any:
    ix = index.create_in(mkdtemp(), schema())
    writer = ix.writer()
    for record in _records():
        writer.add_document(**stored(record))
    writer.commit()
    return ix


def _six_segments(folder: Path) -> Any:
    ix = index.create_in(str(folder), schema())
    records = sorted(_records(), key=lambda record: record.id[::-1])
    for part in range(6):
        writer = ix.writer()
        for record in records[part::6]:
            writer.add_document(**stored(record))
        writer.commit(merge=False)
    return ix


def _resave(ix: Any, count: int) -> None:
    writer = ix.writer()
    for record in _records()[:count]:
        writer.update_document(**stored(record))
    writer.commit(merge=False)


def _stages(folder: Path) -> Iterator[tuple[str, Any]]:
    ix = _six_segments(folder)
    yield "six segments", ix
    _resave(ix, 200)
    yield "two hundred resaved", ix
    ix.optimize()
    yield "optimized", ix


def test_thousands_of_documents_rank_alike_in_every_layout(tmp_path: Path) -> None:
    """Tops, totals and score bits of one large segment, of six, resaved and optimized."""
    large = one_segment()
    assert large.reader().doc_count_all() > 5_000
    wanted = [_with_total(large, gap) for gap in (0.0, 0.5)]
    stock = stock_rankings(large, PLAIN_ONES)
    for name, ix in _stages(tmp_path):
        differs = sum(
            one != two for one, two in zip(stock, stock_rankings(ix, PLAIN_ONES), strict=True)
        )
        assert differs > 10, f"{name}: stock agrees with itself, so this proves nothing"
        assert [_with_total(ix, gap) for gap in (0.0, 0.5)] == wanted, name


def _with_total(ix: Any, gap: float) -> list[Ranking]:
    questions: list[query.Query] = QUERIES if gap == 0.0 else QUERIES[::2]
    return rankings(ix, questions, TOP, gap=gap)
