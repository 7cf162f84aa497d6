"""What settles a tie: ids of every kind, none, missing ones and shared ones."""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from whoosh import fields, index
from whoosh import query as q

import steadyrank
from steadyrank.postings.canonical import canonical

pytestmark = pytest.mark.whoosh

ALL = q.Term("text", "same")


@contextmanager
def no_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


def written(folder: Path, schema: fields.Schema, records: list[dict[str, Any]], seed: int) -> Any:
    """The records, each with the text ``same``, shuffled into three segments."""
    shuffled = list(records)
    random.Random(seed).shuffle(shuffled)
    folder.mkdir(exist_ok=True)
    ix = index.create_in(str(folder), schema)
    for part in range(3):
        writer = ix.writer()
        for record in shuffled[part::3]:
            writer.add_document(text="same", **record)
        writer.commit(merge=False)
    return ix


def orders(
    tmp_path: Path, schema: fields.Schema, records: list[dict[str, Any]], **settings: Any
) -> list[dict[str, Any]]:
    """The stored fields in the order of a tie; the same in three layouts, or it fails."""
    found: list[list[dict[str, Any]]] = []
    stock: list[list[dict[str, Any]]] = []
    for seed in range(3):
        ix = written(tmp_path / str(seed), schema, records, seed)
        with steadyrank.stabilize(ix, **settings).searcher() as searcher:
            results = searcher.search(ALL, limit=None)
            assert len({results.score(n) for n in range(len(results))}) == 1
            found.append([hit.fields() for hit in results])
            for k in range(1, len(records) + 1):
                docs = [doc for _, doc in searcher.search(ALL, limit=k).top_n]
                assert docs == [doc for _, doc in results.top_n[:k]]
        with ix.searcher() as searcher:
            stock.append([hit.fields() for hit in searcher.search(ALL, limit=None)])
    assert str(stock[0]) != str(stock[1]), "stock's order differs between these layouts"
    assert len({canonical(records) for records in found}) == 1  # in which NaN equals itself
    return found[0]


def text_schema(**more: Any) -> fields.Schema:
    return fields.Schema(text=fields.TEXT, **more)


ODD_IDS = [
    "a", "a\0", "a\0b", "A", "Ä", "ä", "z", "0", "00", "10", "2", " ", "\n", "\x7f", "é", "e\u0301",
    "\U0001f3d5", "\ufffd", "\ue000", "x" * 5000, "x" * 5001, "日本", "a/b?c=d&e", "'; drop",
]  # fmt: skip


@pytest.mark.parametrize("sortable", [False, True])
def test_odd_ids_compare_by_code_point(tmp_path: Path, sortable: bool) -> None:
    """NUL, emoji, very long ids: by code point, and no two are taken for one."""
    schema = text_schema(id=fields.ID(stored=True, unique=True, sortable=sortable))
    with no_warnings():
        got = orders(tmp_path, schema, [{"id": id} for id in ODD_IDS], id_field="id")
    assert [record["id"] for record in got] == sorted(ODD_IDS)
    assert sorted(ODD_IDS) != sorted(ODD_IDS, key=lambda id: id.encode("utf-16-be"))


@pytest.mark.parametrize("sortable", [False, True])
def test_numeric_ids_compare_as_numbers(tmp_path: Path, sortable: bool) -> None:
    schema = text_schema(
        id=fields.NUMERIC(stored=True, unique=True, signed=True, sortable=sortable)
    )
    numbers = [-5, 0, 2, 3, 10, 20, 100, 1000]
    got = orders(tmp_path, schema, [{"id": number} for number in numbers], id_field="id")
    assert [record["id"] for record in got] == numbers


