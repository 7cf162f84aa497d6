"""What is written is read back before it is published."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank_builder.document import Document, Link, Value
from steadyrank_builder.failures import WrittenIndexError
from steadyrank_builder.indexing import from_fields, to_fields
from steadyrank_builder.intake.shelf import Shelf
from steadyrank_builder.writing import check_index, write_index

pytestmark = pytest.mark.whoosh

_TEXT = st.text(max_size=20)
_SCALAR = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | _TEXT
_VALUE: st.SearchStrategy[Value] = st.recursive(
    _SCALAR,
    lambda inner: (
        st.lists(inner, max_size=3).map(tuple) | st.dictionaries(_TEXT, inner, max_size=3)
    ),
    max_leaves=5,
)
_TAG = st.text(min_size=1, max_size=9).filter(lambda tag: "\n" not in tag)
_DOCUMENT = st.builds(
    Document,
    id=st.text(min_size=1, max_size=20),
    kind=_TEXT,
    title=_TEXT,
    text=_TEXT,
    document=_TEXT,
    heading=_TEXT,
    url=_TEXT,
    tags=st.lists(_TAG, max_size=3).map(tuple),
    language=_TEXT,
    links=st.lists(st.builds(Link, _TEXT, _TEXT), max_size=2).map(tuple),
    attributes=st.dictionaries(_TEXT, _VALUE, max_size=3),
)


@given(_DOCUMENT)
def test_a_document_is_the_same_after_index_and_shelf(document: Document) -> None:
    """To the digest, and to the types of its attributes."""
    back = from_fields(to_fields(document))
    assert (back, back.digest) == (document, document.digest)
    with Shelf() as shelf:
        shelf.put(document)
        place = shelf.put(document)
        shelf.put(document)
        assert shelf.get(place) == document


def documents(*ids: str, text: str = "A mug") -> list[Document]:
    return [Document(id=id_, kind="product", title="T", text=text) for id_ in ids]


def written(folder: Path, content: Iterable[Document]) -> Path:
    from steadyrank.schema import store_schema

    folder.mkdir()
    write_index(folder, store_schema("en"), content, memory_mb=1, tick=lambda: None)
    return folder


def pairs(content: Iterable[Document]) -> list[tuple[str, str]]:
    return [(each.id, each.digest) for each in content]


def test_an_index_that_is_not_as_written_is_found(tmp_path: Path) -> None:
    """One too many, one too few, another order, another content."""
    folder = written(tmp_path / "i", documents("a", "b"))
    check_index(folder, pairs(documents("a", "b")), count=2, tick=lambda: None)
    for expected in (
        documents("a"),
        documents("a", "b", "c"),
        documents("b", "a"),
        documents("a", "b", text="Another"),
    ):
        with pytest.raises(WrittenIndexError):
            check_index(folder, pairs(expected), count=len(expected), tick=lambda: None)


def test_deletions_and_further_segments_are_found(tmp_path: Path) -> None:
    """Ids and contents can be right and the layout not."""
    from whoosh.index import open_dir

    folder = written(tmp_path / "i", documents("a", "b"))
    writer = open_dir(str(folder)).writer()
    writer.add_document(**to_fields(documents("c")[0]))
    writer.commit(merge=False)
    with pytest.raises(WrittenIndexError, match="in 2 segments"):
        check_index(folder, pairs(documents("a", "b", "c")), count=3, tick=lambda: None)
    writer = open_dir(str(folder)).writer()
    writer.delete_by_term("id", "c")
    writer.commit(merge=False)
    with pytest.raises(WrittenIndexError):
        check_index(folder, pairs(documents("a", "b")), count=2, tick=lambda: None)


def test_little_memory_gives_one_segment_as_well(tmp_path: Path) -> None:
    """Postings go to temporary files, and those are gone afterwards."""
    content = [
        Document(id=f"{number:04}", kind="x", title="T", text=" ".join(map(str, range(300))))
        for number in range(60)
    ]
    folder = written(tmp_path / "i", content)
    check_index(folder, pairs(content), count=len(content), tick=lambda: None)
    assert len(list(folder.glob("MAIN_*.seg"))) == 1
    assert not [entry for entry in folder.iterdir() if entry.is_dir()]


def test_an_error_while_writing_leaves_no_lock(tmp_path: Path) -> None:
    """The readers' errors come through here, since documents are read as they are written."""

    def broken() -> Iterable[Document]:
        yield documents("a")[0]
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        written(tmp_path / "i", broken())
    assert not list((tmp_path / "i").glob("*.toc.*"))
