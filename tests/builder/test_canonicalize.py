"""Any index as one segment in id order: nothing that a search can see is lost."""

from __future__ import annotations

import json
import os
import pickle
import random
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.cli import main
from steadyrank_builder.failures import (
    CanonicalError,
    NoIndexError,
    StaleGenerationError,
    TargetError,
)
from steadyrank_builder.history import generations, rollback
from steadyrank_builder.publishing.durable import measure
from steadyrank_builder.recasting import canonicalize
from steadyrank_builder.verification.contained import _forbidden
from steadyrank_builder.verification.verify import verify
from support_builder import ids_of, litter, record, write_records

pytestmark = pytest.mark.whoosh

WORDS = ["mug", "cup", "steel", "tin", "lamp", "tent", "rope", "boot", "sock", "map"]
Fields = dict[str, Any]


def schema(**more: Any) -> Any:
    """Every kind of field, some of them not stored."""
    from whoosh import columns, fields, formats

    return fields.Schema(
        id=fields.ID(stored=True, unique=True),
        text=fields.TEXT(vector=True),
        title=fields.TEXT(stored=True, chars=True, field_boost=2.5),
        tags=fields.KEYWORD(commas=True, sortable=True),
        price=fields.NUMERIC(int, signed=True, sortable=True),
        stock=fields.NUMERIC(int, stored=True),
        made=fields.DATETIME(sortable=True),
        live=fields.BOOLEAN(stored=True),
        ngrams=fields.NGRAMWORDS(minsize=2, maxsize=3),
        blob=fields.COLUMN(columns.VarBytesColumn()),
        note=fields.STORED(),
        boosted=fields.FieldType(
            formats.PositionBoosts(), fields.TEXT().analyzer, scorable=True, stored=False
        ),
        **more,
    )


def documents(count: int, seed: int = 0) -> list[Fields]:
    rng = random.Random(seed)
    made: list[Fields] = []
    for number in range(count):
        fields: Fields = {
            "id": f"ü{number:03}" if number % 7 == 0 else f"d{number:03}",
            "text": " ".join(rng.choices(WORDS, k=rng.randint(1, 120))),
            "title": " ".join(rng.choices(WORDS, k=3)),
            "tags": ",".join(sorted(set(rng.choices(WORDS, k=2)))),
            "stock": number,
            "_text_boost": rng.choice([1.0, 1.5]),
        }
        if number % 3:
            fields |= {
                "price": rng.randint(-9, 9),
                "made": datetime(2024, 1, 1) + timedelta(hours=number),
                "live": number % 2 == 0,
                "ngrams": rng.choice(WORDS),
                "blob": bytes([number % 256, 0, 1]),
                "note": {"list": [1, None], "text": "é"},
                "boosted": "mug^2.0 steel" if number % 2 else "tin",
            }
        made.append(fields)
    return made


def written(
    folder: Path, made: Sequence[Fields], *, seed: int, commits: int, own: Any = None
) -> Path:
    """``made`` in a random order over several commits, with deletions and documents saved anew."""
    from whoosh.index import create_in

    rng = random.Random(seed)
    order = list(made)
    rng.shuffle(order)
    folder.mkdir()
    index = create_in(str(folder), own or schema())
    for number in range(commits):
        writer = index.writer()
        writer.add_document(id=f"gone{number}", text="mug gone forever", title="gone")
        for fields in order[number::commits]:
            writer.add_document(**fields)
        writer.commit(merge=False)
        writer = index.writer()
        writer.delete_by_term("id", f"gone{number}")
        writer.update_document(**order[number])
        writer.commit(merge=False)
    return folder


