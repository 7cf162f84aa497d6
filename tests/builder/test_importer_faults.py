"""Faults that importers have shipped: each with a small input and the one right outcome.

``FAULTS`` is the table of them. A fault whose test needs the apparatus of another area stands
there; the table says where, and a test sees to it that it does.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest

from steadyrank_builder.building import BuildReport, build, update
from steadyrank_builder.errors import MaterialError
from steadyrank_builder.failures import NothingToBuildError
from support_builder import environment, ids_of, run_cli
from support_reading import read

FAULTS = {
    "a BOM hides the id column": "test_a_bom_hides_no_column",
    "a field over the csv limit": "test_a_field_over_the_csv_limit_is_read",
    "success with 0 sections": "test_a_page_without_sections_is_no_success",
    "UTF-8 guessed as big5": "test_utf8_is_never_taken_for_something_else",
    "literal \\n in descriptions": "test_a_literal_backslash_n_is_a_line_break_where_it_was_one",
    "a backslash quote left open": "test_a_backslash_quote_rejects_its_row_and_no_other",
    "entities decoded twice": "test_entities_are_decoded_once_per_layer",
    "two products with one handle": "test_two_products_with_one_handle_are_told",
    "a handle change duplicates the product": "test_a_changed_handle_leaves_no_second_product",
    "heading slugs collide": "test_heading_slugs_do_not_collide",
    "anchors shift below an inserted heading": (
        "test_sections_stable.py::test_without_explicit_ids_the_report_says_what_moved"
    ),
    "# inside ~~~": "test_a_hash_in_a_tilde_fence_is_no_heading",
    "text before the first heading lost": "test_text_before_the_first_heading_is_kept",
    "title: A 1: B in front matter": "test_a_second_colon_in_front_matter_is_text",
    "--- rules read as front matter": "test_rules_are_no_front_matter",
    "JSON-LD with a semicolon, in CDATA, with a control character": (
        "test_json_ld_as_templates_write_it"
    ),
    "a sitemap that lists itself": "test_a_sitemap_that_lists_itself_is_one_reject",
    ".gz served plain": (
        "test_formats_packed.py::test_a_file_called_gz_that_is_none_is_read_as_it_is"
    ),
    "a gzip bomb": "test_hostile.py::test_it_is_refused_within_a_second_and_200_megabytes",
    "one of three deleted records stays": "test_a_record_that_is_deleted_is_gone",
    "a manifest that says present over an empty index": (
        "test_publish.py::test_unchanged_material_repairs_a_damaged_index"
    ),
    "delete-then-import ends with 0 documents": "test_an_import_of_nothing_changes_nothing",
    "a half-built index taken as done": "test_publish_crash.py::test_killed_at_a_random_moment",
    "ids from hashing the empty string": "test_an_empty_key_is_no_id",
    "a renamed page stays indexed": "test_a_renamed_page_is_indexed_once",
    "a 0-byte lock blocks for ever": (
        "test_publish.py::test_a_lock_file_without_a_holder_blocks_nobody"
    ),
    "1.5 million rows in memory": "test_rows_are_not_held_in_memory",
}


Way = Callable[[list[Path], Path], BuildReport]


@pytest.mark.parametrize("fault", FAULTS)
def test_every_fault_has_a_test(fault: str) -> None:
    file, _, name = FAULTS[fault].rpartition("::")
    text = (Path(__file__).parent / (file or Path(__file__).name)).read_text("utf-8")
    assert re.search(rf"^def {name}\(", text, re.MULTILINE)


def test_a_bom_hides_no_column(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "\ufeffid,title,text,kind\n007,T,x,page\n")
    assert got.ids == ["007"]


def test_a_field_over_the_csv_limit_is_read(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", f"question,answer\nq,{'word ' * 40_000}\n")
    assert len(got.documents[0].text) == 5 * 40_000 - 1  # the last space is trimmed


@pytest.mark.parametrize("name", ["a.md", "a.html"])
def test_a_page_without_sections_is_no_success(tmp_path: Path, name: str) -> None:
    assert read(tmp_path, name, "<!-- nothing -->\n").rejects == [("empty-page", 1, 1, 1)]


def test_utf8_is_never_taken_for_something_else(tmp_path: Path) -> None:
    text = "crème brûlée – 3 €"
    got = read(tmp_path, "a.csv", f"question,answer\nq,{text}\n")
    assert got.documents[0].text == text


def test_a_literal_backslash_n_is_a_line_break_where_it_was_one(tmp_path: Path) -> None:
    woo = "ID,Type,SKU,Name,Description\n1,simple,A,Mug,one\\ntwo\n"
    assert read(tmp_path, "woo.csv", woo).documents[0].text.startswith("one\ntwo\n\n")
    # Others do not write it, so there it is what it looks like.
    faq = "question,answer\nq,C:\\new\n"
    assert read(tmp_path, "faq.csv", faq).documents[0].text == "C:\\new"


def test_a_backslash_quote_rejects_its_row_and_no_other(tmp_path: Path) -> None:
    content = 'question,answer\na,"5\\" wide"\nb,fine\n'
    got = read(tmp_path, "a.csv", content)
    assert (got.rejects, got.ids) == ([("csv", 2, 2, 1)], ["faq:b"])
    # Where nothing closes it, nobody can tell where the row ends, and the reject has all of it.
    got = read(tmp_path, "a.csv", 'question,answer\na,fine\nb,"5\\" wide\nc,x\nd,"5\\ wide\ne,x\n')
    assert got.rejects == [("csv", 3, 3, 1), ("csv", 5, 6, 1)]
    assert got.ids == ["faq:a", "faq:c"]


def test_entities_are_decoded_once_per_layer(tmp_path: Path) -> None:
    got = read(tmp_path, "a.csv", "question,answer\na &amp;amp; b,x &amp;lt;b&amp;gt; &amp;\n")
    (document,) = got.documents
    assert (document.title, document.text) == ("a &amp; b", "x &lt;b&gt; &")
    page = read(tmp_path, "a.html", '<p>&amp;lt;b <a href="/x?a=1&copy=2">y</a></p>')
    assert page.documents[0].text == "&lt;b y"


def test_two_products_with_one_handle_are_told(tmp_path: Path) -> None:
    rows = "mug,Mug,M,1\ncup,Cup,C,1\nmug,Other mug,O,1\n"
    got = read(tmp_path, "a.csv", f"Handle,Title,Variant SKU,Variant Price\n{rows}")
    assert sorted(got.ids) == ["product:cup", "product:mug"]
    assert got.rejects == [("duplicate-handle", 4, 4, 1)]
    assert "line 2" in got.message


@pytest.mark.whoosh
@pytest.mark.parametrize("way", [build, update])
def test_a_changed_handle_leaves_no_second_product(tmp_path: Path, way: Way) -> None:
    path, out = tmp_path / "a.csv", tmp_path / "store.idx"
    header = "Handle,Title,Variant SKU,Variant Price\n"
    path.write_text(f"{header}mug,Mug,M,1\ncup,Cup,C,1\n")
    build([path], out)
    path.write_text(f"{header}steel-mug,Mug,M,1\ncup,Cup,C,1\n")
    report = way([path], out)
    assert ids_of(out) == ["product:cup", "product:steel-mug"]
    assert report.renamed == (("product:mug", "product:steel-mug"),)


def test_heading_slugs_do_not_collide(tmp_path: Path) -> None:
    got = read(tmp_path, "a.md", "# Foo-1\n\na\n\n# Foo\n\nb\n\n# Foo\n\nc\n")
    # The first heading of level 1 is the page's title; its text is the overview.
    assert got.ids == ["page:a#overview", "page:a#foo", "page:a#foo-2"]


def test_a_hash_in_a_tilde_fence_is_no_heading(tmp_path: Path) -> None:
    got = read(tmp_path, "a.md", "# T\n\n~~~sh\n# not a heading\n~~~\n\n> # nor this\n\n- # nor\n")
    assert got.ids == ["page:a#overview"]
    assert "# not a heading" in got.documents[0].text


def test_text_before_the_first_heading_is_kept(tmp_path: Path) -> None:
    got = read(tmp_path, "a.md", "First words.\n\n## Later\n\nmore\n")
    assert [document.text for document in got.documents] == ["First words.", "more"]
    assert got.ids == ["page:a#overview", "page:a#later"]


def test_a_second_colon_in_front_matter_is_text(tmp_path: Path) -> None:
    got = read(tmp_path, "a.md", "---\ntitle: A 1: B\n---\n\ntext\n")
    assert got.documents[0].title == "A 1: B"


def test_rules_are_no_front_matter(tmp_path: Path) -> None:
    got = read(tmp_path, "a.md", "---\n\nHello\n\n---\n\nmore\n")
    assert got.documents[0].text == "Hello\nmore"


@pytest.mark.parametrize(
    "wrapped",
    ["{};", "<![CDATA[{}]]>", "//<![CDATA[\n{}\n//]]>", "/*<![CDATA[*/{}/*]]>*/", "<!--\n-->{}"],
)
def test_json_ld_as_templates_write_it(tmp_path: Path, wrapped: str) -> None:
    block = '{"@type": "Product", "name": "Mug", "sku": "M", "description": "one\ttwo\n three"}'
    script = f'<script type="application/ld+json">{wrapped.replace("{}", block)}</script>'
    got = read(tmp_path, "a.html", f"<p>words</p>{script}")
    assert got.rejects == []
    assert got.ids == ["product:M", "page:a#overview"]
    assert got.documents[0].text.startswith("one\ttwo\n three")


def test_a_sitemap_that_lists_itself_is_one_reject(tmp_path: Path) -> None:
    sitemap = (
        '<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
        "<sitemap><loc>https://shop/sitemap.xml</loc></sitemap></sitemapindex>"
    )
    assert read(tmp_path, "sitemap.xml", sitemap).rejects == [("unknown-format", 1, 1, 1)]


def faqs(path: Path, *questions: str) -> Path:
    lines = (json.dumps({"question": each, "answer": f"About {each}"}) for each in questions)
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


@pytest.mark.whoosh
@pytest.mark.parametrize("way", [build, update])
def test_a_record_that_is_deleted_is_gone(tmp_path: Path, way: Way) -> None:
    out = tmp_path / "store.idx"
    build([faqs(tmp_path / "a.jsonl", "one", "two", "three")], out)
    way([faqs(tmp_path / "a.jsonl", "one", "three")], out)
    assert ids_of(out) == ["faq:one", "faq:three"]


@pytest.mark.whoosh
def test_an_import_of_nothing_changes_nothing(tmp_path: Path) -> None:
    out = tmp_path / "store.idx"
    build([faqs(tmp_path / "a.jsonl", "one")], out)
    (tmp_path / "a.jsonl").write_text("\n\n")
    with pytest.raises(NothingToBuildError):
        build([tmp_path / "a.jsonl"], out)
    with pytest.raises(MaterialError):
        build([tmp_path / "gone.jsonl"], out)
    assert ids_of(out) == ["faq:one"]
    assert run_cli("build", tmp_path / "a.jsonl", "--out", out).returncode == 2


def test_an_empty_key_is_no_id(tmp_path: Path) -> None:
    generic = read(tmp_path, "a.csv", "id,title,text,kind\n,T,x,page\n ,U,y,page\n")
    assert generic.rejects == [("empty-id", 2, 2, 1), ("empty-id", 3, 3, 1)]
    faq = read(tmp_path, "b.csv", "question,answer\n???,x\n!!!,y\n")
    assert faq.rejects == [("empty-id", 2, 2, 1), ("empty-id", 3, 3, 1)]


@pytest.mark.whoosh
@pytest.mark.parametrize("way", [build, update])
def test_a_renamed_page_is_indexed_once(tmp_path: Path, way: Way) -> None:
    folder, out = tmp_path / "help", tmp_path / "store.idx"
    folder.mkdir()
    (folder / "returns.md").write_text("# Returns\n\nWithin 30 days.\n")
    build([folder], out)
    (folder / "returns.md").rename(folder / "refunds.md")
    way([folder], out)
    assert ids_of(out) == ["page:refunds#overview"]


_MANY_ROWS = """
import sys
from pathlib import Path
from steadyrank_builder.formats import ReadOptions, open_source
from steadyrank_builder.material import discover
def peak():
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1])
(source,) = discover([Path(sys.argv[1])])
counts = []
for outcome in open_source(source, ReadOptions()).outcomes:
    counts.append(peak()) if outcome.origin.line % 5_000 < 3 else None
