"""HTML pages: what is the page's own is kept, what is the site's is left out."""

from __future__ import annotations

from pathlib import Path

from steadyrank_builder.document import Document, Link
from support_reading import read

PAGE = """<!doctype html>
<html lang="en">
<head>
<title>Returns &amp; more | Shop</title>
<link rel="canonical" href="https://shop.example/help/returns.html">
<meta name="description" content="All about &quot;returns&quot;">
<style>h2 { color: red }</style>
</head>
<body>
<header><h1>Shop</h1><nav><a href="/x">Menu</a></nav></header>
<div id="cookie-banner">We use cookies</div>
<div class="cmp onetrust-pc">Consent</div>
<noscript>Turn on</noscript><template><h2>Tpl</h2></template>
<!-- <h2>Commented</h2> -->
<h1>Returns</h1>
<p>Intro&nbsp;text with <a href="refunds.html#fees">fees</a>.</p>
<h2 id="cookie-policy">Cookie policy</h2>
<div class="cookie-policy" hidden><p>Our cookies.</p></div>
<h2>Time</h2>
<div class="accordion"><button>Open</button><div hidden>60 days</div></div>
<table><tr><th>Way</th><th>Days</th></tr><tr><td>Card</td><td>3</td></tr></table>
<ul><li>one</li><li>two</li></ul>
<h2>Time</h2><p>Again <img src="a.png" alt="a clock"></p>
<script>document.write("<h2>x</h2>")</script>
<footer>Imprint</footer>
</body>
</html>
"""


def test_a_page_is_walked_without_the_site_around_it(tmp_path: Path) -> None:
    got = read(tmp_path, "old/page.html", PAGE)
    shared = {
        "kind": "page",
        "title": "Returns",
        "document": "page:help/returns",
        "url": "https://shop.example/help/returns.html",
        "language": "en",
    }

    def attributes(section: str, level: int) -> dict[str, object]:
        return {
            "section": section,
            "level": level,
            "path": "old/page",
            "description": 'All about "returns"',
        }

    assert got.format == "html"
    assert got.documents == [
        Document(
            id="page:help/returns#overview",
            text="Intro text with fees.",
            links=(Link("page:old/refunds#fees"),),
            attributes=attributes("overview", 1),  # type: ignore[arg-type]
            **shared,  # type: ignore[arg-type]
        ),
        Document(
            id="page:help/returns#cookie-policy",
            heading="Cookie policy",
            text="Our cookies.",
            attributes=attributes("cookie-policy", 2),  # type: ignore[arg-type]
            **shared,  # type: ignore[arg-type]
        ),
        Document(
            id="page:help/returns#time",
            heading="Time",
            text="Open\n60 days\nWay | Days\nCard | 3\none\ntwo",
            attributes=attributes("time", 2),  # type: ignore[arg-type]
            **shared,  # type: ignore[arg-type]
        ),
        Document(
            id="page:help/returns#time-1",
            heading="Time",
            text="Again a clock",
            attributes=attributes("time-1", 2),  # type: ignore[arg-type]
            **shared,  # type: ignore[arg-type]
        ),
    ]
    lines = [(each.origin.line, each.origin.end_line) for each in got.accepted]
    assert lines == [(1, 16), (17, 18), (19, 22), (23, 27)]


def test_main_is_preferred_and_may_have_a_header_of_its_own(tmp_path: Path) -> None:
    got = read(
        tmp_path,
        "a.html",
        "<body><p>Site</p><main><header><h1>T</h1></header><p>Own</p>"
        "<footer>Policy</footer></main></body>",
    )
    assert [(each.title, each.text) for each in got.documents] == [("T", "Own\nPolicy")]


def test_an_empty_main_is_passed_over(tmp_path: Path) -> None:
    got = read(tmp_path, "a.html", "<main id=app></main><div><h1>T</h1>Text</div>")
    assert [each.text for each in got.documents] == ["Text"]


def test_several_articles_are_not_the_page(tmp_path: Path) -> None:
    got = read(tmp_path, "a.html", "<p>Intro</p><article>A</article><article>B</article>")
    assert [each.text for each in got.documents] == ["Intro\nA\nB"]


def test_title_without_h1(tmp_path: Path) -> None:
    titled = read(tmp_path, "a.html", "<title>A &amp; B</title><h2>H</h2><p>x")
    bare = read(tmp_path, "b.html", "<h2>H</h2><p>x")
    stem = read(tmp_path, "c.html", "<p>x")
    assert [each.documents[0].title for each in (titled, bare, stem)] == ["A & B", "H", "c"]


def test_a_page_filled_by_a_script_is_a_reject(tmp_path: Path) -> None:
    got = read(tmp_path, "a.html", "<div id=app></div>\n<script>go()</script>\n")
    assert got.rejects == [("empty-page", 1, 2, 1)]


def test_entities_are_decoded_once(tmp_path: Path) -> None:
    got = read(tmp_path, "a.html", "<p>&amp;lt;b and https://x.example/?a=1&copy=2</p>")
    assert got.documents[0].text == "&lt;b and https://x.example/?a=1&copy=2"
