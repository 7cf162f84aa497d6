"""Columns and stored fields that we open say of every record what Whoosh's own opening says."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from whoosh import fields, index
from whoosh.columns import CompressedBytesColumn, NumericColumn, RefBytesColumn, VarBytesColumn

from steadyrank.postings import IndexView
from steadyrank.postings.byte_columns import _Bytes, _Records, _StoredFields, quick

pytestmark = pytest.mark.whoosh

Records = list[dict[str, Any]]

values = st.one_of(
    st.text(max_size=5),
    st.integers(),
    st.floats(allow_nan=False),
    st.lists(st.integers(), max_size=3),
    # Nothing a compressor could shorten, so that lengths take one byte, two or four.
    st.sampled_from([10, 300, 70_000]).map(lambda size: random.Random(size).randbytes(size)),
)
records = st.dictionaries(st.sampled_from("abc"), values)  # no field, some, or all
segments_of = st.lists(st.lists(records, min_size=1, max_size=9), min_size=1, max_size=3)


@contextmanager
def written(segments: list[Records], *, compound: bool = True) -> Iterator[Any]:
    """An index that numbers the records from 0 on in ``id``, which is not stored."""
    schema = fields.Schema(**{name: fields.STORED() for name in "abc"}, id=fields.ID(unique=True))
    with tempfile.TemporaryDirectory() as folder:
        ix = index.create_in(folder, schema)
        numbers = count()
        for segment in segments:
            writer = ix.writer(compound=compound)
            for record in segment:
                writer.add_document(id=str(next(numbers)), **record)
            writer.commit(merge=False)
        yield ix


def leaves(reader: Any) -> list[Any]:
    return [leaf for leaf, _ in reader.leaf_readers()]


@settings(max_examples=60)
@given(segments=segments_of, compound=st.booleans(), gone=st.sets(st.integers(0, 26)))
def test_each_record_is_what_whoosh_reads(
    segments: list[Records], compound: bool, gone: set[int]
) -> None:
    """Of deleted documents too; and Whoosh itself reads records the way we opened them."""
    with written(segments, compound=compound) as ix:
        writer = ix.writer()
        for number in gone:
            writer.delete_by_term("id", str(number))
        writer.commit(merge=False)
        with ix.reader() as stock, ix.reader() as reader:
            numbers = range(stock.doc_count_all())
            expected = [stock.stored_fields(number) for number in numbers]
            view = IndexView(reader)
            for name in "abc":
                for number in reversed(numbers):
                    assert view.value(name, number) == expected[number].get(name)
            assert [reader.stored_fields(number) for number in numbers] == expected
            for leaf, other in zip(leaves(reader), leaves(stock), strict=True):
                assert leaf._perdoc is not other._perdoc
                ours, theirs = (of._perdoc._readers["_stored"] for of in (leaf, other))
                assert type(ours) is _StoredFields
                assert type(ours._child) is _Records
                assert type(theirs._child) is CompressedBytesColumn.Reader
                assert list(ours._child._offsets) == list(theirs._child._offsets)
                assert list(ours._child._lengths) == list(theirs._child._lengths)


@pytest.mark.parametrize("size", [2**15, 2**15 + 1])
def test_many_records_with_and_without_places_written(size: int) -> None:
    """Above 32,768 documents Whoosh writes where each record begins."""
    segment: Records = [{"a": "x" * (number % 9)} if number % 3 else {} for number in range(size)]
    with written([segment]) as ix, ix.reader() as stock, ix.reader() as reader:
        IndexView(reader)
        for number in [*range(0, size, 97), size - 1]:
            assert reader.stored_fields(number) == stock.stored_fields(number) == segment[number]
        child = reader._perdoc._readers["_stored"]._child
        assert child.had_stored_offsets == (size > 2**15)


def test_nothing_is_opened_before_it_is_asked_for() -> None:
    with written([[{"a": 1}]]) as ix, ix.reader() as reader:
        IndexView(reader)
        assert "_stored" not in reader._perdoc._colfiles
        reader.stored_fields(0)
        assert "_stored" in reader._perdoc._colfiles  # and so is closed with the reader


def test_what_is_open_already_stays() -> None:
    with written([[{"a": 1}]]) as ix, ix.reader() as reader:
        reader.stored_fields(0)
        opened = reader._perdoc._readers["_stored"]
        IndexView(reader)
        assert reader._perdoc._readers["_stored"] is opened


texts = st.one_of(st.none(), st.text(max_size=4), st.integers(1, 300).map("x".__mul__))


@settings(max_examples=40)
@given(values=st.lists(texts, min_size=1, max_size=12), long=st.booleans())
def test_each_value_of_a_column_is_what_whoosh_reads(values: list[str | None], long: bool) -> None:
    """With values that are missing or empty, also at the end; a long one makes lengths wider."""
    if long:
        values = [*values, "y" * 70_000, None]
    schema = fields.Schema(a=fields.ID(sortable=True), b=fields.STORED())
    with tempfile.TemporaryDirectory() as folder:
        ix = index.create_in(folder, schema)
        writer = ix.writer()
        for value in values:
            writer.add_document(b=1, **({} if value is None else {"a": value}))
        writer.commit()
        with ix.reader() as reader:
            view = IndexView(reader)
            if not reader.has_column("a"):
                assert set(values) == {None}
                return
            stock = reader.column_reader("a")
            ours = reader.column_reader("a", quick(schema["a"].column_type))
            assert type(ours.raw_column()) is _Bytes.Reader
            assert type(stock.raw_column()) is VarBytesColumn.Reader
            assert list(ours) == list(stock) == [value or "" for value in values]
            for number in reversed(range(len(values))):
                assert view.value("a", number) == ours[number] == stock[number]


@pytest.mark.parametrize("column", [NumericColumn("i"), RefBytesColumn(), None])
def test_other_columns_are_opened_as_ever(column: Any) -> None:
    assert quick(column) is column
