"""Rebuilds find any byte that depends on the layout, and leave nothing behind."""

from __future__ import annotations

import hashlib
import json
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from whoosh.index import open_dir

from steadyrank.measure import Entry, Origin, Ranking, Run
from steadyrank.pinned import provider
from steadyrank.postings import Identity
from steadyrank_builder.building import build
from steadyrank_builder.cli import main
from steadyrank_builder.evaluation import golden_asker
from steadyrank_builder.proving import RebuildError, rebuild
from steadyrank_builder.proving.differences import differences
from steadyrank_builder.proving.exchange import Change, exchanged
from steadyrank_builder.proving.layouts import LAYOUTS, write_layout
from support_answers import piece, write

pytestmark = pytest.mark.whoosh

WORDS = ["rope", "sail", "mast", "keel", "knot", "deck"]
RECORDS = [
    {
        "id": f"r{n:02}",
        "kind": "product",
        "title": WORDS[n % 3],
        "text": " ".join(WORDS[m % 6] for m in range(n % 5 + 2)),
    }
    for n in range(30)
]
CASES = [
    {"question": question, "mode": "contains", "expected": ["r00"], "k": 30}
    for question in ("rope", "sail", "mast rope")
]
GOLDEN = {"settings": {"fetch": {"unlimited": True}}, "cases": CASES}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Material in two files, its index, golden questions, and a temporary folder of its own."""
    for name, part in (("one", RECORDS[::2]), ("two", RECORDS[1::2])):
        lines = "".join(json.dumps(record) + "\n" for record in part)
        (tmp_path / f"{name}.jsonl").write_text(lines, "utf-8")
    build([tmp_path / "one.jsonl", tmp_path / "two.jsonl"], tmp_path / "index")
    (tmp_path / "golden.json").write_text(json.dumps(GOLDEN), "utf-8")
    (tmp_path / "tmp").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "tmp"))
    return tmp_path


def asks(place: Path) -> Callable[[Path, bool], Run]:
    def ask(folder: Path, backwards: bool) -> Run:
        with golden_asker(folder, place / "golden.json") as asker:
            order: Any = reversed if backwards else iter
            return asker.run(order)

    return ask


def rebuilt(place: Path, count: int = 2, *material: str) -> Any:
    ask = asks(place)
    named = [place / name for name in material or ("one.jsonl", "two.jsonl")]
    return rebuild(place / "index", ask(place / "index", False), ask, count, named)


def evaluate(place: Path, *options: str) -> Result:
    arguments = [str(place / "index"), str(place / "golden.json"), *options]
    return CliRunner().invoke(main, ["evaluate", *arguments])


def by_number(identity: Identity, docs: Any) -> list[Any]:
    """Ids that are document numbers: what a tie falls back to without a tie-break."""
    return [(number,) for number in docs.tolist()]


BROKEN = [Change(Identity.keys, by_number, Identity)]


def test_nothing_differs_and_everything_is_counted(place: Path) -> None:
    """Four layouts, two runs each of three questions; stock Whoosh does differ in them."""
    found = rebuilt(place)
    assert found.holds
    assert (len(found.layouts), found.runs, found.rankings) == (4, 2, 4 * 2 * 3)
    assert found.stock > 0
    assert found.note == ""


def test_a_broken_tie_break_is_found(place: Path) -> None:
    """With both rankings, in a layout that a plain writer made; the built ones are in id order."""
    with exchanged(BROKEN):
        found = rebuilt(place)
    assert not found.holds
    assert {one.layout for one in found.differences} == {n for n in found.layouts if "shuf" in n}
    for one in found.differences:
        assert "ids" in one.parts
        assert one.expected.ids != one.got.ids
        assert sorted(one.expected.ids) == sorted(one.got.ids)


def test_scores_that_count_what_was_deleted_are_found(place: Path) -> None:
    """Whoosh's own statistics give other bits where deleted documents are left over."""

    def whoosh(chosen: Any, view: Any) -> Any:
        return provider("whoosh", view)

    with exchanged([Change(provider, whoosh)]):
        found = rebuilt(place)
    assert "1: built again" not in {one.layout for one in found.differences}
    leftovers = [one for one in found.differences if "with deleted leftovers" in one.layout]
    assert leftovers
    assert all("scores" in one.parts for one in leftovers)


def test_the_exit_code_and_the_text_say_it(place: Path) -> None:
    """0 and what was compared, or 3 and both rankings; the evaluation itself is green."""
    fine = evaluate(place, "--rebuild", "1")
    assert fine.exit_code == 0, fine.output
    assert "2 layouts, 2 runs each, 12 rankings compared: none differ" in fine.stdout
    with exchanged(BROKEN):
        wrong = evaluate(place, "--rebuild", "1")
        content = json.loads(evaluate(place, "--rebuild", "1", "--json").stdout)
    assert wrong.exit_code == 3
    assert "passed: 3 passed, 0 failed" in wrong.stdout
    assert "DIFFERS  1. rope" in wrong.stdout
    assert "as it is" in wrong.stdout and "rebuilt" in wrong.stdout
    assert content["outcome"] == "passed"
    one = content["rebuild"]["differences"][0]
    ids = [[entry["id"] for entry in one[side]["entries"]] for side in ("expected", "got")]
    assert ids[0] != ids[1]
    assert float.fromhex(one["got"]["entries"][0]["bits"]) == one["got"]["entries"][0]["score"]


