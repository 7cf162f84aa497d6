"""Arguments become files, each once, in one order, whatever way they were named."""

from __future__ import annotations

import os
from itertools import permutations
from pathlib import Path

import pytest

from steadyrank.errors import SteadyRankError
from steadyrank_builder.errors import MaterialError
from steadyrank_builder.material import Source, discover


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name in ("help/b.md", "help/a.md", "help/orders/c.md", "products.csv", "help/.x.md"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    (tmp_path / "help/.git").mkdir()
    (tmp_path / "help/.git/d.md").write_text("x")
    return tmp_path


def named(sources: list[Source]) -> list[tuple[str, str, str]]:
    return [(source.name, source.page_path, source.root) for source in sources]


def test_a_folder_gives_its_visible_files_by_name_with_paths_below_it(shop: Path) -> None:
    assert named(discover([Path("help")])) == [
        ("help/a.md", "a.md", "folder"),
        ("help/b.md", "b.md", "folder"),
        ("help/orders/c.md", "orders/c.md", "folder"),
    ]


def test_a_file_argument_has_its_own_folder_as_root(shop: Path) -> None:
    assert named(discover([Path("help/orders/c.md")])) == [("help/orders/c.md", "c.md", "file")]


def test_a_hidden_file_is_taken_when_it_is_named(shop: Path) -> None:
    assert named(discover([Path("help/.x.md")])) == [("help/.x.md", ".x.md", "file")]


def test_a_file_counts_once_and_the_outermost_folder_wins_in_every_order(shop: Path) -> None:
    arguments = [Path("help"), Path("help/orders"), Path("help/orders/c.md"), Path("./help/a.md")]
    expected = [
        ("help/a.md", "a.md", "folder"),
        ("help/b.md", "b.md", "folder"),
        ("help/orders/c.md", "orders/c.md", "folder"),
    ]
    for order in permutations(arguments):
        assert named(discover(order)) == expected


def test_all_missing_paths_are_told_at_once(shop: Path) -> None:
    with pytest.raises(MaterialError) as caught:
        discover([Path("none.csv"), Path("help"), Path("also/none")])
    assert caught.value.paths == (Path("also/none"), Path("none.csv"))
    assert "none.csv: no such file or folder" in str(caught.value)
    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, SteadyRankError)


def test_symbolic_links_are_followed_and_loops_end(shop: Path) -> None:
    (shop / "help/loop").symlink_to(shop / "help", target_is_directory=True)
    (shop / "help/up").symlink_to(shop, target_is_directory=True)
    (shop / "elsewhere").mkdir()
    (shop / "elsewhere/e.md").write_text("x")
    (shop / "help/linked").symlink_to(shop / "elsewhere", target_is_directory=True)
    assert [source.name for source in discover([Path("help")])] == [
        "help/a.md",
        "help/b.md",
        "help/linked/e.md",
        "help/orders/c.md",
    ]


def test_pipes_inside_a_folder_are_passed_over(shop: Path) -> None:
    os.mkfifo(shop / "help/pipe.md")
    assert "help/pipe.md" not in [source.name for source in discover([Path("help")])]


def test_a_link_that_leads_nowhere_stays_so_that_reading_tells_of_it(shop: Path) -> None:
    (shop / "help/gone.md").symlink_to(shop / "nowhere.md")
    assert "help/gone.md" in [source.name for source in discover([Path("help")])]


def test_a_name_that_is_not_utf8_is_shown_escaped(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path)
    try:
        with open(folder + b"/caf\xe9.md", "wb") as file:  # noqa: PTH123 - a name in bytes
            file.write(b"x")
    except OSError:
        pytest.skip("this file system takes no such name")
    (source,) = discover([tmp_path])
    assert source.page_path == "caf\\xe9.md"
