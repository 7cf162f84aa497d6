"""Files that are made to exhaust their reader are refused by name, soon and in little memory."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank_builder.material import content as content_module
from steadyrank_builder.material import discover
from steadyrank_builder.reading.html_depth import DEPTH_LIMIT, too_deep, too_many_attributes
from steadyrank_builder.reading.html_opaque import without_opaque
from support_hostile import HOSTILE, Reading
from support_reading import read

ACCEPTED = {
    "50 MB cell": 1,
    "50 MB JSON value": 1,
    "deep HTML in a cell": 1,
    "deep JSON line": 1,
    "children": 1,
    "open comments": 1,
    "open comments in a cell": 1,
    "backticks": 58,  # parts of one section
    "repeated texts": 7,  # as many as any file may have characters
}


@pytest.mark.parametrize("name", HOSTILE)
def test_it_is_refused_within_a_second_and_200_megabytes(tmp_path: Path, name: str) -> None:
    file, make, code = HOSTILE[name]
    path = tmp_path / file
    make(path)
    got = Reading(path)
    assert [reject[0] for reject in got.rejects] == ([code] if code else [])
    for _, message, source, line in got.rejects:
        assert message and source.startswith(str(path)) and line >= 1
    assert got.megabytes < 200
    # What stands beside the hostile record is read.
    assert got.accepted == ACCEPTED.get(name, 0)
    # Seconds of this process alone: a busy machine does not count.
    assert got.seconds < 1


def test_depth_is_what_is_open_at_once_and_not_what_follows_one_another() -> None:
    rows = "<table>" + "<tr><td>a<td>b" * 5_000 + "</table>"
    assert not too_deep(rows + "<ul>" + "<li>x" * 5_000 + "</ul>" + "<p>text" * 5_000)
    assert not too_deep("<div><span>x</span></div>" * 5_000)
    assert not too_deep("<script>" + "'<div>' + " * 2_000 + "</script>")
    assert not too_deep("<div>" * DEPTH_LIMIT)
    assert too_deep("<div>" * (DEPTH_LIMIT + 1))
    assert too_deep("</b>" * 5_000 + "<div>" * (DEPTH_LIMIT + 1))


def test_attributes_are_those_of_one_tag_and_not_what_stands_in_a_value() -> None:
    values = f"<p title=\"{'word ' * 3_000}\" class='{'c ' * 3_000}'>{'word ' * 3_000}</p>"
    assert not too_many_attributes(values)
    assert not too_many_attributes('<p class="a"">' + 'he said "word" and ' * 2_000)
    assert not too_many_attributes("<p a b c>" * 2_000)
    assert too_many_attributes("<p " + " ".join(f'a{n}=">"' for n in range(2_000)) + ">")
    assert too_many_attributes("<p/" + "/".join(f"a{n}" for n in range(2_000)) + ">")


PIECES = ["<!--", "-->", "<script>", "<script/x>", "</script", ">", "<title>", "</TITLE>"]
PIECES += ["<style", "</style>", "text", '"', "\n"]
PAGES = st.lists(st.sampled_from(PIECES), max_size=20).map("".join)


@given(PAGES)
def test_opaque_parts_are_what_a_plain_expression_finds(page: str) -> None:
    plain = re.compile(
        r"<!--.*?-->|<(script|style|template|textarea|title)\b.*?</\1\s*>",
        re.IGNORECASE | re.DOTALL,
    )
    assert without_opaque(page, lambda part: f"[{part}]") == plain.sub(r"[\g<0>]", page)


def test_a_page_as_deep_as_allowed_is_read(tmp_path: Path) -> None:
    got = read(tmp_path, "page.html", "<div>" * (DEPTH_LIMIT - 1) + "text")
    assert [document.text for document in got.documents] == ["text"]


def test_standard_input_and_pipes_are_bounded_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import io
    import sys

    class Stdin:
        buffer = io.BytesIO(b"question,answer\n" + b"q,a\n" * 1_000)

    monkeypatch.setattr(sys, "stdin", Stdin())
    monkeypatch.setattr(content_module, "UNPACKED_LIMIT", 1_000)
    from steadyrank_builder.formats import ReadOptions, open_source

    (source,) = discover([Path("-")])
    opened = open_source(source, ReadOptions(format="faq-csv"))
    (reject,) = opened.outcomes
    assert reject.code == "too-large"  # type: ignore[union-attr]
