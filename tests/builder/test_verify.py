"""Verification finds what is wrong, says where, and opens nothing before it has looked."""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.failures import NoIndexError
from steadyrank_builder.manifest import read_manifest, write_manifest
from steadyrank_builder.publishing.durable import measure
from steadyrank_builder.verification.allowed import forbidden_names, is_allowed
from steadyrank_builder.verification.verify import verify
from support_builder import record, write_records


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """A sound index of two generations."""
    folder = tmp_path / "store.idx"
    for text in ("old", "a mug of steel, and one more mug"):
        records = [record("a", text, tags=["x y"], price="1.50"), record("b", "two")]
        build([write_records(tmp_path / "m.jsonl", records)], folder, BuildSettings())
    return folder


def codes(folder: Path, **expected: str) -> list[tuple[str, str | None]]:
    return [(problem.code, problem.file) for problem in verify(folder, **expected).problems]


def reseal(folder: Path, generation: int = 2) -> None:
    """Make the manifest fit the files as they are now, as an attacker would."""
    path = folder / f"steadyrank-{generation}.json"
    manifest = read_manifest(path)
    files = {name: measure(folder / name) for name in manifest.files}
    write_manifest(path, replace(manifest, files=files))


def change(path: Path, position: int) -> None:
    data = bytearray(path.read_bytes())
    data[position] ^= 1
    path.write_bytes(data)


@pytest.mark.whoosh
def test_a_fresh_index_is_sound(out: Path) -> None:
    """And verification tells what it is."""
    outcome = verify(out)
    assert outcome.problems == ()
    assert (outcome.generation, outcome.documents) == (2, 2)
    assert outcome.digest is not None
    assert outcome.seal is not None
    assert verify(out, expected_digest=outcome.digest, expected_seal=outcome.seal).problems == ()


