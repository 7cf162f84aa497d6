"""Which format a file is told to be, which files are no material, and who decides in doubt."""

from __future__ import annotations

import builtins
import sys
from pathlib import Path
from typing import Any

import pytest

from steadyrank.errors import SteadyRankError
from steadyrank_builder.errors import MissingExtraError, ReadOptionError
from steadyrank_builder.formats import FORMATS, ReadOptions, open_source
from steadyrank_builder.material import Source
from steadyrank_builder.records import Rejected
from support_reading import read, read_path


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("README.md", "readme"),
        ("README", "readme"),
        ("readme.md", "readme"),
        ("LICENSE-help.md", "licence"),
        ("LICENCE", "licence"),
        ("CHANGELOG.md", "changelog"),
        ("mkdocs.toml", "settings"),
        ("a.pdf", "not a supported format"),
        ("a.PNG", "not a supported format"),
        ("noextension", "not a supported format"),
    ],
)
def test_files_that_are_no_material_are_skipped_with_a_reason(
    tmp_path: Path, name: str, reason: str
) -> None:
    got = read(tmp_path, name, b"\x89 anything")
    assert got.format == "not-material"
    assert got.skips == [(reason, 1, 1, 1)]


def test_a_hidden_file_named_on_the_command_line_is_no_material(tmp_path: Path) -> None:
    path = tmp_path / ".faq.yaml"
    path.write_text("x")
    assert read_path(path).skips == [("hidden file", 1, 1, 1)]


def test_a_page_about_licences_is_material(tmp_path: Path) -> None:
    assert read(tmp_path, "license-terms.md", "Text").ids == ["page:license-terms#overview"]


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("golden.yaml", "version: 1\ncases:\n  - question: Q\n    right: [a]\n"),
        ("golden.json", '{"schemaVersion": 1, "cases": [{"intent": "x"}]}'),
    ],
)
def test_golden_questions_are_no_material(tmp_path: Path, name: str, content: str) -> None:
    got = read(tmp_path, name, content)
    assert (got.format, got.skips) == ("not-material", [("golden questions", 1, 1, 1)])


@pytest.mark.parametrize(
    ("header", "names"),
    [
        ("id,title,text,question,answer", ("csv", "faq-csv")),
        ("id,title,text,slug,sku,name", ("csv", "spree-csv")),
    ],
)
def test_an_ambiguous_table_names_the_candidates_and_the_flag(
    tmp_path: Path, header: str, names: tuple[str, str]
) -> None:
    got = read(tmp_path, "a.csv", f"{header}\n1,2,3,4,5,6\n", kind="x")
    assert got.rejects == [("ambiguous-format", 1, 1, 1)]
    assert f"{names[0]} and {names[1]}" in got.message
    assert f"--format {names[0]}" in got.message


def test_an_ambiguous_list_is_decided_by_the_flag(tmp_path: Path) -> None:
    line = '{"id": "1", "title": "T", "text": "x", "question": "Q", "answer": "A", "kind": "k"}'
    assert read(tmp_path, "a.jsonl", line).rejects == [("ambiguous-format", 1, 1, 1)]
    assert read(tmp_path, "a.jsonl", line, format="faq-jsonl").ids == ["faq:1"]
    assert read(tmp_path, "a.jsonl", line, format="jsonl").ids == ["1"]


def test_a_clear_lead_is_not_ambiguous(tmp_path: Path) -> None:
    header = "Handle,Title,Body (HTML),Variant SKU,Variant Price,Vendor,Status,ID,Text\n"
    got = read(tmp_path, "a.csv", f"{header}mug,Mug,,,,,,1,x\n", kind="x")
    assert (got.format, got.ids) == ("shopify-csv", ["product:mug"])


def test_old_and_new_shopify_columns_in_one_header_are_neither(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "Handle,Title,URL handle,Description,Variant SKU,Variant Price\n")
    assert got.rejects == [("unknown-format", 1, 1, 1)]


def test_an_unknown_table_is_a_reject_that_shows_its_columns(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "a,b\n1,2\n")
    assert (got.format, got.rejects) == ("unknown", [("unknown-format", 1, 1, 1)])
    assert "a and b" in got.message
    assert "--map" in got.message


def test_a_table_without_a_kind_asks_for_one(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "id,title,text\n1,T,x\n")
    assert got.rejects == [("missing-kind", 1, 1, 1)]
    assert "--kind" in got.message


def test_a_chosen_format_that_does_not_fit_says_which_columns_are_missing(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "id,name\n1,2\n", format="spree-csv")
    assert (got.format, got.rejects) == ("spree-csv", [("missing-column", 1, 1, 1)])
    assert "sku and slug" in got.message


def test_a_chosen_format_is_for_the_files_of_its_kind_in_a_folder(tmp_path: Path) -> None:
    assert read(tmp_path, "a.md", "Text", format="csv", kind="x").format == "markdown"
    assert read(tmp_path, "README.md", "Text", format="markdown").format == "not-material"


def test_a_named_file_is_read_as_told(tmp_path: Path) -> None:
    (tmp_path / "README.txt").write_text("Text")
    got = read_path(tmp_path / "README.txt", format="markdown")
    assert (got.format, got.ids) == ("markdown", ["page:README.txt#overview"])


def test_a_format_that_does_not_exist_is_a_wrong_option(tmp_path: Path) -> None:
    with pytest.raises(ReadOptionError, match="faq-csv"):
        read(tmp_path, "a.csv", "x", format="shopfy")


def test_a_file_that_cannot_be_opened_is_a_reject(tmp_path: Path) -> None:
    source = Source(tmp_path / "gone.md", "gone.md", "gone.md", "file")
    (outcome,) = open_source(source, ReadOptions()).outcomes
    assert isinstance(outcome, Rejected)
    assert (outcome.code, outcome.origin.line) == ("unreadable", 1)


@pytest.mark.parametrize(
    ("name", "content", "module", "package"),
    [
        ("a.html", "<p>x", "selectolax.lexbor", "selectolax"),
        ("a.yaml", "- question: Q\n  answer: A\n", "yaml", "PyYAML"),
    ],
)
def test_a_missing_parser_names_the_extra(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    name: str,
    content: str,
    module: str,
    package: str,
) -> None:
    real = builtins.__import__

    def without(name: str, *more: Any) -> Any:
        if name == module:
            raise ImportError(name)
        return real(name, *more)

    monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setattr(builtins, "__import__", without)
    with pytest.raises(MissingExtraError, match=r"steadyrank\[build\]") as caught:
        read(tmp_path, name, content)
    assert caught.value.package == package
    assert isinstance(caught.value, ImportError)
    assert isinstance(caught.value, SteadyRankError)


def test_every_format_is_described() -> None:
    names = [info.name for info in FORMATS]
    assert len(set(names)) == len(names)
    assert all(info.description and info.recognised_by and info.fields for info in FORMATS)
