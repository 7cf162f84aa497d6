"""Ids of sections: what an edit of the page moves, and what it leaves alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank_builder.building import build
from steadyrank_builder.pages.sections import LONGEST, _cut
from support_reading import read

PAGE = "# Help\n\nIntro.\n\n## Returns\n\nOld text.\n\n## Shipping\n\nThree days.\n"
EXPLICIT = PAGE.replace("## Returns", "## Returns {#returns}")
INSERTED = "## Returns\n\nText that is new.\n\n## Returns"


def texts(folder: Path, content: str) -> dict[str, str]:
    documents = read(folder, "help.md", content).documents
    return {document.id.partition("#")[2]: document.text for document in documents}


def test_an_explicit_id_keeps_its_section_when_an_equal_heading_is_inserted_above(
    tmp_path: Path,
) -> None:
    after = texts(tmp_path, EXPLICIT.replace("## Returns", INSERTED))
    assert after["returns"] == "Old text."
    assert after["returns-1"] == "Text that is new."


@pytest.mark.whoosh
def test_without_explicit_ids_the_report_says_what_moved(tmp_path: Path) -> None:
    page = tmp_path / "help.md"
    page.write_text(PAGE)
    build([page], tmp_path / "store.idx")
    page.write_text(PAGE.replace("## Returns", INSERTED))
    report = build([page], tmp_path / "store.idx")
    assert report.renamed == (("page:help#returns", "page:help#returns-1"),)
    changes = report.changes
    assert (changes.added, changes.changed, changes.removed) == (1, 1, 0)


@pytest.mark.whoosh
def test_a_chain_of_equal_headings_is_told_link_by_link(tmp_path: Path) -> None:
    page = tmp_path / "help.md"
    two = "# Help\n\n## A\n\nfirst\n\n## A\n\nsecond\n"
    page.write_text(two)
    build([page], tmp_path / "store.idx")
    page.write_text(two.replace("# Help\n", "# Help\n\n## A\n\nnew\n", 1))
    report = build([page], tmp_path / "store.idx")
    assert report.renamed == (("page:help#a", "page:help#a-1"), ("page:help#a-1", "page:help#a-2"))


@pytest.mark.whoosh
def test_a_change_of_text_is_no_move(tmp_path: Path) -> None:
    page = tmp_path / "help.md"
    page.write_text(PAGE)
    build([page], tmp_path / "store.idx")
    page.write_text(PAGE.replace("Old text.", "Other text.") + "\n## More\n\nMore.\n")
    assert build([page], tmp_path / "store.idx").renamed == ()


PARAGRAPH = "A paragraph of some words that says one thing about returns."
LONG = "\n\n".join(f"{PARAGRAPH} {number}" for number in range(1_000))


def test_a_long_section_is_cut_between_paragraphs(tmp_path: Path) -> None:
    got = read(tmp_path, "help.md", f"# Help\n\n## Terms\n\n{LONG}\n\n## Next\n\nShort.\n")
    parts = got.documents[:-1]
    assert len(parts) == -(-len(LONG) // LONGEST)
    assert [part.id for part in parts] == [
        "page:help#terms",
        *(f"page:help#terms~{number}" for number in range(2, len(parts) + 1)),
    ]
    assert {part.heading for part in parts} == {"Terms"}
    assert all(len(part.text) <= LONGEST for part in parts)
    assert all(part.text.endswith(tuple("0123456789")) for part in parts)
    assert "\n".join(part.text for part in parts) == LONG.replace("\n\n", "\n")
    assert got.records == len(parts) + 1


def test_text_at_the_end_of_a_long_section_moves_no_part(tmp_path: Path) -> None:
    before = texts(tmp_path, f"# Help\n\n{LONG}\n")
    after = texts(tmp_path, f"# Help\n\n{LONG}\n\n{PARAGRAPH}\n")
    *same, last = before
    assert {slug: after[slug] for slug in same} == {slug: before[slug] for slug in same}
    assert after[last].startswith(before[last])


def test_a_section_as_long_as_allowed_stays_whole(tmp_path: Path) -> None:
    assert list(texts(tmp_path, "# Help\n\n" + "x" * LONGEST)) == ["overview"]
    assert list(texts(tmp_path, "# Help\n\n" + "x" * (LONGEST + 1))) == ["overview", "overview~2"]


@given(st.text(alphabet="ab \n", max_size=200), st.integers(5, 50))
def test_cutting_loses_no_word_and_keeps_to_the_length(text: str, longest: int) -> None:
    pieces = list(_cut(text.strip(), longest))
    assert "".join("".join(pieces).split()) == "".join(text.split())
    assert all(0 < len(piece) <= longest for piece in pieces)