def seen(folder: Path) -> dict[str, Any]:
    """All that plain Whoosh reads of an index, by id."""
    from whoosh.index import open_dir

    index = open_dir(str(folder))
    reader = index.reader()
    try:
        ids = {doc: stored["id"] for doc, stored in reader.iter_docs()}
        found: dict[str, Any] = {
            "stored": {stored["id"]: stored for _, stored in reader.iter_docs()}
        }
        postings: dict[Any, Any] = {}
        for name, text in reader.all_terms():
            matcher = reader.postings(name, text)
            while matcher.is_active():
                each = (matcher.weight(), bytes(matcher.value() or b""))
                postings.setdefault((name, text), {})[ids[matcher.id()]] = each
                matcher.next()
        found["postings"] = postings
        for name, field in index.schema.items():
            found[name] = {
                id_: (
                    reader.doc_field_length(doc, name) or 0,
                    _vector(reader, doc, name) if field.vector else None,
                )
                for doc, id_ in ids.items()
            }
            if field.column_type:
                found[f"{name} column"] = {
                    id_: _column_value(reader, field, name, doc) for doc, id_ in ids.items()
                }
        return found
    finally:
        reader.close()


def _column_value(reader: Any, field: Any, name: str, doc: int) -> Any:
    """The raw value; a column of bytes has none for the last documents if these have no value."""
    leaf, offset = max(
        (each for each in reader.leaf_readers() if each[1] <= doc), key=lambda each: each[1]
    )
    try:
        return leaf.column_reader(name, translate=False)[doc - offset]
    except IndexError:
        return field.column_type.default_value()


def _vector(reader: Any, doc: int, name: str) -> list[Any] | None:
    if not reader.has_vector(doc, name):
        return None
    matcher = reader.vector(doc, name)
    items = []
    while matcher.is_active():
        items.append((matcher.id(), matcher.weight(), bytes(matcher.value() or b"")))
        matcher.next()
    return items


def test_nothing_that_a_search_can_see_is_lost(tmp_path: Path) -> None:
    """Stored fields, terms, weights, positions, lengths, vectors, columns, by plain Whoosh."""
    folder = written(tmp_path / "i", documents(90), seed=1, commits=4)
    before = seen(folder)
    assert len(before["stored"]) == 90
    assert len({weight for term in before["postings"].values() for weight, _ in term.values()}) > 3
    done = canonicalize(folder, id_field="id")
    assert (done.published, done.documents, done.segments) == (True, 90, 8)
    assert done.deleted >= 8
    after = seen(folder)
    for part, value in before.items():
        assert after[part] == value, part
    assert ids_of(folder) == sorted(before["stored"])
    assert len(list(folder.glob("*.seg"))) > 1  # those of the generation before, for a rollback
    assert verify(folder).problems == ()


def test_the_same_documents_give_the_same_content(tmp_path: Path) -> None:
    """Whatever the history of the index; other documents give another."""
    made = documents(40)
    digests = {
        canonicalize(
            written(tmp_path / f"i{seed}", made, seed=seed, commits=commits), id_field="id"
        ).digest
        for seed, commits in ((1, 1), (2, 3), (3, 5))
    }
    assert len(digests) == 1
    made[3]["text"] += " rope"
    other = canonicalize(written(tmp_path / "o", made, seed=1, commits=2), id_field="id")
    assert other.digest not in digests


def test_document_numbers_follow_the_ids_and_nothing_is_deleted(tmp_path: Path) -> None:
    """One segment, and a folder beside it leaves the old one as it was."""
    from whoosh.index import open_dir

    folder = written(tmp_path / "i", documents(20), seed=1, commits=3)
    names = sorted(entry.name for entry in folder.iterdir())
    out = tmp_path / "out"
    done = canonicalize(folder, id_field="id", out=out)
    assert done.generation == 1
    assert sorted(entry.name for entry in folder.iterdir()) == names
    with open_dir(str(out)).searcher() as searcher:
        reader = searcher.reader()
        assert reader.is_atomic()
        assert (reader.doc_count(), reader.doc_count_all()) == (20, 20)
        assert reader.field_length("text") == sum(
            reader.doc_field_length(doc, "text") for doc in range(20)
        )
    assert ids_of(out) == sorted(ids_of(out))
    assert litter(out, [1]) == []
    with pytest.raises(TargetError, match="holds an index already"):
        canonicalize(folder, id_field="id", out=out)