print(counts[0], counts[-1], outcome.origin.line)
"""


@pytest.mark.parametrize("kind", ["shopify", "woocommerce", "google", "faq"])
def test_rows_are_not_held_in_memory(tmp_path: Path, kind: str) -> None:
    """The peak at the end of 20,000 rows (4 MB) is hardly above that at their beginning."""
    import subprocess
    import sys

    text = "many words of a description " * 7
    header, row, name = {
        "shopify": ("Handle,Title,Variant SKU,Variant Price", "p{0},T{0},S{0},1", "a.csv"),
        "woocommerce": (
            "ID,Type,SKU,Name,Description",
            f"{{0}},simple,S{{0}},T{{0}},{text}",
            "a.csv",
        ),
        "google": ("id,title,description,link,price", f"{{0}},T{{0}},{text},u,1 EUR", "a.csv"),
        "faq": ("question,answer", f"q{{0}},{text}", "a.csv"),
    }[kind]
    rows = "".join(row.format(number) + "\n" for number in range(20_000))
    (tmp_path / name).write_text(f"{header}\n{rows}")
    done = subprocess.run(
        [sys.executable, "-c", _MANY_ROWS, str(tmp_path / name)],
        env=environment(), capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    first, last, line = map(int, done.stdout.split())
    assert line == 20_001
    assert last - first < 3_000  # kilobytes
