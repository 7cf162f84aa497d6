"""Packed files and standard input are read as what is in them."""

from __future__ import annotations

import gzip
import io
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.errors import ReadOptionError
from steadyrank_builder.formats import ReadOptions, open_source
from steadyrank_builder.material import discover
from steadyrank_builder.material import unpack as unpack_module
from steadyrank_builder.records import Accepted, Rejected
from support_builder import cli, environment
from support_reading import Read, read

FAQ = b"question,answer\nWhat?,That.\n"


def zipped(path: Path, files: dict[str, bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def outcomes(*arguments: Path) -> dict[str, Read]:
    return {
        source.name.rpartition(arguments[0].parent.as_posix() + "/")[2]: Read(
            open_source(source, ReadOptions())
        )
        for source in discover(list(arguments))
    }


@pytest.mark.parametrize("name", ["faq.csv.gz", "faq.csv", "faq.csv.GZ"])
def test_gzip_is_known_by_its_bytes_and_not_by_its_name(tmp_path: Path, name: str) -> None:
    got = read(tmp_path, name, gzip.compress(FAQ))
    assert (got.format, got.ids) == ("faq-csv", ["faq:what"])


def test_a_file_called_gz_that_is_none_is_read_as_it_is(tmp_path: Path) -> None:
    assert read(tmp_path, "faq.csv.gz", FAQ).ids == ["faq:what"]


def test_the_suffix_of_packing_is_no_part_of_a_page_s_id(tmp_path: Path) -> None:
    got = read(tmp_path, "help/returns.md.gz", gzip.compress(b"# Returns\n\nText\n"))
    assert got.ids == ["page:help/returns#overview"]


def test_gzip_in_several_members_is_one_file(tmp_path: Path) -> None:
    got = read(tmp_path, "faq.csv.gz", gzip.compress(FAQ) + gzip.compress(b"Who?,They.\n"))
    assert got.ids == ["faq:what", "faq:who"]


def test_large_gzip_goes_through_a_temporary_file_and_is_read_several_times(
    tmp_path: Path,
) -> None:
    rows = b"".join(b"Question %d?,Answer %d.\n" % (n, n * n) for n in range(60_000))
    assert len(rows) > 1 << 20
    got = read(tmp_path, "faq.csv.gz", gzip.compress(b"question,answer\n" + rows, 1))
    assert len(got.ids) == 60_000
    assert got.accepted[-1].origin.line == 60_001


@pytest.mark.parametrize(
    "content",
    [gzip.compress(FAQ)[:-9], b"\x1f\x8b\x08\x00broken", gzip.compress(gzip.compress(FAQ))],
    ids=["torn", "broken", "twice"],
)
def test_gzip_that_cannot_be_read_is_a_reject(tmp_path: Path, content: bytes) -> None:
    assert read(tmp_path, "faq.csv.gz", content).rejects == [("gzip", 1, 1, 1)]


def test_the_files_in_a_zip_are_sources_as_if_unpacked_where_it_lies(tmp_path: Path) -> None:
    folder = tmp_path / "material"
    (folder / "old").mkdir(parents=True)
    zipped(
        folder / "old/export.zip",
        {
            "faq.csv": FAQ,
            "help/returns.md": b"# R\n\ntext\n",
            ".hidden": b"x",
            "__MACOSX/a.md": b"x",
        },
    )
    got = outcomes(folder)
    assert sorted(got) == [
        "material/old/export.zip/faq.csv",
        "material/old/export.zip/help/returns.md",
    ]
    assert got["material/old/export.zip/help/returns.md"].ids == ["page:old/help/returns#overview"]


def test_a_zip_is_known_by_its_bytes(tmp_path: Path) -> None:
    path = zipped(tmp_path / "export.bin", {"faq.csv": FAQ})
    assert outcomes(path)["export.bin/faq.csv"].ids == ["faq:what"]


def test_a_packed_file_in_a_zip_is_unpacked_and_an_archive_in_it_is_told(tmp_path: Path) -> None:
    inner = zipped(tmp_path / "inner.zip", {"faq.csv": FAQ}).read_bytes()
    path = zipped(tmp_path / "a.zip", {"faq.csv.gz": gzip.compress(FAQ), "more.csv": inner})
    got = outcomes(path)
    assert got["a.zip/faq.csv.gz"].ids == ["faq:what"]
    assert got["a.zip/more.csv"].rejects == [("archive", 1, 1, 1)]


@pytest.mark.parametrize(
    "name", ["../../x.csv", "/etc/x.csv", "a/../../x.csv", "..\\..\\x.csv", "C:\\x.csv"]
)
def test_a_name_that_leads_out_of_the_zip_is_refused_by_name(tmp_path: Path, name: str) -> None:
    path = zipped(tmp_path / "a.zip", {name: FAQ, "faq.csv": FAQ})
    refused = {key: each for key, each in outcomes(path).items() if each.rejects}
    (got,) = refused.values()
    assert got.rejects == [("unsafe-name", 1, 1, 1)]
    assert name.rpartition("/")[2].rpartition("\\")[2] in got.message
    assert not (tmp_path.parent / "x.csv").exists()


def test_two_files_of_one_name_in_a_zip_are_told(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with pytest.warns(UserWarning, match="Duplicate"), zipfile.ZipFile(path, "w") as archive:
        archive.writestr("faq.csv", FAQ)
        archive.writestr("faq.csv", FAQ)
    assert outcomes(path)["a.zip/faq.csv"].rejects == [("archive", 1, 1, 1)]


def test_a_link_or_a_password_in_a_zip_is_told(tmp_path: Path) -> None:
    path = tmp_path / "a.zip"
    with zipfile.ZipFile(path, "w") as archive:
        link = zipfile.ZipInfo("link.csv")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    assert outcomes(path)["a.zip/link.csv"].rejects == [("archive", 1, 1, 1)]
    content = bytearray(zipped(path, {"faq.csv": FAQ}).read_bytes())
    at = content.index(b"PK\x01\x02")
    content[6] |= 1
    content[at + 8] |= 1
    path.write_bytes(content)
    assert outcomes(path)["a.zip/faq.csv"].rejects == [("archive", 1, 1, 1)]


def test_a_torn_zip_is_a_reject(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"faq.csv": FAQ})
    path.write_bytes(path.read_bytes()[:-30])
    got = outcomes(path)["a.zip"]
    assert got.rejects == [("archive", 1, 1, 1)]
    assert "damaged" in got.message


def test_an_office_document_is_no_archive_of_material(tmp_path: Path) -> None:
    path = zipped(tmp_path / "prices.xlsx", {"xl/workbook.xml": b"<x/>"})
    assert outcomes(path)["prices.xlsx"].skips == [("not a supported format", 1, 1, 1)]


def test_a_zip_of_more_files_than_anyone_packs_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = zipped(tmp_path / "a.zip", {f"{n}.csv": FAQ for n in range(3)})
    monkeypatch.setattr(unpack_module, "MEMBERS_LIMIT", 2)
    (got,) = outcomes(path).values()
    assert "more than 2 files" in got.message
    assert got.rejects == [("too-large", 1, 1, 1)]


def test_the_directory_of_a_zip_is_read_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And not for each of its files: that takes a time that grows by the square of their number."""
    path = zipped(tmp_path / "a.zip", {f"{number}.csv": FAQ for number in range(9)})
    opened = []
    real = zipfile.ZipFile

    def noted(file: Path, *how: Any) -> zipfile.ZipFile:
        if not how:  # to read it
            opened.append(file)
        return real(file, *how)

    monkeypatch.setattr(unpack_module.zipfile, "ZipFile", noted)
    assert len(outcomes(path)) == 9
    assert opened == [path]
    path.unlink()
    zipped(path, {"other.csv": FAQ})
    assert list(outcomes(path)) == ["a.zip/other.csv"]
    assert opened == [path, path]


def standard_input(monkeypatch: pytest.MonkeyPatch, content: bytes, **options: str) -> Read:
    class Stdin:
        buffer = io.BytesIO(content)

    monkeypatch.setattr(sys, "stdin", Stdin())
    (source,) = discover([Path("-")])
    return Read(open_source(source, ReadOptions(**options)))  # type: ignore[arg-type]


@pytest.mark.parametrize("packed", [FAQ, gzip.compress(FAQ)], ids=["plain", "gzip"])
def test_standard_input_is_read_by_its_format(
    monkeypatch: pytest.MonkeyPatch, packed: bytes
) -> None:
    got = standard_input(monkeypatch, packed, format="faq-csv")
    assert (got.format, got.ids) == ("faq-csv", ["faq:what"])
    assert str(got.accepted[0].origin) == "-:2"


def test_standard_input_without_a_format_asks_for_it() -> None:
    (source,) = discover([Path("-")])
    with pytest.raises(ReadOptionError, match="--format"):
        open_source(source, ReadOptions())


@pytest.mark.whoosh
def test_the_command_reads_standard_input(tmp_path: Path) -> None:
    done = subprocess.run(
        cli("build", "-", "--format", "faq-csv", "--out", tmp_path / "a.idx", "--json"),
        input=FAQ,
        env=environment(),
        capture_output=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    report = json.loads(done.stdout)
    assert (report["documents"], report["sources"][0]["path"]) == (1, "-")


@pytest.mark.whoosh
def test_an_update_reads_an_archive_again_only_when_it_changed(tmp_path: Path) -> None:
    from steadyrank_builder.building import build, update

    archive = zipped(tmp_path / "a.zip", {"one.csv": FAQ, "two.csv": b"question,answer\nWho?,I.\n"})
    build([archive], tmp_path / "a.idx")
    report = update([archive], tmp_path / "a.idx")
    assert len(report.unchanged) == 2
    zipped(archive, {"one.csv": FAQ, "two.csv": b"question,answer\nWho?,We.\n"})
    report = update([archive], tmp_path / "a.idx")
    assert (report.changes.changed, report.changes.unchanged) == (1, 1)


def test_records_of_every_kind_are_accepted_from_a_zip(tmp_path: Path) -> None:
    path = zipped(tmp_path / "a.zip", {"a/faq.csv": FAQ, "b/faq.jsonl": b'{"question": "Q"}\n'})
    found = [
        outcome
        for source in discover([path])
        for outcome in open_source(source, ReadOptions()).outcomes
    ]
    assert [type(each) for each in found] == [Accepted, Rejected]
    assert found[1].origin.source.endswith("a.zip/b/faq.jsonl")