def test_it_is_published_like_a_build(tmp_path: Path) -> None:
    """A rollback takes it back, doing it twice does nothing, a host goes on on top of it."""
    folder = written(tmp_path / "i", documents(10), seed=1, commits=2)
    live = generations(folder)[-1].number
    before = seen(folder)
    assert canonicalize(folder, id_field="id").generation == live + 1
    again = canonicalize(folder, id_field="id")
    assert (again.published, again.generation) == (False, live + 1)
    assert "already" in again.notes[0]
    rollback(folder)
    assert seen(folder) == before
    canonicalize(folder, id_field="id")
    from whoosh.index import open_dir

    writer = open_dir(str(folder)).writer()
    writer.add_document(id="host", text="mug")
    writer.commit(merge=False)
    assert canonicalize(folder, id_field="id").documents == 11
    assert verify(folder).problems == ()


def test_another_id_field_is_another_order(tmp_path: Path) -> None:
    """Also of an index that is in the order of one already, as a build's is."""
    from whoosh.fields import ID, Schema
    from whoosh.index import create_in

    folder = tmp_path / "i"
    folder.mkdir()
    writer = create_in(str(folder), Schema(id=ID(stored=True), sku=ID(stored=True))).writer()
    for id_, sku in (("a", "3"), ("b", "1"), ("c", "2")):
        writer.add_document(id=id_, sku=sku)
    writer.commit()
    assert canonicalize(folder, id_field="id").published
    assert canonicalize(folder, id_field="sku").published
    assert ids_of(folder) == ["b", "c", "a"]
    assert not canonicalize(folder, id_field="sku").published
    assert verify(folder).problems == ()
    built = tmp_path / "built"
    build([write_records(tmp_path / "m.jsonl", [record("a", sku="x"), record("b")])], built)
    assert not canonicalize(built, id_field="id").published
    with pytest.raises(CanonicalError):
        canonicalize(built, id_field="sku")


def test_damage_is_found(tmp_path: Path) -> None:
    """As in a built index: by the hash of a file, and by content where the record was changed."""
    from dataclasses import replace

    from steadyrank_builder.manifest import read_manifest, write_manifest

    folder = written(tmp_path / "i", documents(10), seed=1, commits=2)
    out = tmp_path / "out"
    canonicalize(folder, id_field="id", out=out)
    (segment,) = out.glob("*.seg")
    whole = segment.read_bytes()
    segment.write_bytes(whole[:-9])
    assert [problem.code for problem in verify(out).problems] == ["damaged-file"]
    # Another index's segment under this one's record, which is made to fit.
    made = documents(10)
    made[0]["text"] = "mug"
    other = tmp_path / "other"
    canonicalize(written(tmp_path / "j", made, seed=1, commits=2), id_field="id", out=other)
    (segment,) = other.glob("*.seg")
    path = other / "steadyrank-1.json"
    manifest = read_manifest(out / "steadyrank-1.json")
    files = {name: measure(other / name) for name in read_manifest(path).files}
    write_manifest(path, replace(manifest, files=files))
    assert [problem.code for problem in verify(other).problems] == ["other-content"]


@pytest.mark.parametrize("kind", ["stored", "column", "terms", "number", "number terms"])
def test_ids_of_every_make(tmp_path: Path, kind: str) -> None:
    """Stored, in a column, or as terms only; numbers by their value."""
    from whoosh import fields

    number = kind.startswith("number")
    made: list[Fields] = [
        {"id": each if number else f"{each}", "text": "mug"} for each in (10, 9, 100, 2, 33)
    ]
    field = {
        "stored": fields.ID(stored=True),
        "column": fields.ID(sortable=True),
        "terms": fields.ID(),
        "number": fields.NUMERIC(stored=True, signed=True),
        "number terms": fields.NUMERIC(),
    }[kind]
    own = fields.Schema(id=field, text=fields.TEXT(stored=True))
    from whoosh.index import create_in

    folder = tmp_path / "i"
    folder.mkdir()
    index = create_in(str(folder), own)
    for part in (made[:2], made[2:]):
        writer = index.writer()
        for each in part:
            writer.add_document(id=each["id"], text=f"mug n{each['id']}")
        writer.commit(merge=False)
    canonicalize(folder, id_field="id")
    with index.refresh().searcher() as searcher:
        texts = [stored["text"] for stored in searcher.reader().all_stored_fields()]
    expected = [2, 9, 10, 33, 100] if number else ["10", "100", "2", "33", "9"]
    assert texts == [f"mug n{each}" for each in expected]
    assert verify(folder).problems == ()


