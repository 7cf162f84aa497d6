"""Every record goes somewhere, once, and the order of the arguments decides nothing."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank_builder.document import Document, Link, Origin
from steadyrank_builder.errors import MaterialError
from steadyrank_builder.failures import AccountingError, PreferenceError
from steadyrank_builder.formats import ReadOptions
from steadyrank_builder.formats.options import Opened
from steadyrank_builder.intake import Intake, reading, take_in
from steadyrank_builder.intake.shelf import Shelf
from steadyrank_builder.material import Source
from steadyrank_builder.records import Accepted, Outcome, Rejected, Skipped


def document(id_: str, text: str = "same", **more: object) -> Document:
    return Document(id=id_, kind="product", title="T", text=text, **more)  # type: ignore[arg-type]


def outcomes_of(source: str, documents: Sequence[Document], records: int = 1) -> list[Outcome]:
    return [
        Accepted(each, Origin(source, line, line), records)
        for line, each in enumerate(documents, start=1)
    ]


def run(material: dict[str, Sequence[Outcome]], shelf: Shelf, prefer: str | None = None) -> Intake:
    """Take in prepared outcomes by source name, as ``discover`` would order the sources."""

    def opened(source: Source, _options: ReadOptions) -> Opened:
        return Opened("prepared", iter(material[source.name]))

    sources = [Source(Path("/m") / name, name, name, "file") for name in sorted(material)]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "open_source", opened)
        return take_in(sources, ReadOptions(), shelf, prefer=prefer)


@pytest.fixture
def shelf() -> Iterator[Shelf]:
    with Shelf() as made:
        yield made


def summary(intake: Intake) -> list[tuple[str, int, int, int, int]]:
    return [
        (account.path, account.read, account.accepted, account.duplicates, account.rejected)
        for account in intake.accounts
    ]


def test_the_first_record_of_an_id_is_its_sources_version(shelf: Shelf) -> None:
    """Equal later ones are duplicates, others are rejected with both origins named."""
    material = {"a": outcomes_of("a", [document("x"), document("x"), document("x", "other")])}
    intake = run(material, shelf)
    assert summary(intake) == [("a", 3, 1, 1, 1)]
    (reject,) = intake.rejects
    assert (reject.origin, reject.code) == (Origin("a", 3, 3), "duplicate-id")
    assert "a:1" in reject.message
    assert intake.entries["x"].origins == (Origin("a", 1, 1), Origin("a", 2, 2))


def test_equal_versions_of_several_sources_are_one_document(shelf: Shelf) -> None:
    """The first source by name has it, the others count duplicates."""
    intake = run({name: outcomes_of(name, [document("x")]) for name in "cab"}, shelf)
    assert summary(intake) == [("a", 1, 1, 0, 0), ("b", 1, 0, 1, 0), ("c", 1, 0, 1, 0)]
    assert intake.entries["x"].origins == tuple(Origin(name, 1, 1) for name in "abc")


def test_sources_that_contradict_each_other_lose_the_id(shelf: Shelf) -> None:
    """Not even the two that agree win: it would take a vote to say that they are right."""
    material = {
        "a": outcomes_of("a", [document("x", "one"), document("y")]),
        "b": outcomes_of("b", [document("x", "two")]),
        "c": outcomes_of("c", [document("x", "one")]),
    }
    intake = run(material, shelf)
    assert list(intake.entries) == ["y"]
    assert [reject.origin.source for reject in intake.rejects] == ["a", "b", "c"]
    assert "b:1" in intake.rejects[0].message
    assert "c:1" in intake.rejects[0].message
    assert "a:1" not in intake.rejects[0].message
    assert json.loads(intake.rejects[1].raw)["text"] == "two"


def test_a_preferred_source_decides_a_contradiction(shelf: Shelf) -> None:
    """Its version is in, an equal one is a duplicate, the others name it."""
    material = {
        "a": outcomes_of("a", [document("x", "one")]),
        "b": outcomes_of("b", [document("x", "two")]),
        "c": outcomes_of("c", [document("x", "two")]),
    }
    intake = run(material, shelf, prefer="b")
    assert summary(intake) == [("a", 1, 0, 0, 1), ("b", 1, 1, 0, 0), ("c", 1, 0, 1, 0)]
    assert [each.text for each in intake.documents()] == ["two"]
    assert "b:1" in intake.rejects[0].message


def test_preferred_sources_that_contradict_each_other_decide_nothing(shelf: Shelf) -> None:
    """A preferred folder can hold both versions."""
    material = {
        "f/a": outcomes_of("f/a", [document("x", "one")]),
        "f/b": outcomes_of("f/b", [document("x", "two")]),
    }
    intake = run(material, shelf, prefer="/m/f")
    assert summary(intake) == [("f/a", 1, 0, 0, 1), ("f/b", 1, 0, 0, 1)]


def test_a_preferred_source_that_is_none_is_an_error(shelf: Shelf) -> None:
    """A slip of the hand must not silently prefer nothing."""
    with pytest.raises(PreferenceError, match="'z' is none of the sources: a") as caught:
        run({"a": []}, shelf, prefer="z")
    assert caught.value.prefer == "z"


def test_all_records_of_a_document_share_its_fate(shelf: Shelf) -> None:
    """A product of three rows is one accepted and two merged, or three duplicates."""
    material = {name: outcomes_of(name, [document("x")], records=3) for name in "ab"}
    first, second = run(material, shelf).accounts
    assert (first.read, first.accepted, first.merged, first.duplicates) == (3, 1, 2, 0)
    assert (second.read, second.accepted, second.merged, second.duplicates) == (3, 0, 0, 3)


_OUTCOMES = st.lists(
    st.tuples(
        st.sampled_from(["document", "document", "document", "skip", "reject"]),
        st.sampled_from("xyz"),
        st.sampled_from(["one", "two"]),
        st.integers(1, 4),
    ),
    max_size=8,
)


@given(st.dictionaries(st.sampled_from("abc"), _OUTCOMES), st.sampled_from([None, "a", "b"]))
def test_read_is_the_sum_of_what_became_of_it(
    drawn: dict[str, list[tuple[str, str, str, int]]], prefer: str | None
) -> None:
    """For any material; and an id is in the index with one of its versions, or all are rejects."""
    material: dict[str, Sequence[Outcome]] = {}
    for name, rows in drawn.items():
        outcomes: list[Outcome] = []
        for line, (what, id_, text, records) in enumerate(rows, start=1):
            origin = Origin(name, line, line)
            if what == "skip":
                outcomes.append(Skipped(origin, "draft", records))
            elif what == "reject":
                outcomes.append(Rejected(origin, "bad", "bad", "", records))
            else:
                outcomes.append(Accepted(document(id_, text), origin, records))
        material[name] = outcomes
    with Shelf() as shelf:
        intake = run(material, shelf, prefer if prefer in material else None)
        for account in intake.accounts:
            assert account.read == sum(outcome.records for outcome in material[account.path])
            assert account.read == (
                account.accepted
                + account.merged
                + account.duplicates
                + account.skipped.total()
                + account.rejected
            )
        claimed = {
            o.document.id for rows in material.values() for o in rows if isinstance(o, Accepted)
        }
        contradicted = {
            json.loads(reject.raw)["id"]
            for reject in intake.rejects
            if reject.code == "duplicate-id"
        }
        assert claimed == set(intake.entries) | contradicted
        assert [each.id for each in intake.documents()] == sorted(intake.entries)
        assert [each.digest for each in intake.documents()] == [
            entry.digest for entry in intake.entries.values()
        ]


def test_a_lost_record_stops_the_build(shelf: Shelf, monkeypatch: pytest.MonkeyPatch) -> None:
    """The sums are checked at run time: a fault of ours must not pass for a small index."""
    monkeypatch.setattr(reading.Reading, "reject", lambda *_: None)
    with pytest.raises(AccountingError, match="1 records were read"):
        run({"a": [Rejected(Origin("a", 1, 1), "bad", "bad")]}, shelf)


def test_every_source_that_cannot_be_read_is_named_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two unreadable files are one error, not two runs."""

    def opened(source: Source, _options: ReadOptions) -> Opened:
        raise MaterialError({source.path: "ambiguous"})

    monkeypatch.setattr(reading, "open_source", opened)
    sources = [Source(Path(name), name, name, "file") for name in "ab"]
    with Shelf() as shelf, pytest.raises(MaterialError) as caught:
        take_in(sources, ReadOptions(), shelf)
    assert caught.value.paths == (Path("a"), Path("b"))


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (document(" "), "empty-id"),
        (document("x", "\ud800"), "lone-surrogate"),
        (document("\udfff"), "lone-surrogate"),
        (document("x", attributes={"price": float("nan")}), "bad-attribute"),
        (document("x", attributes={"sizes": ({"s": float("inf")},)}), "bad-attribute"),
        (document("x", attributes={"made": object()}), "bad-attribute"),
    ],
)
def test_what_would_break_order_or_digest_is_rejected(
    shelf: Shelf, bad: Document, code: str
) -> None:
    """Whichever reader let it through."""
    intake = run({"a": outcomes_of("a", [bad])}, shelf)
    assert [reject.code for reject in intake.rejects] == [code]
    intake.rejects[0].raw.encode()
    assert intake.entries == {}


