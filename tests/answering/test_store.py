"""The store: conditions, budgets, fingerprints, threads, rebuilds."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from steadyrank import Answer, Settings, SettingsError, Store, open_index, open_store, stabilize
from steadyrank_builder.building import BuildSettings, build
from support_answers import piece, stored_in, write
from support_builder import environment, record, write_records

pytestmark = pytest.mark.whoosh

STOCKED = [
    piece("a", "tent", attributes={"stock": 3, "tenant": "north", "sizes": ["S", "M"]}),
    piece("b", "tent", attributes={"stock": 0, "tenant": "south", "sizes": ["L"], "sale": True}),
    piece("c", "tent", kind="faq", language="de", attributes={"tenant": "north", "sale": 1}),
    piece("d", "tent", kind="page", links=[("b", "related"), ("a", "next"), ("gone", "next")]),
]


@pytest.fixture(scope="module")
def stocked(tmp_path_factory: pytest.TempPathFactory) -> Store:
    return open_store(write(tmp_path_factory.mktemp("store") / "i", STOCKED, segments=2))


def found(store: Store, **where: Any) -> str:
    return "".join(sorted(piece.id for piece in store.answer("tent", where=where).pieces))


@pytest.mark.parametrize(
    ("where", "ids"),
    [
        ({}, "abcd"),
        ({"kind": "product"}, "ab"),
        ({"kind": ["faq", "page"]}, "cd"),
        ({"kind": "product", "language": "en", "tenant": "north"}, "a"),
        ({"language": "de"}, "c"),
        ({"id": ["a", "d", "nobody"]}, "ad"),
        ({"document": "b"}, "b"),
        ({"stock": 3}, "a"),
        ({"stock": "3"}, "a"),
        ({"stock": 3.0}, "a"),
        ({"stock": None}, "cd"),
        ({"stock": lambda stock: (stock or 0) > 0}, "a"),
        ({"sizes": "M"}, "a"),
        ({"sizes": ["L", "S"]}, "ab"),
        ({"sale": True}, "b"),
        ({"sale": 1}, "c"),
        ({"sale": "true"}, "b"),
        ({"kind": lambda kind: kind.startswith("p")}, "abd"),
        ({"title": None}, "abcd"),
        ({"kind": []}, ""),
        ({"warehouse": "east"}, ""),
        ({"kind": "pro\ud800duct"}, ""),
    ],
)
def test_where_keeps_what_meets_all_conditions(
    stocked: Store, where: dict[str, Any], ids: str
) -> None:
    """Fields and attributes, one value or several, lists, numbers as text, none at all."""
    assert found(stocked, **where) == ids


def test_where_none_is_for_documents_without_the_field(tmp_path: Path) -> None:
    """A language that was never said; also beside values."""
    without = {key: value for key, value in piece("x", "tent").items() if key != "language"}
    documents = [without, piece("y", "tent", language="de"), piece("z", "tent")]
    with open_store(write(tmp_path / "i", documents)) as store:
        assert found(store, language=None) == "x"
        assert found(store, language=[None, "de"]) == "xy"


def test_where_reads_single_values_and_all_of_them_alike(tmp_path: Path) -> None:
    """Few matches in a large segment are read one by one, until reading all costs less."""
    documents = [
        piece(f"p{n:03}", "tent" if n % 20 == 0 else "lamp", attributes={"stock": n % 3})
        for n in range(200)
    ]
    expected = [f"p{n:03}" for n in range(0, 200, 20) if n % 3 == 1]
    with open_store(write(tmp_path / "i", documents)) as store:
        for _ in range(8):
            answer = store.answer("tent", take=20, where={"stock": 1})
            assert [piece.id for piece in answer.pieces] == expected
        assert len(store.answer("lamp", take=20, where={"stock": 1}).pieces) == 20


def test_an_empty_match_is_an_empty_answer(stocked: Store) -> None:
    """Not everything, as an empty filter of Whoosh's would give."""
    answer = stocked.answer("tent", where={"tenant": "west"})
    assert (answer.pieces, answer.next, answer.related, answer.fetched) == ((), (), (), ())
    assert (answer.confidence, answer.fallback) == ("low", stocked.settings.fallback)


