"""``steadyrank.toml``: what it says of files, and what is said about its faults."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank_builder.errors import MaterialError, MaterialSettingsError, ReadOptionError
from steadyrank_builder.formats import ReadOptions, open_source
from steadyrank_builder.material import discover
from steadyrank_builder.material.settings_file import matches
from support_builder import run_cli
from support_reading import Read

PRODUCTS = "Nr;Name;Beschreibung\n1;Becher;Aus Stahl\n"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    (tmp_path / "export").mkdir()
    (tmp_path / "drafts/deep").mkdir(parents=True)
    (tmp_path / "export/a.csv").write_bytes(PRODUCTS.encode("cp1252"))
    (tmp_path / "drafts/deep/b.md").write_text("# Draft\n\ntext\n")
    (tmp_path / "page.md").write_text("# Page\n\ntext\n")
    (tmp_path / "steadyrank.toml").write_text(
        """
exclude = ["drafts/**"]
language = "de"

[[source]]
files = "export/*.csv"
format = "csv"
kind = "product"
encoding = "cp1252"
map = { id = "Nr", title = "Name", text = "Beschreibung" }
"""
    )
    return tmp_path


def read_all(*arguments: Path, **options: str) -> dict[str, Read]:
    return {
        source.page_path: Read(open_source(source, ReadOptions(**options)))  # type: ignore[arg-type]
        for source in discover(list(arguments))
    }


def test_files_are_read_as_it_says(shop: Path) -> None:
    got = read_all(shop)
    (product,) = got["export/a.csv"].documents
    assert (product.id, product.kind, product.title, product.text) == (
        "1", "product", "Becher", "Aus Stahl",
    )  # fmt: skip
    assert product.language == "de"
    assert got["page.md"].documents[0].language == "de"
    assert got["drafts/deep/b.md"].skips == [("excluded", 1, 1, 1)]
    assert got["steadyrank.toml"].skips == [("settings", 1, 1, 1)]


def test_it_speaks_of_a_file_that_is_named_beside_it(shop: Path) -> None:
    (shop / "steadyrank.toml").rename(shop / "export/steadyrank.toml")
    text = (shop / "export/steadyrank.toml").read_text().replace("export/", "")
    (shop / "export/steadyrank.toml").write_text(text)
    assert read_all(shop / "export/a.csv")["a.csv"].ids == ["1"]


def test_the_command_line_wins(shop: Path) -> None:
    got = read_all(shop, kind="thing")["export/a.csv"]
    assert got.documents[0].kind == "thing"


def test_the_nearest_one_counts_alone(shop: Path) -> None:
    (shop / "export/steadyrank.toml").write_text('language = "fr"\n')
    (shop / "steadyrank.toml").write_text('language = "de"\n')
    (shop / "export/b.md").write_text("text")
    got = read_all(shop)
    assert got["export/b.md"].documents[0].language == "fr"
    assert got["page.md"].documents[0].language == "de"


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ("exclud = []", "exclud: unknown key; did you mean 'exclude'?"),
        ("size = 1", "size: unknown key; expected exclude, source, kind,"),
        ("exclude = 3", 'exclude: expected a pattern such as "export/*.csv", or a list'),
        ("language = 3", "language: expected a text"),
        ('source = "x"', "source: expected tables, each headed [[source]]"),
        ('[[source]]\nformat = "csv"', "source 1.files: missing; expected files"),
        ("[[source]]\nfiles = []", "source 1.files: expected a pattern"),
        ('[[source]]\nfiles = "*.md"\nmap = 3', "source 1.map: expected a table of texts"),
        ('[[source]]\nfiles = "*.md"\nfromat = "x"', "source 1.fromat: unknown key; did you mean"),
        ('[[source]]\nfiles = "no/*.md"', "source 1.files: 'no/*.md' matches no file"),
        ("a = ", "not TOML"),
    ],
)
def test_a_fault_names_file_key_and_what_is_expected(shop: Path, content: str, says: str) -> None:
    (shop / "steadyrank.toml").write_text(content)
    with pytest.raises(MaterialSettingsError) as caught:
        discover([shop])
    assert len(caught.value.faults) == 1
    assert f"{shop}/steadyrank.toml: {says}" in str(caught.value)


def test_all_faults_are_told_at_once(shop: Path) -> None:
    (shop / "steadyrank.toml").write_text("kind = 1\nexclude = 2\n[[source]]\nencoding = 3\n")
    with pytest.raises(MaterialSettingsError) as caught:
        discover([shop])
    assert len(caught.value.faults) == 4


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ('format = "shopfy"', "source 1.format: there is no format 'shopfy'"),
        ('encoding = "latin-99"', "source 1: encoding: unknown text encoding"),
        ('map = { name = "x" }', "source 1: mapping: cannot map 'name'"),
    ],
)
def test_what_readers_cannot_do_names_the_place_too(shop: Path, line: str, says: str) -> None:
    (shop / "steadyrank.toml").write_text(f'[[source]]\nfiles = "export/a.csv"\n{line}\n')
    with pytest.raises(ReadOptionError) as caught:
        read_all(shop)
    assert says in str(caught.value)


def test_faults_and_missing_paths_are_no_tracebacks(shop: Path) -> None:
    (shop / "steadyrank.toml").write_text("kind = 1\n")
    done = run_cli("build", shop, "--out", shop.parent / "x.idx")
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert "kind: expected a text" in done.stderr
    with pytest.raises(MaterialError):
        discover([shop / "missing", shop])


@pytest.mark.parametrize(
    ("pattern", "path", "wanted"),
    [
        ("*.csv", "a.csv", True),
        ("*.csv", "deep/er/a.csv", True),
        ("*.csv", "a.csv.gz", False),
        ("export/*.csv", "export/a.csv", True),
        ("export/*.csv", "export/deep/a.csv", False),
        ("export/**", "export/deep/a.csv", True),
        ("**/a.csv", "a.csv", True),
        ("**/a.csv", "x/y/a.csv", True),
        ("a?.csv", "ab.csv", True),
        ("a.csv", "axcsv", False),
        ("./export/a.csv", "export/a.csv", True),
    ],
)
def test_patterns(pattern: str, path: str, wanted: bool) -> None:
    assert matches(pattern, path) is wanted


@pytest.mark.whoosh
def test_an_update_reads_again_what_the_settings_change(shop: Path) -> None:
    from steadyrank_builder.building import build, update

    out = shop.parent / "store.idx"
    build([shop], out)
    assert update([shop], out).changes.changed == 0
    path = shop / "steadyrank.toml"
    path.write_text(path.read_text().replace('"product"', '"ware"'))
    report = update([shop], out)
    assert (report.changes.changed, report.changes.added) == (1, 0)


def plain(pattern: str) -> str:
    """The expression that a reader would write down, which can take for ever."""
    wild = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    parts = re.split(r"(\*\*/|\*\*|\*|\?)", pattern)
    return "".join(wild.get(part, re.escape(part)) for part in parts)


@given(st.text("ab/*?.", max_size=12), st.text("ab/.", max_size=12))
def test_a_pattern_matches_what_its_plain_reading_matches(pattern: str, path: str) -> None:
    pattern = f"a/b{pattern}"  # a slash in it: otherwise the name alone counts
    wanted = bool(re.fullmatch(plain(pattern), f"a/b{path}", re.DOTALL))
    assert matches(pattern, f"a/b{path}") is wanted


def test_a_hundred_stars_take_no_time() -> None:
    assert not matches("*a" * 50 + "b", "a" * 80)
    assert not matches("**/*a" * 50 + "b", "a/a" * 40)


def test_settings_nested_without_end_are_named(shop: Path) -> None:
    (shop / "steadyrank.toml").write_text("a = " + "[" * 100_000)
    with pytest.raises(MaterialSettingsError, match="nested too deeply"):
        discover([shop])