@pytest.mark.parametrize(
    ("made", "message"),
    [
        ([{"id": "a"}, {"id": "a"}, {"id": "b"}], r"1 ids in field 'id' .* \('a'\)"),
        ([{"id": "a"}, {"text": "no id"}], "1 live documents have no single id"),
        ([], "no live document"),
    ],
)
def test_ids_that_settle_no_order_are_an_error(
    tmp_path: Path, made: list[Fields], message: str
) -> None:
    """With examples, and nothing changes."""
    from whoosh.index import create_in

    folder = tmp_path / "i"
    folder.mkdir()
    writer = create_in(str(folder), schema()).writer()
    for fields in made:
        writer.add_document(**fields)
    writer.commit()
    names = sorted(entry.name for entry in folder.iterdir())
    with pytest.raises(CanonicalError, match=message):
        canonicalize(folder, id_field="id")
    assert sorted(entry.name for entry in folder.iterdir()) == names
    with pytest.raises(CanonicalError, match="no field 'sku'; it has"):
        canonicalize(folder, id_field="sku")


def test_a_commit_meanwhile_is_not_lost(tmp_path: Path) -> None:
    """The writer that was at it is told, not overwritten."""
    from whoosh.index import open_dir

    folder = written(tmp_path / "i", documents(100), seed=1, commits=2)

    def commit(done: int, total: int) -> None:
        if done == total:
            writer = open_dir(str(folder)).writer()
            writer.add_document(id="host")
            writer.commit(merge=False)

    with pytest.raises(StaleGenerationError, match="another writer committed"):
        canonicalize(folder, id_field="id", tick=commit)
    assert "host" in ids_of(folder)
    assert len(ids_of(folder)) == 101


def test_a_build_does_not_take_it_for_its_own(tmp_path: Path) -> None:
    """What canonicalize wrote cannot be built again from the material."""
    folder = written(tmp_path / "i", documents(5), seed=1, commits=2)
    canonicalize(folder, id_field="id")
    material = write_records(tmp_path / "m.jsonl", [record("a")])
    with pytest.raises(StaleGenerationError, match="canonicalize"):
        build([material], folder)
    build([material], folder, BuildSettings(force=True))
    assert ids_of(folder) == ["a"]


def test_the_command(tmp_path: Path) -> None:
    """JSON with sorted keys, exit code 2 for bad input."""

    def run(*arguments: str | Path) -> Result:
        return CliRunner().invoke(main, [str(argument) for argument in arguments])

    folder = written(tmp_path / "i", documents(5), seed=1, commits=2)
    result = run("canonicalize", folder, "--id-field", "id", "--json")
    printed = json.loads(result.stdout)
    assert list(printed) == sorted(printed)
    assert printed["documents"] == 5
    assert run("canonicalize", tmp_path, "--id-field", "id").exit_code == 2
    assert run("canonicalize", folder, "--id-field", "nope").exit_code == 2
    with pytest.raises(NoIndexError):
        canonicalize(tmp_path, id_field="id")