def test_related_documents_meet_the_conditions_too(stocked: Store) -> None:
    """What another tenant may not find, it is not led to either."""
    free = stocked.answer("tent", take=1, where={"kind": "page"}, related=9)
    assert free.related == ()
    linked = stocked.answer(
        "tent",
        where={"id": ["d", "a"]},
        settings=Settings.of({"take": {"at_least": {"page": 1}, "count": 1}}),
    )
    assert [(r.id, r.relation, r.linked_from) for r in linked.related] == [("a", "next", "d")]


def test_an_answer_is_frozen_typed_and_plain_json(stocked: Store) -> None:
    """Nothing of it can be set; its dict survives JSON and always has the same keys."""
    full, empty = stocked.answer("tent"), stocked.answer("")
    for value in (full, full.pieces[0], full.cut, full.certainty, full.fingerprint):
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(value, dataclasses.fields(value)[0].name, None)
    with pytest.raises(TypeError):
        full.pieces[0].attributes["stock"] = 9  # type: ignore[index]
    written = full.to_dict()
    assert json.loads(json.dumps(written)) == written
    assert list(written) == list(empty.to_dict())
    assert written["schema"] == 1
    assert isinstance(full, Answer)
    assert (full.digest, full.generation) == (None, 2)


def test_explain_names_what_decided_each_place(stocked: Store) -> None:
    """A line for each piece, its words, and the cut."""
    text = stocked.answer("tent", take=2).explain()
    assert "1. a" in text
    assert "by id, 4 with this score" in text
    assert "tent in text" in text
    assert "the cut runs through a tie" in text


SENTENCES = " ".join(f"Sentence number {n} is about the tent." for n in range(40))


def test_the_context_stays_in_its_budget_and_ends_with_sentences(tmp_path: Path) -> None:
    """Numbered, with ids to cite; counted in characters or by a function."""
    documents = [piece(f"p{n}", SENTENCES, title=f"Title {n}") for n in range(3)]
    with open_store(write(tmp_path / "i", documents)) as store:
        answer = store.answer("tent")
    whole = answer.context(100_000)
    assert whole.count("Sentence number") == 120
    for budget in (0, 10, 60, 200, 1000, 1700, 3000):
        text = answer.context(budget)
        assert len(text) <= budget
        assert text == "" or text.endswith("about the tent.")
        assert [f"[{n}] p{n - 1}\nTitle {n - 1}\n" in text for n in (1, 2, 3)] == sorted(
            [f"[{n}] p{n - 1}\nTitle {n - 1}\n" in text for n in (1, 2, 3)], reverse=True
        )
    assert answer.context(60) != ""
    words = answer.context(50, count=lambda text: len(text.split()))
    assert 40 < len(words.split()) <= 50


def test_each_part_of_a_fingerprint_changes_with_its_part_alone(tmp_path: Path) -> None:
    """Pieces, settings and index, one at a time; nothing changes for the same question."""

    def asked(documents: list[dict[str, Any]], name: str, **settings: Any) -> Any:
        with open_store(write(tmp_path / name, documents), settings) as store:
            return store.answer("tent").fingerprint

    base = asked(STOCKED, "a")
    assert asked(STOCKED, "b") == base
    other = asked(STOCKED, "c", related=9)
    assert (other.settings != base.settings, other.pieces, other.index) == (
        True, base.pieces, base.index)  # fmt: skip
    changed = [{**STOCKED[0], "text": "tent tent"}, *STOCKED[1:]]
    other = asked(changed, "d")
    assert (other.pieces != base.pieces, other.settings) == (True, base.settings)
    twice = write(tmp_path / "e", STOCKED, segments=2)
    with open_store(twice) as store:
        other = store.answer("tent").fingerprint
    assert (other.index != base.index, other.pieces, other.settings, other.versions) == (
        True, base.pieces, base.settings, base.versions)  # fmt: skip


