"""An update reads what changed and comes to what a build of all the material comes to."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.building import BuildReport, BuildSettings, Changes, build, update
from steadyrank_builder.building import run as running
from steadyrank_builder.errors import MaterialError
from steadyrank_builder.failures import ForgetError, StaleGenerationError, UpdateError
from steadyrank_builder.formats import ReadOptions
from steadyrank_builder.intake import reading
from steadyrank_builder.manifest import Manifest, read_manifest
from steadyrank_builder.verification.verify import verify
from support_builder import ids_of, litter, record, run_cli, write_records

pytestmark = pytest.mark.whoosh

PAGE = "# Returns\n\n## Refunds\n\nWithin {days} days.\n\nSee [mugs](mugs.md).\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A folder of three kinds of material, and a file beside it."""
    folder = tmp_path / "shop"
    (folder / "pages").mkdir(parents=True)
    write_records(folder / "mugs.jsonl", [record("a"), record("b"), {"id": "bad"}])
    (folder / "pages" / "returns.md").write_text(PAGE.format(days=30))
    (folder / "pages" / "mugs.md").write_text("# Mugs\n\nOf steel.\n")
    write_records(tmp_path / "more.jsonl", [record("m1"), record("m2")])
    return folder


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "store.idx"


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the sources that are opened from now on."""
    names: list[str] = []
    real = reading.open_source

    def noted(source: Any, options: Any) -> Any:
        names.append(source.path.name)
        return real(source, options)

    monkeypatch.setattr(reading, "open_source", noted)
    return names


def live_manifest(out: Path) -> Manifest:
    return read_manifest(max(out.glob("steadyrank-*.json"), key=lambda p: int(p.stem[11:])))


def content(out: Path) -> dict[str, Any]:
    """All that a generation says of its content: what two ways to it have to agree on."""
    manifest = live_manifest(out)
    keys = ("path", "root", "page_path", "real", "content", "sha256", "read_with", "accepted")
    sources = [{key: each[key] for key in keys} for each in manifest.sources]
    return {
        "digest": manifest.digest,
        "documents": dict(manifest.documents.items()),
        "kinds": manifest.kinds,
        "dangling": manifest.dangling_links,
        "settings": manifest.settings,
        "sources": sources,
        "archive": sorted(name for name in manifest.files if name.endswith(".records")),
    }


def same_as_a_build(out: Path, *material: Path, **settings: Any) -> bool:
    fresh = out.with_name("fresh.idx")
    report = build(material, fresh, BuildSettings(**settings))
    assert report.digest == live_manifest(out).digest
    assert content(fresh) == content(out)
    return ids_of(fresh) == ids_of(out)


def test_only_changed_sources_are_read(shop: Path, out: Path, read: list[str]) -> None:
    """And the archive of the others serves for them, twice over."""
    update([shop], out)
    assert sorted(read) == ["mugs.jsonl", "mugs.md", "returns.md"]
    for days in (20, 10):
        read.clear()
        (shop / "pages" / "returns.md").write_text(PAGE.format(days=days))
        report = update([shop], out)
        assert read == ["returns.md"]
        assert (report.changes.changed, report.changes.removed) == (1, 0)
        assert [Path(name).name for name in report.unchanged] == ["mugs.jsonl", "mugs.md"]
        assert report.rejected == 1  # that of a source which was not read again
        assert same_as_a_build(out, shop)
    assert litter(out, [2, 3]) == []


def test_nothing_changed_publishes_nothing(shop: Path, out: Path, read: list[str]) -> None:
    """And reads nothing."""
    build([shop], out)
    read.clear()
    report = update([shop], out)
    assert (report.published, report.generation, read) == (False, 1, [])


def test_what_was_not_named_stays(shop: Path, out: Path, tmp_path: Path, read: list[str]) -> None:
    """Also when it is gone meanwhile: nobody said a word about it."""
    more = tmp_path / "more.jsonl"
    build([shop, more], out)
    write_records(more, [record("m1", "changed")])
    (shop / "mugs.jsonl").unlink()
    read.clear()
    report = update([more], out)
    assert read == ["more.jsonl"]
    assert report.changes == Changes(added=0, changed=1, removed=1, unchanged=4)
    assert len(report.kept) == 3
    assert {"a", "b", "m1"} < set(ids_of(out))


def test_a_file_gone_from_a_named_folder_takes_its_documents_along(
    shop: Path, out: Path, tmp_path: Path
) -> None:
    """Whatever the folder's name was given as."""
    more = tmp_path / "more.jsonl"
    build([shop, more], out)
    (shop / "mugs.jsonl").unlink()
    report = update([shop / "pages" / ".."], out)
    assert [Path(name).name for name in report.gone] == ["mugs.jsonl"]
    assert report.changes.removed == 2
    assert {"a", "b"}.isdisjoint(ids_of(out))
    assert "m1" in ids_of(out)


