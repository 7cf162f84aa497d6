"""No bytes make a reader raise, and every record is counted once."""

from __future__ import annotations

import csv
import io
import json
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steadyrank_builder.formats import FORMATS, ReadOptions, open_source
from steadyrank_builder.material import Source
from steadyrank_builder.records import Accepted, Rejected
from support_reading import Read

NAMES = [f"a{suffix}" for info in FORMATS for suffix in info.suffixes]
PIECES = [
    b"---\n",
    b"title: A\n",
    b"# H\n",
    b"## H {#x}\n",
    b"```\n",
    b"- ",
    b"> ",
    b"|a|b|\n|-|-|\n",
    b"<h2>",
    b"</h2>",
    b"<div>",
    b"<p>t",
    b"<Card title='x'>\n",
    b"</Card>",
    b"{/*",
    b"*/}",
    b"`",
    b"import x from 'y'\n",
    b"&amp;",
    b"&#0;",
    b"[a](b)",
    b"![",
    b"\\",
    b"\r",
    b"\n",
    b"\n\n",
    b"\0",
    b"Handle,Title,Variant SKU,Variant Price\n",
    b"slug,sku,name\n",
    b"id,title,text,kind\n",
    b"question,answer\n",
    b"a,b,c,d\n",
    b",,,\n",
    b'"',
    b'""',
    b";",
    b"\t",
    b"\xff",
    b"\xef\xbb\xbf",
    b"\xff\xfe",
    b"\xed\xa0\x80",
    b'{"question": "q", "answer": "a"}\n',
    b"[",
    b"]",
    b"{",
    b"}",
    b":",
    b'{"id": 1, "title": "t", "text": "x", "kind": "k"}',
    b"\\ud800",
    b"NaN",
    b"1e999",
    b"&a ",
    b"*a ",
    b"- question: q\n  answer: a\n",
    b"faq:\n",
    b"cases:\n",
    b"!!python/object:os.system ",
    b"text",
]
SOUP = st.lists(st.sampled_from(PIECES) | st.binary(max_size=8), max_size=25).map(b"".join)
QUICK = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


def read_bytes(name: str, content: bytes, **options: str) -> Read:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        return Read(open_source(Source(path, name, name, "file"), ReadOptions(**options)))  # type: ignore[arg-type]


@settings(QUICK, max_examples=400)
@given(st.sampled_from(NAMES), SOUP, st.sampled_from([None, "utf-16-le", "latin-1", "utf-7"]))
def test_no_bytes_raise_and_outcomes_are_sound(
    name: str, content: bytes, encoding: str | None
) -> None:
    options = {"kind": "k"} | ({"encoding": encoding} if encoding else {})
    lines = 1 + len(content)
    for outcome in read_bytes(name, content, **options).outcomes:
        assert outcome.records >= 1
        assert 1 <= outcome.origin.line <= outcome.origin.end_line <= lines
        if isinstance(outcome, Accepted):
            document = outcome.document
            assert document.digest  # all of it can be written as UTF-8
            assert document.id == document.id.strip() != ""
            assert "\0" not in document.id
            assert document.title or document.text
        elif isinstance(outcome, Rejected):
            assert outcome.code and outcome.message


@settings(QUICK, max_examples=150)
@given(st.sampled_from([info.name for info in FORMATS]), SOUP)
def test_no_bytes_raise_in_a_chosen_format(name: str, content: bytes) -> None:
    read_bytes("a", content, format=name, kind="k")


@settings(QUICK, max_examples=100)
@given(
    st.lists(
        st.sampled_from([json.dumps(x) for x in (1, {}, {"question": "Q", "answer": "A"})])
        | st.sampled_from(["", "  ", "{", "\\", '{"question": 1, "answer": null}'])
    )
)
def test_the_records_of_jsonl_are_its_lines_that_are_not_blank(lines: list[str]) -> None:
    content = "\n".join(['{"question": "Q", "answer": "A"}', *lines]).encode()
    expected = 1 + sum(1 for line in lines if line.strip())
    assert read_bytes("a.jsonl", content).records == expected


CELL = st.sampled_from(["", "a", "b", "Mug", "TRUE", "FALSE", "draft", "x\ny", 'q"', "1.00"])


@settings(QUICK, max_examples=150)
@given(st.lists(st.lists(CELL, min_size=6, max_size=6), max_size=12))
def test_the_records_of_a_product_table_are_its_rows(rows: list[list[str]]) -> None:
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(["Handle", "Title", "Variant SKU", "Variant Price", "Published", "Status"])
    writer.writerows(rows)
    got = read_bytes("a.csv", out.getvalue().encode())
    assert got.records == len(rows)
    assert len(set(got.ids)) == len(got.ids)


@settings(QUICK, max_examples=60)
@given(st.lists(st.tuples(st.sampled_from("abc"), st.booleans()), max_size=14))
def test_products_do_not_depend_on_where_their_further_rows_stand(
    rows: list[tuple[str, bool]],
) -> None:
    """Rows in any order below the titled ones give the documents that sorted rows give."""
    header = "Handle,Title,Variant SKU,Variant Price\n"
    titled = [f"{handle},Title {handle},{handle}-0,1\n" for handle in "abc"]
    further = [f"{handle},,{handle}-{n},1\n" for n, (handle, _) in enumerate(rows, 1)]
    scattered = header + "".join(titled + further)
    together = header + "".join(sorted(titled + further, key=lambda row: row[0]))
    documents = [
        {
            each.document.id: each.document.digest
            for each in read_bytes("a.csv", x.encode()).accepted
        }
        for x in (scattered, together)
    ]
    assert documents[0] == documents[1]
    assert len(documents[0]) == 3