def test_a_tag_is_one_line(shelf: Shelf) -> None:
    """The index stores one tag a line, so a tag of two lines is two tags."""
    intake = run({"a": outcomes_of("a", [document("x", tags=("a\nb", "", "c, d"))])}, shelf)
    assert [each.tags for each in intake.documents()] == [("a", "b", "c, d")]


def page(slug: str, section: str, path: str, *targets: str) -> Document:
    return Document(
        id=f"page:{slug}#{section}",
        kind="page",
        title="P",
        text="t",
        document=f"page:{slug}",
        links=tuple(Link(target) for target in targets),
        attributes={"path": path},
    )


def test_links_to_files_become_links_to_slugs(shelf: Shelf) -> None:
    """Front matter can give a page a slug, and its neighbours still link to its file."""
    pages = [
        page("returns", "refunds", "help/old-returns.md"),
        page(
            "start",
            "overview",
            "help/start.md",
            "page:help/old-returns.md#refunds",
            "page:help/old-returns.md",
            "page:returns#refunds",
            "page:help/gone.md#x",
            "product:gone",
            "https://shop.example/",
        ),
    ]
    intake = run({"a": outcomes_of("a", pages)}, shelf)
    start = next(each for each in intake.documents() if each.document == "page:start")
    assert [link.target for link in start.links] == [
        "page:returns#refunds",
        "page:returns",
        "page:returns#refunds",
        "page:help/gone.md#x",
        "product:gone",
        "https://shop.example/",
    ]
    assert intake.dangling_links == 2
    assert intake.entries[start.id].digest == start.digest


def test_a_path_that_two_pages_have_is_left_alone(shelf: Shelf) -> None:
    """Two folders can each have an index.md."""
    material = {
        "a": outcomes_of("a", [page("one", "s", "index.md", "page:index.md#s")]),
        "b": outcomes_of("b", [page("two", "s", "index.md")]),
    }
    intake = run(material, shelf)
    assert [link.target for each in intake.documents() for link in each.links] == [
        "page:index.md#s"
    ]
    assert intake.dangling_links == 1
