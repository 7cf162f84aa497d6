"""Formats of other distributions, the list of formats, and what each file makes be imported."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from steadyrank_builder.document import Document, Origin
from steadyrank_builder.errors import FormatPluginError
from steadyrank_builder.formats import (
    FORMATS,
    Format,
    FormatInfo,
    Head,
    OpenFile,
    ReadOptions,
    formats,
    registry,
)
from steadyrank_builder.records import Accepted, Outcome
from support_builder import environment, run_cli
from support_reading import read


class Recipes:
    """A format of somebody else's: a line for each recipe."""

    info = FormatInfo(
        "recipes", "one recipe on each line", "suffix .recipe", ("name",), (".recipe",), ("text",)
    )

    def fit(self, head: Head, options: ReadOptions) -> int | None:
        return 1

    def read(self, file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
        for number, line in enumerate(file.text.lines(), 1):
            name = line.strip()
            document = Document(f"recipe:{name}", "recipe", name, name)
            yield Accepted(document, Origin(file.source.name, number, number))


class Tickets:
    """A format of somebody else's in a container that we open."""

    info = FormatInfo(
        "tickets", "support tickets", "columns ticket and reply", ("ticket", "reply"),
        (".csv",), ("table",),
    )  # fmt: skip

    def fit(self, head: Head, options: ReadOptions) -> int | None:
        return 2 if {"ticket", "reply"} <= head.names else None

    def read(self, file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
        for record in file.records():
            values = record.values  # type: ignore[union-attr]
            document = Document(f"ticket:{values['ticket']}", "ticket", "", values["reply"])
            yield Accepted(document, record.origin)


class Entry:
    """An entry point as an installed distribution would have it."""

    dist = None

    def __init__(self, name: str, loads: Any) -> None:
        self.name = name
        self.value = f"somewhere:{name}"
        self._loads = loads

    def load(self) -> Any:
        if isinstance(self._loads, Exception):
            raise self._loads
        return self._loads


@pytest.fixture
def install(monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    def installed(*entries: Entry) -> None:
        monkeypatch.setattr(metadata, "entry_points", lambda group: list(entries))
        registry.formats.cache_clear()

    yield installed
    monkeypatch.undo()
    registry.formats.cache_clear()


def test_a_format_of_another_distribution_is_read(tmp_path: Path, install: Any) -> None:
    install(Entry("tickets", Tickets()), Entry("recipes", Recipes))
    assert read(tmp_path, "a.recipe", "Soup\nTea\n").ids == ["recipe:Soup", "recipe:Tea"]
    got = read(tmp_path, "a.csv", "ticket;reply\n7;Done\n")
    assert (got.format, got.ids) == ("tickets", ["ticket:7"])
    assert read(tmp_path, "b.csv", "question,answer\nq,a\n").format == "faq-csv"
    assert [fmt.info.name for fmt in formats()][-2:] == ["recipes", "tickets"]


@pytest.mark.parametrize(
    ("loads", "says"),
    [
        (ImportError("no module named x"), "cannot be loaded: ImportError"),
        (object(), "it needs info, fit and read"),
        (type("Taken", (Tickets,), {"info": FORMATS[0]}), "which is taken"),
        (
            type("Odd", (Tickets,), {"info": FormatInfo("x", "", "", (), (), ("pdf",))}),
            "its containers may be table, jsonl",
        ),
    ],
)
def test_what_is_no_format_is_told_by_name(install: Any, loads: Any, says: str) -> None:
    install(Entry("broken", loads))
    with pytest.raises(FormatPluginError, match=says) as caught:
        formats()
    assert caught.value.entry == "broken"
    assert "'broken'" in str(caught.value)


def test_every_own_format_keeps_to_the_protocol() -> None:
    assert all(isinstance(fmt, Format) for fmt in registry.OWN)
    names = [info.name for info in FORMATS]
    assert len(names) == len(set(names)) == 19
    assert all(info.fields and info.suffixes and info.recognised_by for info in FORMATS)


def test_the_formats_are_listed() -> None:
    listed = run_cli("formats")
    data = json.loads(run_cli("formats", "--json").stdout)
    assert data["schema"] == 1
    assert [each["name"] for each in data["formats"]] == [info.name for info in FORMATS]
    for info in FORMATS:
        assert f"{info.name}\n  {info.description}\n" in listed.stdout
        assert f"fields    {', '.join(info.fields)}\n" in listed.stdout


_LOADED = """
import sys
from pathlib import Path
from steadyrank_builder.formats import ReadOptions, open_source
from steadyrank_builder.material import discover
for source in discover([Path(sys.argv[1])]):
    for outcome in open_source(source, ReadOptions(kind="k")).outcomes:
        print(type(outcome).__name__, file=sys.stderr)
wanted = ("selectolax", "lxml", "markdown_it", "yaml", "whoosh", "numpy")
print(*sorted(name for name in wanted if name in sys.modules))
"""
NEEDED = {
    "csv": ("a.csv", "id,title,text\n1,T,plain words\n", ""),
    "csv with HTML": ("a.csv", "question,answer\nq,<p>a</p>\n", "selectolax"),
    "jsonl": ("a.jsonl", '{"question": "q", "answer": "plain"}\n', ""),
    "yaml": ("a.yaml", "- question: q\n  answer: plain\n", "yaml"),
    "markdown": ("a.md", "# T\n\nwords\n", "markdown_it selectolax"),
    "markdown with settings": ("a.md", "---\na: b\n---\nx\n", "markdown_it selectolax yaml"),
    "html": ("a.html", "<p>words", "selectolax"),
    "xml": (
        "a.xml",
        '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id>'
        "<title>T</title></item></channel></rss>",
        "lxml",
    ),
}


@pytest.mark.parametrize("case", NEEDED)
def test_a_parser_is_imported_only_when_a_file_needs_it(tmp_path: Path, case: str) -> None:
    name, content, needed = NEEDED[case]
    (tmp_path / name).write_text(content)
    done = subprocess.run(
        [sys.executable, "-c", _LOADED, str(tmp_path)],
        env=environment(),
        capture_output=True,
        text=True,
        timeout=60,
        check=True,
    )
    assert done.stderr.split() == ["Accepted"]
    assert done.stdout.strip() == needed