def test_pickles_in_vectors_are_scanned(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Positions in a vector are a pickle each, which a search for similar documents reads."""
    from whoosh import formats

    marker = tmp_path / "executed"

    class Evil:
        def __reduce__(self) -> tuple[Any, ...]:
            return Path.mkdir, (marker,)

    made = documents(6)
    with monkeypatch.context() as patch:
        evil = pickle.dumps(Evil(), 2)
        patch.setattr(formats.Positions, "encode", lambda *_: b"\0\0\0\1" + evil)
        folder = written(tmp_path / "i", made, seed=1, commits=2)
    out = tmp_path / "out"
    canonicalize(folder, id_field="id", out=out)
    problems = verify(out).problems
    assert {problem.code for problem in problems} == {"unsafe-pickle"}
    assert any("The vectors in" in problem.message for problem in problems)
    assert not marker.exists()


def test_columns_of_pickles_are_not_read(tmp_path: Path) -> None:
    """They are kept, and verify says that it cannot vouch for them."""
    from whoosh import columns, fields

    pickles = columns.PickleColumn(columns.VarBytesColumn())
    own = schema(extra=fields.COLUMN(pickles))
    made = [{**each, "extra": [1, each["id"]]} for each in documents(6)]
    folder = written(tmp_path / "i", made, seed=1, commits=2, own=own)
    canonicalize(folder, id_field="id")
    assert [problem.code for problem in verify(folder).problems] == ["unsafe-pickle"]


OWN = """
import pickle
from whoosh.analysis import Filter
opened = []
class Singular(Filter):
    def __init__(self):
        self.ending = "s"
    def __call__(self, tokens):
        for token in tokens:
            token.text = token.text.removesuffix(self.ending)
            yield token
    def __setstate__(self, state):
        opened.append(state)
        self.__dict__.update(state)
class SingularToo(Singular):
    pass
"""


def test_an_own_analyzer_is_vouched_for_by_its_whole_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No other name will do, and without it nothing of it is called."""
    from whoosh import fields
    from whoosh.analysis import RegexTokenizer

    (tmp_path / "shopwords.py").write_text(OWN)
    monkeypatch.syspath_prepend(str(tmp_path))
    import shopwords  # type: ignore[import-not-found]

    own = schema(more=fields.TEXT(analyzer=RegexTokenizer() | shopwords.Singular()))
    made = [{**each, "more": "mugs and cups"} for each in documents(6)]
    folder = written(tmp_path / "i", made, seed=1, commits=2, own=own)
    canonicalize(folder, id_field="id")
    shopwords.opened.clear()
    for names in (
        [],
        ["Singular"],
        ["shopwords"],
        ["shopwords."],
        ["shopwords.SingularToo"],
        ["shopwords.Singular.x"],
        ["shopwords.singular"],
        ["x.shopwords.Singular"],
    ):
        problems = verify(folder, own=names).problems
        assert {problem.code for problem in problems} == {"unsafe-pickle"}, names
        assert all("shopwords.Singular" in problem.message for problem in problems)
        assert not shopwords.opened
    assert "--allow-class" in problems[0].message
    assert verify(folder, own=["shopwords.Singular"]).problems == ()
    assert shopwords.opened
    allowed = ["--allow-class", "shopwords.Singular"]
    assert CliRunner().invoke(main, ["verify", str(folder)]).exit_code == 3
    assert CliRunner().invoke(main, ["verify", str(folder), *allowed]).exit_code == 0
    for name in ("Singular", "shopwords.", "shop words.Singular", ""):
        refused = CliRunner().invoke(main, ["verify", str(folder), "--allow-class", name])
        assert refused.exit_code == 2
        assert "shopwords.Singular" in refused.output


class Money:
    """A value of a host's own, which can be called and can not be given a state."""

    def __init__(self, *_: Any) -> None:
        pass

    def __call__(self, *_: Any) -> None:
        """Anything, or an error where only something that stands in for it is called."""

    def __setstate__(self, state: Any) -> None:
        raise AssertionError("it was made")


class Evil:
    """Makes a folder when it is read."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return os.mkdir, (str(self.marker),)


class Called:
    """Calls an instance of Money before that."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[Any, ...]:
        return Money(), (Evil(self.marker),)


@pytest.mark.parametrize("protocol", range(2, pickle.HIGHEST_PROTOCOL + 1))
@pytest.mark.parametrize("first", ["beside", "called"])
def test_a_vouched_name_lets_no_other_pass(tmp_path: Path, first: str, protocol: int) -> None:
    """Nothing is made of stored fields, so nothing can go wrong before the worst is seen."""
    marker = tmp_path / "executed"
    money = f"{__name__}.Money"
    worst = Called(marker) if first == "called" else [Money(), Evil(marker)]
    held = pickle.dumps({"price": worst}, protocol)
    sound = pickle.dumps({"price": [Money()], "since": datetime(2026, 1, 1)}, protocol)
    assert _forbidden("stored fields", iter([held]), [money]) == [
        ("stored fields", f"{os.mkdir.__module__}.mkdir")
    ]
    assert _forbidden("stored fields", iter([sound]), [money]) == []
    assert _forbidden("stored fields", iter([sound])) == [("stored fields", money)]
    assert not marker.exists()
