"""After any edits of the material an update comes to what a build of all of it comes to."""

from __future__ import annotations

import csv
import gzip
import io
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from steadyrank_builder.building import BuildSettings, build, update
from steadyrank_builder.errors import MaterialSettingsError
from steadyrank_builder.failures import NothingToBuildError
from steadyrank_builder.manifest import read_manifest
from steadyrank_builder.verification.verify import verify

pytestmark = pytest.mark.whoosh

# Nothing to index, or settings that speak of no file.
STOPS = (NothingToBuildError, MaterialSettingsError)

_ITEM = st.tuples(st.sampled_from("abcde"), st.sampled_from(["steel", "tin", ""]))
# The first one is good: a file of which nothing can be used is a case of its own, where an update
# keeps what a build would not.
ITEMS = st.lists(_ITEM, max_size=3).map(lambda items: [("f", "rope"), *items])


def _csv(columns: str, rows: list[list[str]]) -> str:
    stream = io.StringIO()
    csv.writer(stream).writerows([columns.split(","), *rows])
    return stream.getvalue()


def _zipped(files: dict[str, str]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, content in files.items():
            archive.writestr(zipfile.ZipInfo(name), content)
    return stream.getvalue()


def _text(name: str, items: list[tuple[str, str]]) -> str:
    return str(WRITERS[name](items))


def write(path: Path, items: list[tuple[str, str]]) -> None:
    """Write a file of ``WRITERS`` with these items."""
    name = f"sub/{path.name}" if path.parent.name == "sub" else path.name
    content = WRITERS[name](items)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


# A writer for each kind of file with ids: items (id, text) to the content of the file. An empty
# text is a reject or a skip of some kind, and equal ids of two files contradict each other.
WRITERS: dict[str, Callable[[list[tuple[str, str]]], str | bytes]] = {
    "any.jsonl": lambda items: "".join(
        json.dumps({"id": f"product:{id_}", "kind": "product", "title": id_, "text": text}) + "\n"
        for id_, text in items
    ),
    "any.csv": lambda items: _csv(
        "id,kind,title,text", [[f"thing:{id_}", "thing", id_, text] for id_, text in items]
    ),
    "any.json": lambda items: json.dumps(
        [{"id": f"thing:{i}", "kind": "thing", "title": i, "text": t} for i, t in items]
    ),
    "shopify.csv": lambda items: _csv(
        "Handle,Title,Body (HTML),Variant SKU,Variant Price",
        [[id_, text and f"Mug {id_}", f"<p>{text}</p>", f"s{id_}", "1.00"] for id_, text in items],
    ),
    "spree.csv": lambda items: _csv(
        "slug,sku,name,description",
        [[f"sp-{id_}", f"s{id_}", text and f"Cup {id_}", text] for id_, text in items],
    ),
    "faq.jsonl": lambda items: "".join(
        json.dumps({"id": f"faq:{id_}", "question": f"What of {id_}?", "answer": text}) + "\n"
        for id_, text in items
    ),
    "faq.json": lambda items: json.dumps(
        [{"id": f"faq:{id_}", "question": f"Why {id_}?", "answer": text} for id_, text in items]
    ),
    "faq.csv": lambda items: _csv(
        "id,question,answer", [[f"faq:q{id_}", f"How {id_}?", text] for id_, text in items]
    ),
    "faq.yaml": lambda items: "".join(
        f"- question: When {id_}?\n  answer: '{text}'\n" for id_, text in items
    ),
    "products.json": lambda items: json.dumps(
        {
            "products": [
                {"id": at, "handle": f"h{id_}", "title": text and f"Lamp {id_}", "body_html": text}
                for at, (id_, text) in enumerate(items)
            ]
        }
    ),
    "woo.csv": lambda items: _csv(
        "ID,Type,SKU,Name,Published,Short description,Description",
        [
            [str(ord(id_)), "simple", f"w{id_}", text and f"Sock {id_}", "1", "", text]
            for id_, text in items
        ],
    ),
    "feed.xml": lambda items: (
        '<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel><title>t</title>'
        + "".join(
            f"<item><g:id>g{id_}</g:id><g:title>{text and f'Rope {id_}'}</g:title>"
            f"<g:description>{text}</g:description><g:link>https://shop.example/{id_}</g:link></item>"
            for id_, text in items
        )
        + "</channel></rss>"
    ),
    "help.json": lambda items: json.dumps(
        {
            "articles": [
                {
                    "id": ord(id_),
                    "html_url": f"https://help.example/{id_}",
                    "title": f"On {id_}",
                    "body": text,
                    "draft": text == "",
                }
                for id_, text in items
            ]
        }
    ),
    "feed.tsv": lambda items: "".join(
        "\t".join(cells) + "\n"
        for cells in [
            ["id", "title", "description", "link", "price"],
            *([f"t{i}", text and f"Tarp {i}", text, "u", "1 EUR"] for i, text in items),
        ]
    ),
    "rope.atom": lambda items: (
        '<feed xmlns="http://www.w3.org/2005/Atom" xmlns:g="http://base.google.com/ns/1.0">'
        + "".join(
            f"<entry><g:id>a{id_}</g:id><title>{text and f'Pole {id_}'}</title>"
            f"<summary>{text}</summary></entry>"
            for id_, text in items
        )
        + "</feed>"
    ),
    "stated.html": lambda items: (
        "<h1>Stated</h1><p>words</p>"
        + "".join(
            '<script type="application/ld+json">'
            + json.dumps({"@type": "Product", "sku": f"j{i}", "name": text and f"Peg {i}"})
            + "</script>"
            for i, text in items
        )
    ),
    "intercom.json": lambda items: json.dumps(
        [
            {"type": "article", "id": id_, "title": f"I {id_}", "body": text, "state": state}
            for id_, text in items
            for state in ["published" if text else "draft"]
        ]
    ),
    "helpscout.json": lambda items: json.dumps(
        [
            {
                "number": ord(i),
                "name": f"H {i}",
                "text": text,
                "publicUrl": f"https://h.example/{i}",
            }
            for i, text in items
        ]
    ),
    "page.mdx": lambda items: (
        "import A from 'a'\n\n# Deep\n\n"
        + "".join(f"## About {i}\n\n<Note title='{text}'>{text}</Note>\n\n" for i, text in items)
    ),
    "packed.csv.gz": lambda items: gzip.compress(
        _text("faq.csv", items).replace("faq:q", "faq:z").encode(), mtime=0
    ),
    "packed.zip": lambda items: _zipped(
        {
            "p.md": f"# Packed\n\n{items[-1][1]} of it\n",
            "in/q.jsonl": _text("any.jsonl", items).replace("product:", "zip:"),
        }
    ),
    "page.md": lambda items: (
        "# Page\n\n"
        + "".join(
            f"## About {id_}\n\n{text} [see](sub/other.md#about-a)\n\n" for id_, text in items
        )
    ),
    "sub/other.md": lambda items: (
        "# Other\n\n" + "".join(f"## About {id_}\n\n{text}\n\n" for id_, text in items)
    ),
    "page.html": lambda items: (
        "<h1>Page</h1>" + "".join(f"<h2 id='{id_}'>{id_}</h2><p>{text}</p>" for id_, text in items)
    ),
}


# What a steadyrank.toml says of the files beside it; a pattern that matches none is an error.
SAYINGS = (
    'exclude = ["*.md", "*.json"]\n',
    'exclude = ["sub/**"]\n',
    'language = "de"\n',
    'kind = "other"\nlanguage_of = "title"\n',
    '[[source]]\nfiles = "**"\nmap = { heading = "title" }\nkind = "mapped"\n',
    '[[source]]\nfiles = "any.*"\nmap = { url = "kind" }\nkind = "thing"\n\n'
    '[[source]]\nfiles = "*.csv"\nencoding = "cp1252"\n',
    '[[source]]\nfiles = "*.jsonl"\nformat = "jsonl"\n',
)


class Edits(RuleBasedStateMachine):
    """Two folders of material; each edit is followed by an update of what it touched."""

    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.folders = [self.root / "one", self.root / "two"]
        self.live = self.root / "live.idx"
        self.named: set[Path] = set()  # folders that an update has spoken of
        self.stopped = False
        self.language = "en"
        for folder in self.folders:
            folder.mkdir()

    def teardown(self) -> None:
        shutil.rmtree(self.root)

    @initialize()
    def first(self) -> None:
        self.edit(0, "any.jsonl", [("a", "steel"), ("b", "tin")])

    @rule(
        folder=st.integers(0, 1),
        name=st.sampled_from(sorted(WRITERS)),
        items=ITEMS,
        compiled=st.booleans(),
    )
    def edit(
        self, folder: int, name: str, items: list[tuple[str, str]], compiled: bool = True
    ) -> None:
        path = self.folders[folder] / name
        path.parent.mkdir(exist_ok=True)
        write(path, items)
        self.update(folder, compiled=compiled)

    @rule(
        folder=st.integers(0, 1), below=st.sampled_from(["", "sub"]), said=st.sampled_from(SAYINGS)
    )
    def say(self, folder: int, below: str, said: str) -> None:
        path = self.folders[folder] / below / "steadyrank.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(said, encoding="utf-8")
        self.update(folder)

    @rule(language=st.sampled_from(["de", "en", "ja"]))
    def speak(self, language: str) -> None:
        self.language = language
        self.update(0, 1, language=language)

    @rule(folder=st.integers(0, 1), place=st.integers(0, 20))
    def delete(self, folder: int, place: int) -> None:
        files = sorted(path for path in self.folders[folder].rglob("*") if path.is_file())
        if files:
            files[place % len(files)].unlink()
            self.update(folder)

    @rule(folder=st.integers(0, 1), place=st.integers(0, 20))
    def rename(self, folder: int, place: int) -> None:
        files = sorted(path for path in self.folders[folder].rglob("*") if path.is_file())
        if files:
            path = files[place % len(files)]
            path.rename(path.with_name(f"x{path.name}"[:40]))
            self.update(folder)

    @rule()
    def both(self) -> None:
        self.update(0, 1)

    def update(self, *numbers: int, compiled: bool = True, language: str | None = None) -> None:
        folders = {self.folders[number] for number in numbers}
        self.named |= folders
        if self.stopped:  # what changed nothing has to be made up for
            folders, language = self.named, self.language
        try:
            how = BuildSettings(compile=compiled, language=language)
            update(sorted(folders), self.live, how)
            self.stopped = False
        except STOPS:
            self.stopped = True

    @invariant()
    def same_as_a_build(self) -> None:
        if not self.named:
            return
        fresh = self.root / "fresh.idx"
        shutil.rmtree(fresh, ignore_errors=True)
        try:
            report = build(sorted(self.named), fresh, BuildSettings(language=self.language))
        except STOPS:
            assert self.stopped
            return
        outcome = verify(self.live)
        assert outcome.problems == ()
        assert outcome.digest == report.digest
        ours, theirs = (
            read_manifest(max(folder.glob("steadyrank-*.json"), key=lambda p: int(p.stem[11:])))
            for folder in (self.live, fresh)
        )
        assert [(s["path"], s["content"]) for s in ours.sources] == [
            (s["path"], s["content"]) for s in theirs.sources
        ]


@pytest.mark.parametrize("name", sorted(WRITERS))
def test_each_kind_of_file_has_documents(tmp_path: Path, name: str) -> None:
    """Which is what gives the edits their meaning."""
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    write(path, [("f", "rope"), ("a", "tin")])
    assert build([path], tmp_path / "out").documents >= 2


TestEdits = Edits.TestCase
TestEdits.settings = settings(max_examples=10, stateful_step_count=8, deadline=None)