def test_records_without_an_id_come_last_with_a_warning(tmp_path: Path) -> None:
    """Missing and empty ids: told apart by all their stored fields, the same in all layouts."""
    schema = text_schema(id=fields.ID(stored=True), name=fields.STORED)
    records: list[dict[str, Any]] = [{"id": id, "name": "n"} for id in ("b", "a", "c")]
    records += [{"name": name} for name in ("y", "x", "z")] + [{"id": "", "name": "w"}]
    with pytest.warns(steadyrank.SteadyRankWarning, match="records have no id in field 'id'"):
        got = orders(tmp_path, schema, records, id_field="id")
    assert [record.get("id") for record in got[:3]] == ["a", "b", "c"]
    assert sorted(record["name"] for record in got[3:]) == ["w", "x", "y", "z"]
    assert [record["name"] for record in got if "id" not in record] == ["x", "y", "z"]


def test_records_that_share_an_id(tmp_path: Path) -> None:
    """Shared ids are named in a warning; the records' other fields settle their tie."""
    schema = text_schema(id=fields.ID(stored=True), price=fields.STORED)
    records = [{"id": id, "price": price} for id in "abc" for price in (3, 1, 2)]
    with pytest.warns(steadyrank.SteadyRankWarning, match=r"share an id in field 'id' .'a', 'b'"):
        got = orders(tmp_path, schema, records, id_field="id")
    assert [(record["id"], record["price"]) for record in got] == sorted(
        (record["id"], record["price"]) for record in records
    )


def test_two_updates_of_one_id_in_one_writer(tmp_path: Path) -> None:
    """Whoosh leaves two live documents then; they are told apart and the warning says so."""
    schema = text_schema(id=fields.ID(stored=True, unique=True), name=fields.STORED)
    ix = index.create_in(str(tmp_path), schema)
    for names in (("six", "one"), ("two", "ten")):
        with ix.writer() as writer:
            for name in names:
                writer.update_document(id="a", name=name, text="same")
    with steadyrank.stabilize(ix, id_field="id").searcher() as searcher:
        with pytest.warns(steadyrank.SteadyRankWarning, match="share an id"):
            results = searcher.search(ALL)
        names = [hit["name"] for hit in results]
        assert names == sorted(names)
        assert len(names) > 1, "the premise: Whoosh left two"


def test_no_id_field_compares_all_stored_fields(tmp_path: Path) -> None:
    """id_field=None: every stored type has its form; identical records are one to a host."""
    schema = text_schema(one=fields.STORED, two=fields.STORED)
    values: list[Any] = [
        None, True, False, 1, 1.0, "1", b"1", -1, 10**30, 0.1, [], [1], (1, 2), {"a": 1},
        {"b": [1]}, {1, 2, 3}, frozenset("ab"), datetime(2024, 1, 1),
        datetime(2024, 1, 1, tzinfo=UTC), date(2024, 1, 1), Decimal("1.50"), "", "a\0",
    ]  # fmt: skip
    records = [{"one": value, "two": "same"} for value in values]
    records += [{"two": "twin"}, {"two": "twin"}]
    got = orders(tmp_path, schema, records, id_field=None)
    assert len(got) == len(records)


def test_a_stored_object_without_an_order_is_an_error_that_says_so(tmp_path: Path) -> None:
    schema = text_schema(thing=fields.STORED)
    ix = written(tmp_path / "x", schema, [{"thing": complex(1, n)} for n in range(4)], 1)
    with steadyrank.stabilize(ix, id_field=None).searcher() as searcher:
        with pytest.raises(TypeError, match=r"complex has no canonical order; name an id field"):
            searcher.search(ALL)
        assert len(searcher.search(q.NullQuery)) == 0


def test_an_id_field_that_cannot_be_read(tmp_path: Path) -> None:
    """Absent, or neither stored nor sortable: told when the view is made, and by a collector."""
    schema = text_schema(id=fields.ID(stored=True), hidden=fields.ID)
    ix = written(tmp_path / "x", schema, [{"id": "a"}, {"id": "b"}], 1)
    with pytest.raises(steadyrank.IdFieldError, match=r"no such field .it has: hidden, id, text"):
        steadyrank.stabilize(ix, id_field="sku")
    with pytest.raises(KeyError, match="neither stored nor sortable"):
        steadyrank.stabilize(ix, id_field="hidden")
    for settings in ({"tiebreak": "-nope"}, {"document_field": "nope"}, {"route": "nope"}):
        with pytest.raises(steadyrank.IdFieldError, match="nope"):
            steadyrank.stabilize(ix, **settings)
    with ix.searcher() as searcher, pytest.raises(steadyrank.IdFieldError):
        searcher.search_with_collector(ALL, steadyrank.SteadyCollector(5, id_field="sku"))


