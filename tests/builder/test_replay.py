"""A rejects file that was mended is material like any other."""

from __future__ import annotations

import gzip
import json
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.building import BuildSettings, build, update
from steadyrank_builder.formats import ReadOptions
from support_builder import ids_of, record, write_records

pytestmark = pytest.mark.whoosh

CSV = "slug,sku,name,description\nmug,s1,Mug,Steel\ncup,s2,Cup\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A reject of each shape."""
    folder = tmp_path / "shop"
    folder.mkdir()
    write_records(folder / "a.jsonl", [record("a"), {"kind": "product", "title": "B"}])
    lines = [{"question": "How?", "answer": "So."}, {"question": "When?", "answer": ""}]
    (folder / "faq.jsonl").write_text("".join(json.dumps(each) + "\n" for each in lines))
    (folder / "cups.csv").write_text(CSV)
    (folder / "page.md").write_bytes(b"\xff\xff")
    return folder


def mended(path: Path, mend: Callable[[dict[str, Any]], str]) -> None:
    rejects = [json.loads(line) for line in path.read_text().splitlines()]
    path.write_text("".join(json.dumps({**each, "raw": mend(each)}) + "\n" for each in rejects))


def test_mended_rejects_are_read_as_what_they_were(tmp_path: Path, shop: Path) -> None:
    """JSON objects, questions, and rows under their table's header; the rest is told."""
    out, rejects = tmp_path / "out", tmp_path / "rejects.jsonl"
    assert build([shop], out, BuildSettings(rejects=rejects)).rejected == 4

    def mend(reject: dict[str, Any]) -> str:
        raw = str(reject["raw"])
        if "When?" in raw:
            return raw.replace('""', '"Now."')
        if raw.startswith("cup"):
            return f"{raw},Tin"
        return raw.replace('"title"', '"id": "b", "text": "x", "title"')

    mended(rejects, mend)
    report = update([rejects], out)
    assert report.rejected == 4  # those of the sources, which nobody mended
    assert report.changes.added == 3
    assert {"b", "faq:when", "product:cup"} < set(ids_of(out))
    assert any("mend them where they are" in note for note in report.notes)
    assert any("page.md:1" in note for note in report.notes)
    assert not update([rejects], out).published


def test_items_of_feeds_and_yaml_lists_are_read_again(tmp_path: Path) -> None:
    """Each kind of item, and entries of a list that stands below a key."""
    shop, out, rejects = tmp_path / "shop", tmp_path / "out", tmp_path / "rejects.jsonl"
    shop.mkdir()
    space = 'xmlns:g="http://base.google.com/ns/1.0"'
    (shop / "rss.xml").write_text(
        f"<rss {space}><channel><item><g:id>r1</g:id><title>Rope</title></item>\n"
        "<item><g:id>r2</g:id><title></title></item></channel></rss>"
    )
    (shop / "feed.atom").write_text(
        f'<feed xmlns="http://www.w3.org/2005/Atom" {space}>'
        "<entry><g:id>a1</g:id><title></title>\n<summary>x</summary></entry></feed>"
    )
    (shop / "q.yaml").write_text(
        "faq:\n  - question: One?\n    answer: 1\n  - question: Two?\n    answer:\n"
        "  - question: Three?\n    answer:\n"
    )
    assert build([shop], out, BuildSettings(rejects=rejects)).rejected == 4

    def mend(reject: dict[str, Any]) -> str:
        raw = str(reject["raw"])
        if "<" in raw:
            return raw.replace("<title/>", "<title>Mended</title>")
        return f"{raw.rstrip()} 'yes'"

    mended(rejects, mend)
    report = update([rejects], out)
    assert report.changes.added == 4
    assert {"product:r2", "product:a1", "faq:two", "faq:three"} < set(ids_of(out))
    assert report.notes == ()


@pytest.mark.parametrize("packed", ["", "gz", "zip"])
@pytest.mark.parametrize("said", ["option", "settings"])
def test_rows_of_another_encoding_are_read_again(tmp_path: Path, packed: str, said: str) -> None:
    """The rejects file is UTF-8 whatever the table was in; what was said of the table counts."""
    shop, out, rejects = tmp_path / "shop", tmp_path / "out", tmp_path / "rejects.jsonl"
    shop.mkdir()
    table = "sep=;\nNr;Name;Text\n1;Crème;für\n;Brûlée;süß\n".encode("cp1252")
    if packed == "gz":
        (shop / "a.csv.gz").write_bytes(gzip.compress(table))
    elif packed == "zip":
        with zipfile.ZipFile(shop / "a.zip", "w") as archive:
            archive.writestr("a.csv", table)
    else:
        (shop / "a.csv").write_bytes(table)
    how: dict[str, Any] = {"mapping": {"id": "Nr", "title": "Name", "text": "Text"}, "kind": "k"}
    settings = BuildSettings(reading=ReadOptions(encoding="cp1252", **how))
    if said == "settings":
        (shop / "steadyrank.toml").write_text(
            'encoding = "cp1252"\n[[source]]\nfiles = "*.csv*"\nkind = "k"\n'
            'map = { id = "Nr", title = "Name", text = "Text" }\n'
        )
        settings = BuildSettings()
    assert build([shop], out, replace(settings, rejects=rejects)).rejected == 1
    mended(rejects, lambda reject: f"2{reject['raw']}")
    update([rejects], out)
    assert ids_of(out) == ["1", "2"]
    from whoosh.index import open_dir

    with open_dir(str(out)).reader() as reader:
        assert reader.stored_fields(1)["title"] == "Brûlée"


def test_rejects_that_are_still_wrong_stay_rejects(tmp_path: Path, shop: Path) -> None:
    """With the line they have in the rejects file."""
    out, rejects = tmp_path / "out", tmp_path / "rejects.jsonl"
    build([shop], out, BuildSettings(rejects=rejects))
    report = update([rejects], out)
    assert report.changes.added == 0
    again = {
        (reject.origin.source, reject.origin.line)
        for reject in report.rejects
        if "rejects.jsonl" in reject.origin.source
    }
    number = 1 + next(
        at for at, line in enumerate(rejects.read_text().splitlines()) if "a.jsonl" in line
    )
    assert (f"{rejects}:{shop}/a.jsonl", number) in again


def test_a_broken_rejects_file_is_read_as_it_is(tmp_path: Path, shop: Path) -> None:
    """Lines that are no rejects make it a file of records without what records need."""
    out, rejects = tmp_path / "out", tmp_path / "rejects.jsonl"
    build([shop], out, BuildSettings(rejects=rejects))
    rejects.write_text(rejects.read_text() + "{broken\n")
    report = update([rejects], out)
    assert report.rejected > 4
    assert report.changes.added == 0
