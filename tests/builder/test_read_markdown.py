"""Markdown and MDX pages: sections, anchors, ids, links, front matter."""

from __future__ import annotations

from pathlib import Path

import pytest

from steadyrank_builder.document import Document, Link
from steadyrank_builder.pages.slugs import Slugger, github_slug
from support_reading import Read, read


def sections(got: Read) -> list[tuple[str, str]]:
    return [(each.id.partition("#")[2], each.text) for each in got.documents]


PAGE = """---
title: Not shown
tags: [a, b]
language: en
weight: 007
---
# Returns & refunds

Before all.

## How long? {#time}

You have **60 days**.
Longer in `December`.

### Exceptions

#### Nothing here

## Refunds

| Way | Days |
| --- | --- |
| Card | 3 |

- one
- two

![A parcel](p.png)
"""


def test_a_page_becomes_its_sections(tmp_path: Path) -> None:
    got = read(tmp_path, "help/returns.md", PAGE)
    front = {"weight": "007", "title": "Not shown"}
    shared = {
        "kind": "page",
        "title": "Returns & refunds",
        "document": "page:help/returns",
        "tags": ("a", "b"),
        "language": "en",
    }

    def attributes(section: str, level: int) -> dict[str, object]:
        return {"section": section, "level": level, "front_matter": front}

    assert got.format == "markdown"
    assert got.documents == [
        Document(
            id="page:help/returns#overview",
            text="Before all.",
            attributes=attributes("overview", 1),  # type: ignore[arg-type]
            **shared,  # type: ignore[arg-type]
        ),
        Document(
            id="page:help/returns#time",
            heading="How long?",
            text="You have 60 days. Longer in December.",
            attributes=attributes("time", 2),  # type: ignore[arg-type]
            **shared,  # type: ignore[arg-type]
        ),
        Document(
            id="page:help/returns#refunds",
            heading="Refunds",
            text="Way | Days\nCard | 3\none\ntwo\nA parcel",
            attributes=attributes("refunds", 2),  # type: ignore[arg-type]
            **shared,  # type: ignore[arg-type]
        ),
    ]
    assert [(each.origin.line, each.origin.end_line) for each in got.accepted] == [
        (1, 10),
        (11, 15),
        (20, 29),
    ]


@pytest.mark.parametrize(
    ("heading", "slug"),
    [
        ("Shipping & Billing", "shipping--billing"),
        ("1. Start", "1-start"),
        ("snake_case and-hyphen", "snake_case-and-hyphen"),
        ("Größe wählen", "größe-wählen"),
        ("サイズ表", "サイズ表"),
        ("m² and ½", "m-and-"),
        ("Ⓐ Ⅳ", "ⓐ-ⅳ"),
        ("a  b", "a--b"),
        ("tab\there", "tabhere"),
        ("emoji 🎉 here", "emoji--here"),
        ("What's “new”?", "whats-new"),
    ],
)
def test_anchors_are_github_s(heading: str, slug: str) -> None:
    assert github_slug(heading) == slug


@pytest.mark.parametrize(
    ("headings", "anchors"),
    [
        (["foo", "foo", "foo"], ["foo", "foo-1", "foo-2"]),
        (["foo-1", "foo", "foo"], ["foo-1", "foo", "foo-2"]),
        (["foo", "foo", "foo-1"], ["foo", "foo-1", "foo-1-1"]),
        (["foo", "foo-1", "foo", "foo-1"], ["foo", "foo-1", "foo-2", "foo-1-1"]),
    ],
)
def test_equal_anchors_are_numbered_past_taken_ones(
    headings: list[str], anchors: list[str]
) -> None:
    slugger = Slugger()
    assert [slugger.unique(heading) for heading in headings] == anchors


def test_explicit_anchors_are_taken_first(tmp_path: Path) -> None:
    text = "## Exchange\n\na\n\n## Swap {#exchange}\n\nb\n\n## ???\n\nc\n\n## Overview\n\nd\n"
    got = read(tmp_path, "a.md", text)
    assert sections(got) == [
        ("exchange-1", "a"),
        ("exchange", "b"),
        ("section", "c"),
        ("overview", "d"),
    ]
    intro = read(tmp_path, "b.md", f"intro\n\n{text}")
    assert sections(intro)[0] == ("overview", "intro")
    assert sections(intro)[-1] == ("overview-1", "d")


def test_only_headings_of_the_outermost_level_start_sections(tmp_path: Path) -> None:
    text = """# T

~~~
# no
~~~

```
## no
```

> ## Quoted

text

    ## Code

- ## Listed

    ## Listed too

Set
---

text

# Further

more
"""
    got = read(tmp_path, "a.md", text)
    assert sections(got) == [
        ("overview", "# no\n## no\nQuoted\ntext\n## Code\nListed\nListed too"),
        ("set", "text"),
        ("further", "more"),
    ]
    assert {document.title for document in got.documents} == {"T"}
    assert [document.attributes["level"] for document in got.documents] == [1, 2, 1]


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: F\n---\n# H\n\nx", "H"),
        ("---\ntitle: F\n---\n## H\n\nx", "F"),
        ("### A\n\nx\n\n## B\n\ny", "A"),
        ("## A\n\nx\n\n# B\n\ny", "B"),
        ("x", "my-page"),
    ],
)
def test_where_the_title_comes_from(tmp_path: Path, text: str, title: str) -> None:
    assert read(tmp_path, "my-page.md", text).documents[0].title == title


