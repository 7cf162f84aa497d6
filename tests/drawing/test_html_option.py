"""``--html``: the commands that measure write a page beside what they print."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from steadyrank_builder.cli import main
from steadyrank_builder.runs import read_questions
from support_answers import piece, write

pytestmark = pytest.mark.whoosh

DOCUMENTS = [piece(f"product:{n}", "rope " * (n + 1), title=f"cord <b>{n}</b>") for n in range(6)]
GOLDEN = """\
- {question: rope, mode: rank-one, expected: [%s]}
- {question: cord rope, mode: contains, expected: [product:1], k: 6}
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write(tmp_path / "store.idx", DOCUMENTS)
    (tmp_path / "golden.yaml").write_text(GOLDEN % "product:nobody", "utf-8")
    first = run("evaluate", tmp_path / "store.idx", tmp_path / "golden.yaml", "--json")
    assert first.exit_code == 2  # an id that is not there is no verdict
    return tmp_path


@pytest.mark.parametrize(
    ("arguments", "title"),
    [
        (["evaluate", "store.idx", "golden.yaml"], "golden.yaml"),
        (["diff", "store.idx", "store.idx", "--questions", "golden.yaml"], "Drift"),
        (["churn", "store.idx", "--questions", "golden.yaml", "--draws", "1"], "Churn"),
        (["audit", "store.idx", "--questions", "golden.yaml"], "Audit"),
    ],
)
def test_a_page_is_written(
    folder: Path, arguments: list[str], title: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page has the command's title and its questions; what is printed stays the same."""
    pytest.importorskip("jinja2")
    monkeypatch.chdir(folder)
    plain = run(*arguments)
    with_page = run(*arguments, "--html", "page.html")

    assert (with_page.exit_code, with_page.stdout) == (plain.exit_code, plain.stdout)
    page = Path("page.html").read_text("utf-8")
    assert f"<h1>{title}</h1>" in page
    assert "<script" not in page
    assert page.rstrip().endswith("</html>")
    assert len(read_questions(Path("golden.yaml"))) == 2


def test_an_unreadable_index_gives_a_page_too(folder: Path) -> None:
    """No verdict is a verdict that a page can show, and the exit code stays 2."""
    pytest.importorskip("jinja2")
    page = folder / "page.html"
    done = run("evaluate", folder / "gone.idx", folder / "golden.yaml", "--html", page)
    assert done.exit_code == 2
    assert "no-verdict" in page.read_text("utf-8")


def test_without_jinja2_the_extra_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Before anything is measured, and not after it."""
    monkeypatch.setitem(sys.modules, "jinja2", None)
    page = folder / "page.html"
    done = run("audit", folder / "store.idx", "--questions", folder / "gone", "--html", page)
    assert done.exit_code == 1
    assert "pip install 'steadyrank[evaluate]'" in done.output
    assert not page.exists()
