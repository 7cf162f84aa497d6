"""collapse and groupedby over sortable fields, whose values are read once for all searches."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import fields, index, sorting

import steadyrank
from steadyrank.postings.numbered import Numbered
from support_dropin import WORDS_QUERY, assert_same, found, id_lists
from support_layouts import Layout, Record, corpus, schema, write

pytestmark = pytest.mark.whoosh


def sortable() -> fields.Schema:
    """The plain schema with columns for the tag and the price."""
    plain = schema()
    plain.remove("tag")
    plain.remove("price")
    plain.add("tag", fields.ID(stored=True, sortable=True))
    plain.add("price", fields.NUMERIC(stored=True, sortable=True))
    return plain


def collapsed(ranking: list[tuple[str, float]], names: dict[str, Any], limit: int) -> Any:
    """The definition: of the whole ranking the first so many of each name, and what went."""
    seen = Counter[Any]()
    kept = []
    for id_, score in ranking:
        seen[names[id_]] += 1
        if seen[names[id_]] <= limit or not names[id_]:
            kept.append((id_, score))
    return kept, {name: count - limit for name, count in seen.items() if name and count > limit}


@settings(max_examples=25)
@given(
    seed=st.integers(0, 1000),
    segments=st.integers(1, 4),
    columns=st.booleans(),
    key=st.sampled_from(["tag", "price"]),
    limit=st.integers(1, 4),
    top=st.sampled_from([None, 1, 3]),
    policy=st.sampled_from([{}, {"gap": 0.5}, {"route": "route"}, {"tiebreak": ["-price"]}]),
    reverse=st.booleans(),
    asked_before=st.booleans(),
)
def test_the_first_of_each_key_of_the_whole_ranking_stay(
    seed: int,
    segments: int,
    columns: bool,
    key: str,
    limit: int,
    top: int | None,
    policy: dict[str, Any],
    reverse: bool,
    asked_before: bool,
) -> None:
    """Whatever decides the order, whatever kind of field has the keys, in every layout."""
    records = corpus(seed, 40)
    if "gap" in policy:
        reverse = False  # bands have no reverse
    with tempfile.TemporaryDirectory() as folder:
        own = sortable() if columns else schema()
        own.add("route", fields.NUMERIC(stored=True))
        layout = Layout(seed=seed, segments=segments, leftovers=5)
        ix = write(Path(folder), [WithRoute(record) for record in records], layout, own)
        names = {record.id: getattr(record, key) for record in records}
        steady = steadyrank.stabilize(ix, id_field="id", **policy)
        with steady.searcher() as searcher:
            ranking = found(searcher.search(WORDS_QUERY, limit=None, reverse=reverse))
            kept, gone = collapsed(ranking, names, limit)
            if asked_before:
                searcher.search(WORDS_QUERY, collapse=key, limit=1)
            results = searcher.search(
                WORDS_QUERY, collapse=key, collapse_limit=limit, limit=top, reverse=reverse
            )
            assert found(results) == kept[:top]
            assert len(results) == len(kept)
            assert dict(results.collapsed_counts) == gone
        ix.close()


class WithRoute:
    """A record that goes one of three ways; ``write`` asks for nothing else of one."""

    def __init__(self, record: Record) -> None:
        self.id = record.id
        self._stored = record.stored() | {"route": record.price % 3}

    def stored(self) -> dict[str, Any]:
        return self._stored


@settings(max_examples=15)
@given(
    seed=st.integers(0, 1000),
    columns=st.booleans(),
    facet=st.sampled_from(["tag", "price"]),
    maptype=st.sampled_from([None, sorting.Count, sorting.Best, sorting.UnorderedList]),
    reverse=st.booleans(),
)
def test_groups_come_in_one_order_in_every_layout(
    seed: int, columns: bool, facet: str, maptype: Any, reverse: bool
) -> None:
    """As their first hit comes, or by name; stock has them as documents lie."""
    records = corpus(seed, 40)
    shown = []
    for layout in (Layout(seed, 1), Layout(seed + 1, 3, leftovers=4), Layout(seed + 2, 2, 2, 3)):
        with tempfile.TemporaryDirectory() as folder:
            ix = write(Path(folder), records, layout, sortable() if columns else schema())
            with steadyrank.stabilize(ix, id_field="id").searcher() as searcher:
                results = searcher.search(
                    WORDS_QUERY, groupedby=facet, maptype=maptype, limit=None, reverse=reverse
                )
                groups = results.groups()
                if maptype is sorting.Count:
                    shown.append(list(groups.items()))
                elif maptype is sorting.Best:
                    found_ids = {k: searcher.stored_fields(doc)["id"] for k, doc in groups.items()}
                    shown.append(list(found_ids.items()))
                else:
                    lists = id_lists(groups, searcher)
                    if maptype is sorting.UnorderedList:
                        lists = {name: sorted(group) for name, group in lists.items()}
                    shown.append(list(lists.items()))
            ix.close()
    assert shown[0] == shown[1] == shown[2]
    assert len(shown[0]) > 1


def test_a_field_made_sortable_later(tmp_path: Path) -> None:
    """A segment without a column has the column's default, as in stock, whatever is stored."""
    records = corpus(3, 30)
    ix = write(tmp_path, records[:15], Layout(3, 2))
    writer = ix.writer()
    writer.remove_field("tag")
    writer.add_field("tag", fields.ID(stored=True, sortable=True))
    for record in records[15:]:
        writer.add_document(**record.stored())
    writer.commit(merge=False)
    plain = index.open_dir(str(tmp_path))
    with plain.searcher() as stock:
        steady = steadyrank.stabilize(plain, id_field="id", statistics="whoosh")
        with steady.searcher() as ours:
            for maptype in (None, sorting.Count):
                arguments = {"groupedby": "tag", "maptype": maptype, "limit": None}
                theirs = stock.search(WORDS_QUERY, **arguments)
                results = ours.search(WORDS_QUERY, **arguments)
                assert_same(results, theirs)
                assert "" in theirs.groups()
                assert set(results.groups()) == set(theirs.groups())
                if maptype is sorting.Count:
                    assert results.groups() == theirs.groups()


@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=50), st.data())
def test_values_are_read_once(values: list[str], data: st.DataObject) -> None:
    """Whatever is asked in whatever order, a document is read once and keeps its number."""
    numbered = Numbered(len(values))
    read: list[int] = []

    def value(doc: int) -> str:
        read.append(doc)
        return values[doc]

    def asked() -> list[int]:
        return data.draw(st.lists(st.integers(0, len(values) - 1), unique=True))

    for docs in (asked(), asked(), asked()):
        numbers = numbered.of(np.array(docs, np.int64), lambda: value, lambda: None)
        assert [numbered.values[number] for number in numbers] == [values[doc] for doc in docs]
    assert len(read) == len(set(read))
    assert len(numbered.values) == len(set(numbered.values))