@pytest.mark.parametrize(
    ("name", "front", "document", "path"),
    [
        ("a/b.md", "", "page:a/b", None),
        ("a/index.md", "", "page:a", None),
        ("index.mdx", "", "page:index", None),
        ("a.b.md", "", "page:a.b", None),
        ("a.md", "slug: returns", "page:returns", "a"),
        ("a.md", "id: X1\nslug: returns\nurl: /u", "page:X1", "a"),
        ("a.md", "id: page:x", "page:x", "a"),
        ("a.md", "url: https://shop.example/help/returns.html?x=1#y", "page:help/returns", "a"),
        ("a.md", "url: /help/v1.2/index.html", "page:help/v1.2", "a"),
        ("a.md", "url: https://shop.example/", "page:index", "a"),
        ("a.md", "slug: a", "page:a", None),
        ("a.md", "slug: cafe\u0301", "page:caf\u00e9", "a"),
    ],
)
def test_a_page_s_id_is_its_path_unless_the_page_names_another(
    tmp_path: Path, name: str, front: str, document: str, path: str | None
) -> None:
    got = read(tmp_path, name, f"---\n{front}\n---\nText")
    assert [each.document for each in got.documents] == [document]
    assert got.ids == [f"{document}#overview"]
    assert got.documents[0].attributes.get("path") == path


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("---\n\nHello\n\n---\n\nmore", "Hello\nmore"),
        ("\n---\ntitle: T\n---\nmore", "title: T\nmore"),
        ("---\n- a\n---\nmore", "a\nmore"),
        ("---\ntitle: T\nmore", "title: T more"),
    ],
)
def test_what_is_no_front_matter_is_text(tmp_path: Path, text: str, rest: str) -> None:
    got = read(tmp_path, "a.md", text)
    words = (part for each in got.documents for part in (each.heading, each.text))
    assert "\n".join(filter(None, words)) == rest


def test_front_matter_with_a_second_colon_is_read_and_noted(tmp_path: Path) -> None:
    got = read(tmp_path, "a.md", "---\ntitle: A 1: B\nslug: 'x'\n---\n\nText\n")
    (document,) = got.documents
    assert (document.id, document.title) == ("page:x#overview", "A 1: B")
    assert "line by line" in str(document.attributes["note"])


@pytest.mark.parametrize("front", ["draft: true", "published: false", "draft: Yes"])
def test_drafts_are_skipped_as_one_record(tmp_path: Path, front: str) -> None:
    got = read(tmp_path, "a.md", f"---\n{front}\n---\n## A\n\nx\n\n## B\n\ny\n")
    assert got.skips == [("draft", 1, 10, 1)]
    assert got.documents == []


@pytest.mark.parametrize("text", ["---\ntitle: T\n---\n", "# T\n\n## A\n", "<!-- x -->"])
def test_a_page_without_text_is_a_reject(tmp_path: Path, text: str) -> None:
    assert [code for code, *_ in read(tmp_path, "a.md", text).rejects] == ["empty-page"]


LINKS = """[a](other.md) [b](../top.md#Part) [c](/about/) [d](#here) [e](https://x.example/p?q#f)
[f](mailto:a@b.example) [g](file.pdf) ![h](i.png) [i](../../out.md) <a href="sub/index.html">j</a>
[k](other.md) [l](caf%C3%A9) [m](./) [n]: x
"""


def test_links_lead_to_pages_by_path_or_out(tmp_path: Path) -> None:
    (document,) = read(tmp_path, "help/a.md", LINKS).documents
    assert document.links == tuple(
        Link(target)
        for target in (
            "page:help/other#overview",
            "page:top#Part",
            "page:about#overview",
            "page:help/a#here",
            "https://x.example/p?q#f",
            "page:help/sub#overview",
            "page:help/caf\u00e9#overview",
            "page:help#overview",
        )
    )


def test_inline_html_footnotes_and_entities(tmp_path: Path) -> None:
    text = (
        "A<b>B</b>C<br>D &amp;lt; <img alt='pic' src=x> ~~old~~[^1]\n\n[^1]: Note.\n\n"
        "<details><summary>Sum</summary>\n\nHidden *text*\n\n</details>\n\n"
        "<div>\n<h2 id='x'>Inside</h2>\n<p>under</p>\n</div>\n"
    )
    got = read(tmp_path, "a.md", text)
    assert sections(got) == [
        ("overview", "ABC\nD &lt; pic old\nNote.\nSum\nHidden text"),
        ("x", "under"),
    ]


MDX = """import { Card } from '/x.mdx'
import {
  A,

  B,
} from "y"

export const meta = {
  a: 1,
}

import your files with care.

<CardGroup cols={2}>
  <Card title="Edition [1]" href="/edition">
    Free for <b>all</b>. {/* no
    comment */}
  </Card>
</CardGroup>

<Steps>
  <Step title='First'>
    ### Inside

    - item `<Code>`
  </Step>
</Steps>

<Note>Mind {"the"} gap.</Note> <Icon icon="x" style={{ a: "}>" }} />

```js
<Kept prop={1} />
import x from 'y'
```
"""


def test_mdx_loses_its_code_and_keeps_its_words(tmp_path: Path) -> None:
    got = read(tmp_path, "a.mdx", MDX)
    assert sections(got) == [
        (
            "overview",
            "import your files with care.\nEdition [1]\nFree for all.\nFirst",
        ),
        (
            "inside",
            "item <Code>\nMind the gap.\n<Kept prop={1} />\nimport x from 'y'",
        ),
    ]
    assert got.documents[0].links == (Link("page:edition#overview"),)
    assert got.accepted[1].origin.line == 23