@pytest.mark.whoosh
def test_a_flipped_byte_is_found_in_any_file(out: Path) -> None:
    """At the start, in the middle and at the end of each file of the generation; it is named."""
    manifest = read_manifest(out / "steadyrank-2.json")
    assert {name.rpartition(".")[2] for name in manifest.files} == {
        "arrays",
        "records",
        "seg",
        "toc",
    }
    for name in manifest.files:
        whole = (out / name).read_bytes()
        for position in (0, len(whole) // 2, len(whole) - 1):
            change(out / name, position)
            assert codes(out) == [("damaged-file", name)]
            (out / name).write_bytes(whole)
    assert codes(out) == []


@pytest.mark.whoosh
def test_a_cut_or_missing_file_is_found(out: Path) -> None:
    """With the sizes in the message."""
    toc = out / "_MAIN_2.toc"
    whole = toc.read_bytes()
    toc.write_bytes(whole[:-1])
    (problem,) = verify(out).problems
    assert f"has {len(whole) - 1} bytes and was written with {len(whole)}" in problem.message


@pytest.mark.whoosh
def test_a_damaged_manifest_is_found(out: Path) -> None:
    """It proves nothing then, and nothing else is opened."""
    change(out / "steadyrank-2.json", 40)
    assert codes(out) == [("damaged-manifest", "steadyrank-2.json")]


@pytest.mark.whoosh
def test_a_commit_of_others_is_found(out: Path) -> None:
    """They leave no record."""
    from whoosh.index import open_dir

    writer = open_dir(str(out)).writer()
    writer.add_document(id="host")
    writer.commit()
    assert codes(out) == [("written-by-others", None)]


@pytest.mark.whoosh
def test_a_record_that_a_dead_build_left_is_not_of_the_commit_that_followed(
    out: Path, tmp_path: Path
) -> None:
    """A build dies after its manifest and before its TOC; a host's commit takes the number."""
    from whoosh.index import open_dir

    build([write_records(tmp_path / "m.jsonl", [record("c")])], out, BuildSettings())
    (out / "_MAIN_3.toc").unlink()
    assert codes(out) == []  # generation 2 is live and sound
    writer = open_dir(str(out)).writer()
    writer.add_document(id="host")
    writer.commit()
    assert (out / "steadyrank-3.json").exists()
    assert codes(out) == [("written-by-others", None)]


@pytest.mark.whoosh
def test_expectations_outrank_the_manifest(out: Path) -> None:
    """Whoever can write the folder can write a manifest that fits."""
    outcome = verify(out)
    assert outcome.digest is not None
    assert outcome.seal is not None
    assert codes(out, expected_digest="sha256:0") == [("other-digest", None)]
    assert codes(out, expected_seal="sha256:0") == [("other-seal", None)]
    path = out / "steadyrank-2.json"
    manifest = read_manifest(path)
    entry = manifest.documents["b"]
    forged = {**manifest.documents, "b": replace(entry, digest=manifest.documents["a"].digest)}
    write_manifest(path, replace(manifest, documents=forged))
    assert codes(out, expected_digest=outcome.digest) == [("other-content", None)]
    assert codes(out, expected_seal=outcome.seal) == [("other-seal", None)]
    # A digest that fits the forged documents is not the expected one.
    write_manifest(path, replace(manifest, digest="sha256:1"))
    assert codes(out, expected_digest=outcome.digest) == [("other-digest", None)]
    assert codes(out) == [("other-content", None)]


def test_no_index_is_no_pass(tmp_path: Path) -> None:
    """Neither an empty folder nor a missing one."""
    for folder in (tmp_path, tmp_path / "missing"):
        with pytest.raises(NoIndexError, match="holds no index"):
            verify(folder)


class Evil:
    """Writes a file when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        return os.mkdir, (str(self.path),)


@pytest.mark.whoosh
@pytest.mark.parametrize("where", ["schema", "segments"])
def test_a_pickle_that_would_act_is_found_unexecuted(out: Path, tmp_path: Path, where: str) -> None:
    """In a TOC that the manifest fits, hashes and all."""
    from whoosh.filedb.filestore import FileStorage

    from steadyrank_builder.publishing.tocs import read_toc

    toc = read_toc(out)
    marker = tmp_path / "executed"
    if where == "segments":
        toc.segments = [*toc.segments, Evil(marker)]
    else:
        toc.schema["kind"].evil = Evil(marker)
    (out / "_MAIN_2.toc").unlink()
    toc.write(FileStorage(str(out)), "MAIN")
    reseal(out)
    (problem,) = verify(out).problems
    assert (problem.code, problem.file) == ("unsafe-pickle", "_MAIN_2.toc")
    assert f"The {where} in _MAIN_2.toc would call posix.mkdir" in problem.message
    assert not marker.exists()
    # The precondition: opening it as Whoosh does would have done it.
    read_toc(out)
    assert marker.exists()


@pytest.mark.whoosh
@pytest.mark.parametrize("where", ["stored", "payload"])
def test_a_pickle_that_a_search_reads_is_found_unexecuted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, where: str
) -> None:
    """In stored fields and in the positions of a posting, written as Whoosh writes them."""
    from whoosh import formats

    from steadyrank_builder import writing
    from steadyrank_builder.building import staging

    marker = tmp_path / "executed"
    out = tmp_path / "evil.idx"
    if where == "stored":
        monkeypatch.setattr(
            writing, "to_fields", lambda document: {"id": document.id, "links": Evil(marker)}
        )
    else:
        evil = pickle.dumps(Evil(marker), 2)
        monkeypatch.setattr(formats.Positions, "encode", lambda *_: b"\0\0\0\1" + evil)
    monkeypatch.setattr(staging, "check_index", lambda *_, **__: None)
    build([write_records(tmp_path / "m.jsonl", [record("a")])], out, BuildSettings())
    monkeypatch.undo()
    problems = verify(out).problems
    assert {problem.code for problem in problems} == {"unsafe-pickle"}
    assert "posix.mkdir" in problems[0].message
    assert not marker.exists()


@pytest.mark.whoosh
# Whoosh leaves a file open when it cannot read it.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_damage_that_the_manifest_fits_is_no_traceback(out: Path) -> None:
    """Any byte of either file may be anything: problems, and no other exception."""
    for name in read_manifest(out / "steadyrank-2.json").files:
        path = out / name
        whole = path.read_bytes()
        for position in range(0, len(whole), max(1, len(whole) // 30)):
            change(path, position)
            reseal(out)
            verify(out)
            path.write_bytes(whole)
        for length in (0, 1, 20, len(whole) // 2):
            path.write_bytes(whole[:length])
            reseal(out)
            assert verify(out).problems
        path.write_bytes(whole)
        reseal(out)
    assert codes(out) == []


@pytest.mark.whoosh
def test_schemas_of_plain_whoosh_are_allowed() -> None:
    """All field types, and analyzers of every family."""
    from whoosh import analysis, fields

    schema = fields.Schema(
        a=fields.TEXT(stored=True, spelling=True, vector=True),
        b=fields.TEXT(analyzer=analysis.StemmingAnalyzer(), chars=True),
        c=fields.TEXT(analyzer=analysis.FancyAnalyzer()),
        d=fields.TEXT(analyzer=analysis.LanguageAnalyzer("de")),
        e=fields.NGRAMWORDS(),
        f=fields.NUMERIC(sortable=True),
        g=fields.NUMERIC(float, sortable=True),
        h=fields.DATETIME(sortable=True),
        i=fields.BOOLEAN(),
        j=fields.KEYWORD(commas=True, lowercase=True, scorable=True),
        k=fields.ID(sortable=True, unique=True),
        l=fields.STORED(),
        m=fields.NGRAM(),
        n=fields.COLUMN(__import__("whoosh.columns").columns.RefBytesColumn()),
    )
    schema.clean()
    assert forbidden_names(pickle.dumps(schema, 2))[0] == []
    assert forbidden_names(pickle.dumps(schema, 4))[0] == []


@pytest.mark.parametrize("protocol", range(6))
@pytest.mark.parametrize("callable_", [os.system, eval, getattr, pickle.loads, Path.unlink])
def test_calls_are_found_in_every_protocol(protocol: int, callable_: object) -> None:
    """Whatever module they come from."""
    names, end = forbidden_names(pickle.dumps(callable_, protocol) + b"tail")
    assert names
    assert end == len(pickle.dumps(callable_, protocol))


def _crafted(*parts: bytes) -> bytes:
    return b"\x80\x04" + b"".join(parts) + b"."


def _text(text: str) -> bytes:
    return b"\x8c" + bytes([len(text)]) + text.encode()


_SYSTEM = (_text("posix"), _text("system"))
_INT = (_text("builtins"), _text("int"))


@pytest.mark.parametrize(
    "data",
    [
        # Strings that a scan of "the last two" would take, popped before the name is made.
        _crafted(*_SYSTEM, *_INT, b"00", b"\x93"),
        # The same through a tuple that is built and dropped, a duplicate, and a mark.
        _crafted(*_SYSTEM, b"(", *_INT, b"1", b"\x93"),
        _crafted(*_SYSTEM, *_INT, b"\x86", b"0", b"\x93"),
        _crafted(_text("posix"), b"\x94", b"0", *_INT, b"00", b"h\x00", _text("system"), b"\x93"),
        # A memo entry that is not the last string pushed.
        _crafted(*_SYSTEM, b"\x85", b"q\x00", b"0", b"h\x00", b"h\x00", b"\x93"),
        b"cposix\nsystem\n.",
        b"(S'true'\niposix\nsystem\n.",
        b"\x80\x02\x82\x01.",  # the extension registry
        b"Pname\n.",  # a persistent id
        _crafted(_text("whoosh.fields"), _text("TEXT.__init__"), b"\x93"),
    ],
)
def test_pickles_made_to_deceive_a_scanner_are_refused(data: bytes) -> None:
    """Refused for what is not certain; an honest pickler never writes it."""
    assert forbidden_names(data)[0]


def test_memoised_strings_are_followed() -> None:
    """The fifth protocol writes a module's name once."""

    found: list[str] = []

    class Unpickler(pickle.Unpickler):
        def find_class(self, module: str, name: str) -> Any:
            found.append(f"{module}.{name}")
            return super().find_class(module, name)

    data = pickle.dumps([os.mkdir, os.rmdir], 4)
    Unpickler(io.BytesIO(data)).load()
    assert forbidden_names(data)[0] == found == ["posix.mkdir", "posix.rmdir"]


def test_the_allow_list_takes_classes_of_modules_and_no_functions() -> None:
    """Nor what lies behind a dot, nor a module that only begins alike."""
    assert is_allowed("whoosh.analysis.filters", "StopFilter")
    assert is_allowed("steadyrank.analysis", "StoreAnalyzer")
    assert not is_allowed("whoosh.fields", "ensure_schema")
    assert not is_allowed("whoosh.fields", "TEXT.clean")
    assert not is_allowed("whoosh.fieldsx", "TEXT")
    assert not is_allowed("whoosh.util.loading", "RenamingUnpickler")