def test_a_named_file_that_is_gone_is_an_error(shop: Path, out: Path, tmp_path: Path) -> None:
    """Nothing changes; --forget is how to say that it is meant."""
    more = tmp_path / "more.jsonl"
    build([shop, more], out)
    more.unlink()
    with pytest.raises(MaterialError, match="no such file"):
        update([shop, more], out)
    assert "m1" in ids_of(out)
    report = update([shop], out, forget=[str(more)])
    assert report.gone == (str(more),)
    assert same_as_a_build(out, shop)


def test_forgetting_what_is_no_source_is_an_error(shop: Path, out: Path) -> None:
    """So is forgetting what is named."""
    build([shop], out)
    with pytest.raises(ForgetError, match="'x' is none of the index's sources"):
        update([shop], out, forget=["x"])
    with pytest.raises(ForgetError, match="also named as material"):
        update([shop], out, forget=[f"{shop}/pages"])


@pytest.mark.parametrize("how", ["bytes", "columns", "gone", "cut"])
def test_a_source_that_cannot_be_read_deletes_nothing(
    shop: Path, out: Path, how: str, read: list[str]
) -> None:
    """Its documents stay, its rejects are told, and the next update tries again."""
    path = shop / "mugs.jsonl"
    build([shop], out)
    before = content(out)
    was = path.read_text()
    if how == "bytes":
        path.write_bytes(b"\xff\xfe\xfa" + was.encode())
    elif how == "columns":
        write_records(path, [{"identifier": "a", "name": "A"}])
    elif how == "gone":
        path.unlink()
        path.symlink_to(shop / "unmounted")
    else:
        path.write_bytes(b"")
    (shop / "pages" / "mugs.md").write_text("# Mugs\n\nOf tin.\n")
    report = update([shop], out)
    assert report.unread == (str(path),)
    assert (report.changes.removed, report.changes.changed) == (0, 1)
    assert any("can be used now" in sentence for sentence in report.notes)
    assert report.rejected >= 2
    assert set(before["documents"]) == set(content(out)["documents"])
    read.clear()
    update([shop], out)
    assert read == ["mugs.jsonl"]
    path.unlink()
    path.write_text(was)
    report = update([shop], out)
    assert report.unread == ()
    assert same_as_a_build(out, shop)


def test_a_table_that_is_cut_in_a_cell_deletes_nothing(tmp_path: Path) -> None:
    """An upload that broke off: the quote that is open hides nobody knows how many rows."""
    path, out = tmp_path / "faq.csv", tmp_path / "out"
    rows = "".join(f'q{number},"answer, the {number}th"\n' for number in range(9))
    path.write_text(f"question,answer\n{rows}")
    build([path], out)
    path.write_text(f"question,answer\n{rows[:100]}")
    report = update([path], out)
    assert report.unread == (str(path),)
    assert [reject.code for reject in report.rejects] == ["csv"]
    assert report.documents == 9


