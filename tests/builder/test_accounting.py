"""Every record is counted once and found by its line, whatever is done to a file."""

from __future__ import annotations

import csv
import io
import json
import random
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from steadyrank_builder.formats import ReadOptions, open_source
from steadyrank_builder.intake import take_in
from steadyrank_builder.intake.shelf import Shelf
from steadyrank_builder.material import Source
from steadyrank_builder.records import Rejected
from support_reading import SHARED, Read

QUICK = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])

SHOPIFY = (
    "Handle,Title,Body (HTML),Variant SKU,Variant Price,Option1 Name,Option1 Value,Status\n"
    'mug,Mug,"<p>Steel,\n450 ml</p>",M-R,9.00,Color,Red,active\nmug,,,M-B,9.00,,Blue,\n'
    "cup,Cup,<b>Cork</b>,C,4.00,Title,Default Title,draft\n,,,,,,,\nlamp,Lamp,,L,1,,,\n"
)
SEEDS: dict[str, str] = {
    "shopify.csv": SHOPIFY,
    "spree.csv": "slug,sku,name,price\nmug,M,Mug,1\nmug,M-1,,2\ncup,C,Cup,3\nmug,M-1,,4\n",
    "woo.csv": (
        "ID,Type,SKU,Name,Published,Parent\n2,variation,M-1,x,1,id:1\n1,variable,M,Mug,1,\n"
        "3,variation,M-2,x,1,M\n4,simple,C,Cup,-1,\n5,variation,Z,z,1,id:9\n"
    ),
    "google.tsv": (
        "id\ttitle\tdescription\tlink\tprice\titem_group_id\n1\tMug\tx\tu\t1 EUR\tg\n"
        "2\tCup\ty\tu\t2 EUR\t\n3\tMug\tx\tu\t3 EUR\tg\n"
    ),
    "google.xml": (
        '<?xml version="1.0"?>\n<rss xmlns:g="http://base.google.com/ns/1.0"><channel>\n'
        "<item><g:id>1</g:id><title>Mug</title>\n<g:item_group_id>g</g:item_group_id></item>\n"
        "<item><g:id>2</g:id><title>Cup</title></item>\n"
        "<item><g:id>3</g:id><title>Mug</title><g:item_group_id>g</g:item_group_id></item>\n"
        "</channel></rss>\n"
    ),
    "shopify.json": json.dumps(
        {"products": [{"handle": "m", "title": "M", "body_html": "x", "variants": []}] * 3}
    ),
    "faq.csv": 'question;answer\nQ;"A\nB"\nR;\nS;T\n',
    "faq.jsonl": (
        '{"question": "Q", "answer": "A"}\n{"question": "R"}\n\n'
        '{"question": "S", "answer": "T"}\n'
    ),
    "faq.yaml": "- question: Q\n  answer: A\n- question: R\n- question: S\n  answer: |\n    T\n",
    "zendesk.json": json.dumps(
        [{"id": n, "title": "T", "body": "B", "html_url": "u", "draft": n == 2} for n in range(4)],
        indent=1,
    ),
    "page.md": "---\ntitle: T\n---\nIntro\n\n## A\n\na\n\n## A\n\n```\n# b\n```\n",
    "page.html": (
        "<h1>T</h1><p>x</p>\n<h2>A</h2>y\n<script type=\"application/ld+json\">\n"
        '{"@type": "Product", "name": "M", "sku": "s"}\n</script>'
    ),
}  # fmt: skip


def read_bytes(name: str, content: bytes) -> Read:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(content)
        return Read(open_source(Source(path, name, name, "file"), ReadOptions(kind="k")))


def sound(name: str, content: bytes) -> Read:
    """Read, and check what holds of every reading of every file."""
    got = read_bytes(name, content)
    lines = content.replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
    for outcome in got.outcomes:
        assert outcome.records >= 1
        origin = outcome.origin
        assert origin.source == name
        assert 1 <= origin.line <= origin.end_line <= len(lines)
        if isinstance(outcome, Rejected):
            assert outcome.code and outcome.message
    return got