def test_the_index_part_is_the_digest_of_a_built_store(tmp_path: Path) -> None:
    """The same material built twice is the same index, though its generations differ."""
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    write_records(one, [record("a"), record("b")])
    write_records(two, [record("a", "other"), record("b")])
    for folder, materials in (("x", [one]), ("y", [two, one])):
        for material in materials:
            build([material], tmp_path / folder, BuildSettings())
    with open_store(tmp_path / "x") as x, open_store(tmp_path / "y") as y:
        first, second = x.answer("mug"), y.answer("mug")
    assert first.generation != second.generation
    assert first.digest == second.digest
    assert first.fingerprint == second.fingerprint


def test_eight_threads_share_a_store(sample_store: Path) -> None:
    """Each gets the answer that one thread alone gets."""
    questions = ["trail mug", "tent pegs", "gift card", "down or synthetic", "return cost"] * 16
    with open_store(sample_store) as store:
        alone = {question: store.answer(question) for question in set(questions)}
        with ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(store.answer, questions))
    assert answers == [alone[question] for question in questions]


def test_answers_across_rebuilds_are_each_of_one_generation(tmp_path: Path) -> None:
    """Asked while generations are published: text, generation and digest always fit."""
    folder, material = tmp_path / "s.idx", tmp_path / "m.jsonl"

    def publish(number: int) -> str:
        texts = [record(f"p{n}", f"A mug of generation number{number}") for n in range(12)]
        write_records(material, texts)
        build([material], folder, BuildSettings())
        with open_store(folder) as store:
            return str(store.answer("mug").digest)

    digests = {1: publish(1)}
    with open_store(folder) as store, ThreadPoolExecutor(3) as pool:
        running = True

        def ask() -> list[Answer]:
            answers = []
            while running:
                answers.append(store.answer("mug"))
            return answers

        asking = [pool.submit(ask) for _ in range(2)]
        for number in range(2, 5):
            digests[number] = publish(number)
        running = False
        answers = [answer for future in asking for answer in future.result()]
        assert store.answer("mug").generation == 4
    for answer in answers:
        texts = {f"A mug of generation number{answer.generation}"}
        assert {piece.text for piece in answer.pieces} == texts
        assert answer.digest == digests[answer.generation]


def test_a_closed_store_opens_again(tmp_path: Path) -> None:
    """The next answer opens the files."""
    store = open_store(write(tmp_path / "i", STOCKED))
    first = store.answer("tent")
    store.close()
    assert store.answer("tent") == first


def test_only_a_store_answers(tmp_path: Path) -> None:
    """A foreign index is told what to use; a folder without one is told how to build it."""
    from whoosh.fields import ID, TEXT, Schema
    from whoosh.index import create_in

    plain = create_in(str(tmp_path), Schema(id=ID(stored=True), text=TEXT(stored=True)))
    with pytest.raises(SettingsError, match="steadyrank build"):
        Store(stabilize(plain))
    with pytest.raises(FileNotFoundError, match="steadyrank build"):
        open_store(tmp_path / "nothing")


def test_copies_by_a_plain_writer_answer_alike(sample_store: Path, tmp_path: Path) -> None:
    """No manifest, other segments, leftovers: the same pieces with the same bits."""
    documents = stored_in(sample_store)
    copy = write(tmp_path / "copy", documents[::-1], segments=3)
    with open_store(sample_store) as one, open_store(copy) as other:
        for question in ("trail mug", "how do I dry a down bag", "gift card"):
            first, second = one.answer(question), other.answer(question)
            assert first.pieces == second.pieces
            assert (first.fetched, first.cut, first.next) == (
                second.fetched, second.cut, second.next)  # fmt: skip
            assert (first.certainty, second.digest) == (second.certainty, None)
    assert open_index(copy).policy.document_field == "document"


def test_importing_steadyrank_stays_light() -> None:
    """The names of answers are there, and pydantic and whoosh are not until they are used."""
    code = (
        "import sys, steadyrank\n"
        "assert {'open_store', 'Store', 'Answer', 'Settings', 'SettingsError'} "
        "<= set(steadyrank.__all__)\n"
        "assert not {'pydantic', 'whoosh', 'click', 'tomllib'} & set(sys.modules)\n"
        "steadyrank.open_store"
    )
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], env=environment(), check=True)