@pytest.mark.parametrize("how", ["cut", "empty", "link", "other folder"])
def test_what_lies_in_something_that_cannot_be_opened_stays(
    shop: Path, out: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An archive that is damaged, a link to a folder that is not mounted."""
    archive, mounted = shop / "a.zip", shop.parent / "mounted"
    with zipfile.ZipFile(archive, "w") as stream:
        stream.writestr("faq.csv", "question,answer\nq,a\n")
        stream.writestr("in/page.md", "# Page\n\nwords\n")
    mounted.mkdir()
    write_records(mounted / "m.jsonl", [record("mounted")])
    (shop / "link").symlink_to(mounted)
    build([shop], out)
    ids, whole = ids_of(out), archive.read_bytes()
    assert {"faq:q", "page:in/page#overview", "mounted"} <= set(ids)
    named = [shop]
    if how == "link":
        mounted.rename(shop.parent / "elsewhere")
    else:
        archive.write_bytes(whole[:90] if how != "empty" else b"")
    if how == "other folder":
        monkeypatch.chdir(shop)
        named = [Path("a.zip")]
    for _ in range(2):
        report = update(named, out)
        assert len(report.unread) == (1 if how == "link" else 2)
        assert report.gone == ()
        assert any("cannot be opened now" in sentence for sentence in report.notes)
        assert ids_of(out) == ids
    if how == "link":
        (shop.parent / "elsewhere").rename(mounted)
    archive.write_bytes(whole)
    report = update([shop], out)
    assert report.unread == ()
    assert same_as_a_build(out, shop)
    archive.unlink()
    (shop / "link").unlink()
    assert update([shop], out).changes.removed == 3


def test_other_options_read_again(shop: Path, out: Path, read: list[str]) -> None:
    """What is given counts; what is not given is as it was at the last build."""
    path = write_records(shop / "names.jsonl", [{"id": "n", "name": "N", "text": "t"}])
    mapped = BuildSettings(reading=ReadOptions(mapping={"title": "name"}, kind="thing"))
    build([path], out, mapped)
    read.clear()
    assert not update([path], out).published
    assert read == []
    update([path], out, BuildSettings(reading=ReadOptions(mapping={"title": "name"}, kind="x")))
    assert read == ["names.jsonl"]
    assert [each["kinds"] for each in [vars_of(live_manifest(out))]] == [{"x": 1}]


def test_an_option_that_is_given_leaves_the_others_as_they_were(tmp_path: Path) -> None:
    """On the command line, where each is an option of its own."""
    path, out = tmp_path / "b.csv", tmp_path / "out"
    path.write_text("Nr;Name;Text\n1;Mug;Steel\n")
    named = ("--map", "id=Nr,title=Name", "--kind", "cup")
    assert run_cli("build", path, "--out", out, *named).returncode == 0
    done = run_cli("update", path, "--out", out, "--kind", "pot", "--json")
    assert json.loads(done.stdout)["sources"][0]["rejected"] == 0, done.stdout
    assert live_manifest(out).kinds == {"pot": 1}
    assert live_manifest(out).settings["reading"]["mapping"] == {"id": "Nr", "title": "Name"}


def vars_of(manifest: Manifest) -> Mapping[str, Any]:
    return {name: getattr(manifest, name) for name in Manifest.__slots__}


def test_other_readers_read_again(
    shop: Path, out: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new release may read a file otherwise; the code itself is hashed."""
    build([shop], out)
    real = running.read_with
    monkeypatch.setattr(running, "read_with", lambda options: real(options)[::-1])
    read.clear()
    report = update([shop / "pages"], out)
    assert sorted(read) == ["mugs.md", "returns.md"]
    assert any("name them too" in sentence for sentence in report.notes)


def test_another_language_needs_all_the_material(shop: Path, out: Path, tmp_path: Path) -> None:
    """Half an index by other rules would be neither."""
    more = tmp_path / "more.jsonl"
    build([shop, more], out, BuildSettings(language="de"))
    assert update([more], out).digest == live_manifest(out).digest
    with pytest.raises(UpdateError, match="name all"):
        update([more], out, BuildSettings(language="en"))
    update([shop, more], out, BuildSettings(language="en"))
    assert same_as_a_build(out, shop, more, language="en")


def test_records_that_move_between_files_are_not_lost(
    out: Path, tmp_path: Path, read: list[str]
) -> None:
    """The documents stay the same, so only what the sources hold is published."""
    a = write_records(tmp_path / "a.jsonl", [record("x"), record("y")])
    b = write_records(tmp_path / "b.jsonl", [record("z")])
    build([a, b], out)
    (segment,) = out.glob("*.seg")
    write_records(a, [record("x")])
    write_records(b, [record("y"), record("z")])
    report = update([a, b], out)
    assert (report.published, report.changes.unchanged) == (True, 3)
    assert [path.name for path in out.glob("*.seg")] == [segment.name]
    assert not verify(out).problems
    write_records(a, [record("x", "new")])
    update([a], out)  # b stays as it was read, with y
    assert ids_of(out) == ["x", "y", "z"]
    assert litter(out, [2, 3]) == []


def test_renamed_documents_are_guessed(shop: Path, out: Path) -> None:
    """An id that vanished and a new one with the same content; sections of a moved page too."""
    build([shop], out)
    write_records(shop / "mugs.jsonl", [record("a"), {**record("b"), "id": "c"}])
    (shop / "pages" / "returns.md").rename(shop / "pages" / "send-back.md")
    report = update([shop], out)
    assert ("b", "c") in report.renamed
    assert any("returns" in old and "send-back" in new for old, new in report.renamed)
    assert all(old != "a" for old, _ in report.renamed)


def test_a_damaged_archive_is_read_around_or_told(shop: Path, out: Path, tmp_path: Path) -> None:
    """With all material named nothing is lost; with less there is nothing to keep it from."""
    more = tmp_path / "more.jsonl"
    build([shop, more], out)
    (archive,) = out.glob("*.records")
    archive.write_bytes(archive.read_bytes()[:-3] + b"???")
    assert [problem.file for problem in verify(out).problems] == [archive.name]
    with pytest.raises(UpdateError, match=r"more.jsonl. Name all material"):
        update([shop], out)
    update([shop, more], out)
    assert not verify(out).problems
    assert same_as_a_build(out, shop, more)


def test_an_index_of_others_is_not_updated(shop: Path, out: Path) -> None:
    """There is nothing to go on from."""
    from whoosh.index import open_dir

    build([shop], out)
    writer = open_dir(str(out)).writer()
    writer.add_document(id="host")
    writer.commit()
    with pytest.raises(StaleGenerationError, match="written by others"):
        update([shop], out)


def test_a_file_that_changes_while_it_is_read_is_read_again(
    shop: Path, out: Path, monkeypatch: pytest.MonkeyPatch, read: list[str]
) -> None:
    """Its bytes are hashed before and after."""
    path = shop / "mugs.jsonl"
    real = reading.open_source

    def meanwhile(source: Any, options: Any) -> Any:
        opened = real(source, options)
        outcomes = list(opened.outcomes)
        if source.path == path:
            write_records(path, [record("a", "later")])
        return replace(opened, outcomes=iter(outcomes))

    with monkeypatch.context() as patch:
        patch.setattr(reading, "open_source", meanwhile)
        build([shop], out)
    monkeypatch.setattr(reading, "open_source", real)
    report = update([shop], out)
    assert (report.changes.changed, report.changes.removed) == (1, 1)
    assert same_as_a_build(out, shop)


def test_an_update_of_nothing_is_a_build(shop: Path, out: Path) -> None:
    """The first one."""
    report = update([shop], out)
    assert (report.generation, report.command) == (1, "update")
    assert same_as_a_build(out, shop)


def test_the_report_names_every_id(shop: Path, out: Path, tmp_path: Path) -> None:
    """Sorted keys, the ids that differ, the rejects by code."""
    build([shop], out)
    write_records(shop / "mugs.jsonl", [record("a", "other"), record("n"), {"id": "bad"}])
    path = tmp_path / "report.json"
    report: BuildReport = update([shop], out, BuildSettings(report=path))
    written = json.loads(path.read_text())
    assert list(written) == sorted(written)
    assert written["ids"] == {"added": ["n"], "changed": ["a"], "removed": ["b"]}
    assert sum(written["reject_codes"].values()) == report.rejected == 1
    assert (written["generation"], written["previous"], written["published"]) == (2, 1, True)


def test_a_record_says_nothing_of_the_machine(
    tmp_path: Path, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where sources lie is told from the index's own folder, so both can be moved together."""
    (tmp_path / "here" / "shop").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "here")
    write_records(tmp_path / "here" / "shop" / "mugs.jsonl", [record("a"), record("b")])
    build([Path("shop")], Path("store.idx"))
    for path in Path("store.idx").iterdir():
        assert str(tmp_path).encode() not in path.read_bytes(), path.name
    assert live_manifest(Path("store.idx")).sources[0]["real"] == "../shop/mugs.jsonl"
    (tmp_path / "here").rename(tmp_path / "there")
    monkeypatch.chdir(tmp_path / "there")
    read.clear()
    report = update([Path("shop")], Path("store.idx"))
    assert (read, report.published, report.unchanged) == ([], False, ("shop/mugs.jsonl",))
    monkeypatch.chdir(tmp_path)  # another name for the same file
    report = update([Path("there/shop")], Path("there/store.idx"))
    assert (report.kept, report.gone, report.changes) == ((), (), Changes(0, 0, 0, 2))


def test_standard_input_lies_in_no_folder(
    tmp_path: Path, shop: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update of the folder that it was read in does not take its documents for gone."""
    import io
    import sys

    class Stdin:
        buffer = io.BytesIO(b'{"id": "piped", "kind": "k", "title": "T", "text": "x"}\n')

    monkeypatch.setattr(sys, "stdin", Stdin())
    monkeypatch.chdir(shop)
    build([Path("-")], out, BuildSettings(reading=ReadOptions(format="jsonl")))
    report = update([Path()], out, BuildSettings(reading=ReadOptions()))
    assert (report.kept, report.gone) == (("-",), ())
    assert "piped" in ids_of(out)