def priced(values: list[Any], field: Any) -> tuple[fields.Schema, list[dict[str, Any]]]:
    schema = text_schema(id=fields.ID(stored=True), price=field)
    records: list[dict[str, Any]] = []
    for number, value in enumerate(values):
        for twin in "ab":
            record = {"id": f"{number}{twin}"}
            records.append(record if value is None else {**record, "price": value})
    return schema, records


@pytest.mark.parametrize("sortable", [False, True])
@pytest.mark.parametrize("descending", [False, True])
def test_tiebreak_by_a_number_then_id(tmp_path: Path, sortable: bool, descending: bool) -> None:
    """("-price", "id"): the key before the id, and the id ascending in both directions."""
    schema, records = priced([9, 10, 100, -3], fields.NUMERIC(stored=True, sortable=sortable))
    key = "-price" if descending else "price"
    for tiebreak in (key, (key, "id")):
        folder = tmp_path / str(len(tiebreak))
        folder.mkdir()
        got = orders(folder, schema, records, tiebreak=tiebreak)
        sign = -1 if descending else 1
        expected = sorted(records, key=lambda record: (sign * record["price"], record["id"]))
        assert got == expected


def test_tiebreak_by_odd_numbers(tmp_path: Path) -> None:
    """Floats, infinities, decimals and NaN: NaN has its own place, after all numbers."""
    values = [2, 1.5, Decimal("1.75"), float("inf"), float("-inf"), float("nan")]
    schema, records = priced(values, fields.STORED)
    got = orders_of_ids(tmp_path, schema, records, tiebreak="price")
    assert [id[0] for id in got[::2]] == ["4", "1", "2", "0", "3", "5"]
    assert [id[1] for id in got] == ["a", "b"] * 6


def test_tiebreak_by_dates(tmp_path: Path) -> None:
    """Dates in the order of time, with and without microseconds or a time zone."""
    moments = [
        datetime(2024, 3, 1, 12, 0, 0, 5),
        datetime(2024, 3, 1, 12, 0, 1),
        datetime(2024, 3, 1, 12),
        datetime(2023, 12, 31, 23, 59, 59, 999999),
    ]
    schema, records = priced(moments, fields.STORED)
    got = orders_of_ids(tmp_path, schema, records, tiebreak="-price")
    assert [id[0] for id in got[::2]] == ["1", "0", "2", "3"]
    zoned = [
        datetime(2024, 3, 1, 12, tzinfo=timezone(timedelta(hours=hours))) for hours in (5, 0, -5)
    ]
    (tmp_path / "zoned").mkdir()
    schema, records = priced(zoned, fields.STORED)
    got = orders_of_ids(tmp_path / "zoned", schema, records, tiebreak="price")
    assert [id[0] for id in got[::2]] == ["0", "1", "2"]


def orders_of_ids(tmp_path: Path, *arguments: Any, **settings: Any) -> list[str]:
    return [record["id"] for record in orders(tmp_path, *arguments, **settings)]


def test_natural_order(tmp_path: Path) -> None:
    """natural("id"): runs of digits as numbers; natural("-id") the other way round."""
    given = ["item2", "item10", "item1", "item01", "item", "10", "9", "2a"]
    schema = text_schema(id=fields.ID(stored=True))
    records = [{"id": id} for id in given]
    got = orders_of_ids(tmp_path, schema, records, tiebreak=steadyrank.natural("id"))
    assert got == ["2a", "9", "10", "item", "item01", "item1", "item2", "item10"]
    (tmp_path / "down").mkdir()
    got = orders_of_ids(tmp_path / "down", schema, records, tiebreak=steadyrank.natural("-id"))
    assert got == ["item10", "item2", "item01", "item1", "item", "10", "9", "2a"]
