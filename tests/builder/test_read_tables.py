"""Bytes to text to rows: one reading of a file or a reject that says where it fails."""

from __future__ import annotations

from pathlib import Path

import pytest

from steadyrank_builder.errors import ReadOptionError
from steadyrank_builder.formats import ReadOptions
from support_reading import read

TABLE = "id,title,text,kind\n1,Crème,für £5,x\n"


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "utf-16", "utf-32"],
)
def test_a_byte_order_mark_decides_and_hides_no_column(tmp_path: Path, encoding: str) -> None:
    got = read(tmp_path, "a.csv", TABLE.encode(encoding))
    assert [(doc.id, doc.title, doc.text) for doc in got.documents] == [("1", "Crème", "für £5")]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_either_byte_order_is_read_with_its_mark(tmp_path: Path, encoding: str) -> None:
    got = read(tmp_path, "a.csv", ("\ufeff" + TABLE).encode(encoding))
    assert got.ids == ["1"]


def test_other_bytes_are_refused_with_offset_line_and_a_hint(tmp_path: Path) -> None:
    # "id,title,text,kind\n" is 19 bytes, "1,Cr" four more; the e grave is byte 23.
    got = read(tmp_path, "a.csv", TABLE.encode("cp1252"))
    assert got.rejects == [("encoding", 2, 2, 1)]
    assert "offset 23 (line 2)" in got.message
    assert "--encoding cp1252" in got.message


@pytest.mark.parametrize(
    ("content", "encoding"),
    [(TABLE.encode() + b"\xe2\x82", None), (TABLE.encode("utf-16-le") + b"x", "utf-16-le")],
)
def test_half_a_character_at_the_end_is_refused(
    tmp_path: Path, content: bytes, encoding: str | None
) -> None:
    assert read(tmp_path, "a.csv", content, encoding=encoding).rejects == [("encoding", 3, 3, 1)]


def test_the_named_encoding_wins(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", TABLE.encode("cp1252"), encoding="cp1252")
    assert got.documents[0].title == "Crème"


def test_utf16_without_a_mark_is_named_as_such(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "id,title,text,kind\n1,T,x,y\n".encode("utf-16-le"))
    assert got.rejects == [("nul-byte", 1, 1, 1)]
    assert "--encoding utf-16-le" in got.message


def test_an_unknown_encoding_is_a_wrong_option() -> None:
    with pytest.raises(ReadOptionError, match="klingon"):
        ReadOptions(encoding="klingon")


@pytest.mark.parametrize("content", [b"", b"\n", b"\xef\xbb\xbf", b" \r\n\t"])
@pytest.mark.parametrize("name", ["a.csv", "a.json", "a.jsonl", "a.yaml", "a.md", "a.html"])
def test_a_file_without_content_is_a_reject(tmp_path: Path, name: str, content: bytes) -> None:
    assert read(tmp_path, name, content).rejects == [("empty-file", 1, 1, 1)]


@pytest.mark.parametrize("delimiter", list(",;\t|"))
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_delimiters_and_line_ends(tmp_path: Path, delimiter: str, end: str) -> None:
    lines = ["id,title,text,kind", '1,One,"a', 'b",x', "2,Two,c,x"]
    got = read(tmp_path, "a.csv", end.join(lines).replace(",", delimiter))
    assert [(doc.id, doc.text) for doc in got.documents] == [("1", "a\nb"), ("2", "c")]
    assert [(each.origin.line, each.origin.end_line) for each in got.accepted] == [(2, 3), (4, 4)]


def test_the_line_that_names_a_delimiter_for_excel_is_no_header(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "sep=;\nid;title;text;kind\n1;T;x;y\n")
    assert got.ids == ["1"]
    assert got.accepted[0].origin.line == 3


ROWS = """id,title,text,kind
1,A,a,x
2,B,b

3,C,c,x,more
4,"D" d,d,x
5,E,"say \\"hi\\", ok",x
6,F,f,x
,,,
7,G,"open,x
8,H,h,x
"""


def test_faulty_rows_are_rejects_with_their_lines_and_the_rest_is_read(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", ROWS)
    assert got.ids == ["1", "6"]
    assert got.rejects == [
        ("ragged-row", 3, 3, 1),
        ("ragged-row", 5, 5, 1),
        ("csv", 6, 6, 1),
        ("csv", 7, 7, 1),
        ("csv", 10, 11, 1),
    ]
    assert got.skips == [("empty row", 9, 9, 1)]


def test_a_nul_byte_rejects_its_row_only(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "id,title,text,kind\n1,A\0,a,x\n2,B,b,x\n")
    assert got.rejects == [("nul-byte", 2, 2, 1)]
    assert got.ids == ["2"]


def test_a_cell_over_the_limit_of_the_csv_module_is_read(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", f"id,title,text,kind\n1,T,{'x' * 200_000},y\n")
    assert len(got.documents[0].text) == 200_000


def test_two_columns_of_one_name_reject_the_file_as_one_record(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "id,title,text,kind, Title\n1,T,x,y,U\n2,T,x,y,U\n")
    assert got.rejects == [("duplicate-header", 1, 1, 1)]
    assert "'Title'" in got.message


def test_a_column_without_a_name_is_harmless_until_it_holds_something(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "id,title,text,kind,,\n1,T,x,y,,\n2,T,x,y,,lost\n")
    assert got.ids == ["1"]
    assert got.rejects == [("unnamed-column", 3, 3, 1)]
    assert "column 6" in got.message


def test_a_table_of_a_header_alone_has_no_records(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "id,title,text,kind\n")
    assert (got.format, got.outcomes) == ("csv", [])


@pytest.mark.parametrize("price", ["12,50", "-3,5", "1299,00 €"])
def test_a_decimal_comma_between_commas_is_told_as_one(tmp_path: Path, price: str) -> None:
    header = "Handle,Title,Variant SKU,Variant Price,Vendor\n"
    got = read(tmp_path, "a.csv", f"{header}mug,Mug,s,{price},v\n")
    assert got.rejects == [("ragged-row", 2, 2, 1)]
    assert f"If {price} is a number with a decimal comma" in got.message
    assert '";" between the columns' in got.message


@pytest.mark.parametrize("row", ["mug,Mug,s,9.00,v,w,x", "mug,Mug,s,9", "mug,Mug,12,500,9.00,v"])
def test_other_ragged_rows_are_not_taken_for_decimal_commas(tmp_path: Path, row: str) -> None:
    header = "Handle,Title,Variant SKU,Variant Price,Vendor\n"
    got = read(tmp_path, "a.csv", f"{header}{row}\n")
    assert "decimal comma" not in got.message


@pytest.mark.parametrize("price", ["12,50", "1.299,00"])
def test_a_decimal_comma_between_semicolons_is_the_price_as_written(
    tmp_path: Path, price: str
) -> None:
    header = "Handle;Title;Variant SKU;Variant Price\n"
    (document,) = read(tmp_path, "a.csv", f"{header}mug;Mug;s;{price}\n").documents
    assert document.attributes["price_min"] == price