def accounted(name: str, content: bytes) -> None:
    """The sums of the intake: read = accepted + merged + duplicates + skipped + rejected."""
    sound(name, content)
    with tempfile.TemporaryDirectory() as folder, Shelf() as shelf:
        path = Path(folder, name)
        path.write_bytes(content)
        intake = take_in([Source(path, name, name, "file")], ReadOptions(kind="k"), shelf)
        (account,) = intake.accounts
        account.check()
        assert account.accepted == len(intake.entries)
        assert account.rejected == intake.rejects.records


@pytest.mark.parametrize("name", SEEDS)
def test_the_seeds_are_of_their_formats_and_accounted_for(name: str) -> None:
    got = sound(name, SEEDS[name].encode())
    assert got.format not in ("unknown", "not-material")
    assert got.documents
    accounted(name, SEEDS[name].encode())


Mutation = Callable[[bytes, random.Random], bytes]


def cut(content: bytes, chance: random.Random) -> bytes:
    return content[: chance.randrange(len(content) + 1)]


def drop(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    return content[:at] + content[at + chance.randrange(1, 40) :]


def insert(content: bytes, chance: random.Random) -> bytes:
    pieces = [b'"', b"\\", b"\0", b"\n", b"\r", b",", b";", b"<b>", b"&amp;", b"\xff", b"{", b"]"]
    at = chance.randrange(len(content) + 1)
    return content[:at] + chance.choice(pieces) * chance.randrange(1, 4) + content[at:]


def shuffle(content: bytes, chance: random.Random) -> bytes:
    head, *lines = content.split(b"\n")
    chance.shuffle(lines)
    return b"\n".join([head, *lines])


def double(content: bytes, chance: random.Random) -> bytes:
    lines = content.split(b"\n")
    at = chance.randrange(len(lines))
    return b"\n".join([*lines[: at + 1], *lines[at:]])


MUTATIONS: list[Mutation] = [cut, drop, insert, shuffle, double]


@QUICK
@given(
    st.sampled_from(sorted(SEEDS)),
    st.lists(st.sampled_from(MUTATIONS), min_size=1, max_size=4),
    st.integers(0, 1 << 30),
)
def test_every_record_of_a_damaged_file_is_accounted_for(
    name: str, mutations: list[Mutation], seed: int
) -> None:
    chance, content = random.Random(seed), SEEDS[name].encode()
    for mutation in mutations:
        content = mutation(content, chance)
    accounted(name, content)


@pytest.mark.skipif(not SHARED.is_dir(), reason="shared data is not beside the checkout")
@pytest.mark.parametrize("mutation", MUTATIONS)
@pytest.mark.parametrize(
    "path",
    [
        "store/products.csv",
        "guidance/sections.jsonl",
        "ugly/semicolon_delimited_embedded_newline.csv",
    ],
)
def test_every_record_of_a_damaged_real_file_is_accounted_for(
    path: str, mutation: Mutation
) -> None:
    content = (SHARED / path).read_bytes()[:60_000]
    chance = random.Random(f"{path} {mutation.__name__}")
    for _ in range(3):
        accounted(Path(path).name, mutation(content, chance))


CELL = st.text(
    alphabet=st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=8
)


@QUICK
@given(st.lists(st.tuples(CELL, CELL), max_size=8), st.sampled_from(["\n", "\r\n"]))
def test_a_rejected_record_is_found_by_its_line(rows: list[tuple[str, str]], end: str) -> None:
    """What stands in the file from the first to the last line of a reject is its raw record."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator=end)
    writer.writerow(["question", "answer"])
    writer.writerows(rows)
    got = read_bytes("faq.csv", out.getvalue().encode())
    lines = out.getvalue().replace("\r\n", "\n").replace("\r", "\n").split("\n")
    for outcome in got.outcomes:
        if isinstance(outcome, Rejected):
            stood = "\n".join(lines[outcome.origin.line - 1 : outcome.origin.end_line])
            assert outcome.raw.replace("\r\n", "\n").replace("\r", "\n").strip() == stood.strip()
