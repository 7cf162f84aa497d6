"""A rejects file that was mended is material like any other."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.building import BuildSettings, build, update
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