@pytest.mark.own_files
def test_the_live_index_is_only_read_and_nothing_is_left(place: Path) -> None:
    """Also when something differs, and when it fails in the middle."""

    def state() -> dict[str, str]:
        return {
            path.name: hashlib.sha256(path.read_bytes()).hexdigest()
            for path in (place / "index").iterdir()
        }

    before = state()
    rebuilt(place)
    with exchanged(BROKEN):
        rebuilt(place)

    def broken(folder: Path, backwards: bool) -> Run:
        assert any((place / "tmp").iterdir())  # what is to be cleaned is there
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        rebuild(place / "index", Run(Origin(), ()), broken, 1, [place / "one.jsonl"] * 0)
    assert state() == before
    assert list((place / "tmp").iterdir()) == []


def test_material_is_what_the_manifest_names(
    place: Path, monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """From wherever the command is run; a folder is named again as a folder."""
    monkeypatch.chdir(tmp_path_factory.mktemp("elsewhere"))
    assert evaluate(place, "--rebuild", "1").exit_code == 0
    (place / "pages" / "deep").mkdir(parents=True)
    (place / "pages" / "deep" / "one.md").write_text("# One\n\nrope and sail\n", "utf-8")
    build([place / "one.jsonl", place / "two.jsonl", place / "pages"], place / "index")
    assert evaluate(place, "--rebuild", "1").exit_code == 0


def test_without_the_material_it_says_what_to_pass(place: Path) -> None:
    """A file that is gone is named."""
    (place / "two.jsonl").rename(place / "moved.jsonl")
    done = evaluate(place, "--rebuild", "1")
    assert done.exit_code == 2
    assert "two.jsonl" in done.stderr and "--material PATH" in done.stderr
    given = [f"--material={place / name}" for name in ("one.jsonl", "moved.jsonl")]
    assert evaluate(place, "--rebuild", "1", *given).exit_code == 0


def test_other_material_is_no_finding_but_an_error(place: Path) -> None:
    """What was added, removed and changed is named; no ranking is compared."""
    records = [*RECORDS[2::2], {**RECORDS[1], "text": "other"}, {**RECORDS[0], "id": "new"}]
    lines = "".join(json.dumps(record) + "\n" for record in records)
    (place / "other.jsonl").write_text(lines, "utf-8")
    with pytest.raises(RebuildError) as error:
        rebuilt(place, 1, "other.jsonl")
    said = str(error.value)
    assert "15 only in the index (r00, r03, r05, ...)" in said
    assert "1 only in the material (new)" in said
    assert "1 with other content (r01)" in said


def test_an_index_that_others_wrote(tmp_path: Path) -> None:
    """A store without a manifest needs --material; what is no store has none."""
    folder = write(tmp_path / "plain", [piece("a", "rope")])
    with pytest.raises(RebuildError, match="--material PATH"):
        rebuild(folder, Run(Origin(), ()), lambda folder, backwards: Run(Origin(), ()), 1)


def test_layouts_that_prove_little_say_so(tmp_path: Path) -> None:
    """One document has one order."""
    (tmp_path / "one.jsonl").write_text(json.dumps(RECORDS[0]) + "\n", "utf-8")
    build([tmp_path / "one.jsonl"], tmp_path / "index")
    (tmp_path / "golden.json").write_text(json.dumps({"cases": CASES[:1]}), "utf-8")
    done = evaluate(tmp_path, "--rebuild", "1")
    assert done.exit_code == 0, done.output
    assert "the layouts did not differ for stock Whoosh: this proves little" in done.stdout


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda layout: layout.name)
def test_layouts_are_what_they_say(layout: Any, tmp_path: Path, place: Path) -> None:
    """The same live documents, not in id order, in so many segments, with deleted ones or none."""
    live = open_dir(str(place / "index"))
    documents = [dict(stored) for stored in live.reader().all_stored_fields()]
    folder = tmp_path / "layout"
    folder.mkdir()
    write_layout(folder, live.schema, documents, layout, 7)
    reader = open_dir(str(folder)).reader()
    stored = [dict(fields) for fields in reader.all_stored_fields()]
    assert stored != documents
    assert sorted(stored, key=lambda fields: str(fields["id"])) == documents
    # What is written again unchanged is in a segment of its own.
    segments = 1 if layout.merged else layout.segments + layout.leftovers
    assert len(reader.leaf_readers()) == segments
    assert reader.has_deletions() is (layout.leftovers and not layout.merged)


def ranking(**more: Any) -> Ranking:
    entries = (Entry("a", 2.0, "a", content="x"), Entry("b", 1.0, "b", content="y"))
    return replace(Ranking(1, "q", 2, entries, confidence="high"), **more)


def changed(**more: Any) -> tuple[Entry, ...]:
    return (ranking().entries[0], replace(ranking().entries[1], **more))


@pytest.mark.parametrize(
    ("other", "parts"),
    [
        (ranking(), None),
        (ranking(entries=ranking().entries[::-1]), ("ids", "scores", "content")),
        (ranking(entries=changed(score=1.0 + 2**-52)), ("scores",)),
        (ranking(entries=changed(content="z")), ("content",)),
        (ranking(entries=changed(title="z")), ("content",)),
        (ranking(entries=changed(band=2)), ("bands",)),
        (ranking(confidence="low"), ("confidence",)),
        (ranking(after=(Entry("c", 0.5, "c"),)), ("what came next",)),
    ],
)
def test_a_difference_in_any_part_is_one(other: Ranking, parts: tuple[str, ...] | None) -> None:
    """To the last bit of a score."""
    found: Iterator[Any] = differences(
        Run(Origin(), (ranking(),)), Run(Origin(), (other,)), "layout", 1
    )
    assert [one.parts for one in found] == ([] if parts is None else [parts])
