"""``steadyrank answer``: for people, for prompts, for programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from steadyrank_builder.cli import main

pytestmark = pytest.mark.whoosh


def run(*arguments: object, lines: bytes | None = None) -> Result:
    return CliRunner().invoke(main, list(map(str, arguments)), input=lines)


def test_json_is_the_answer(sample_store: Path) -> None:
    """One object with sorted keys."""
    done = run("answer", sample_store, "trail", "mug", "-k", 2, "--json")
    assert done.exit_code == 0
    answer = json.loads(done.stdout)
    assert [piece["id"] for piece in answer["pieces"]] == [
        "product:trail-mug-300", "product:trail-mug-450"]  # fmt: skip
    assert done.stdout == json.dumps(answer, sort_keys=True) + "\n"


def test_quotas_and_settings_come_through(sample_store: Path, tmp_path: Path) -> None:
    """A quota of one product; a gap from the file, laid over by nothing."""
    (tmp_path / "s.toml").write_text("gap = 0.5\n[fetch]\nquotas = {faq = 2}\n", "utf-8")
    done = run(
        "answer", sample_store, "tent", "--quota", "product=1", "--settings", tmp_path / "s.toml",
        "--json",
    )  # fmt: skip
    answer = json.loads(done.stdout)
    kept = {line["kind"]: line["kept"] for line in answer["fetched"]}
    assert (answer["gap"], kept["product"], kept["faq"]) == (0.5, 1, 2)


def test_people_see_bands_ids_and_words(sample_store: Path, tmp_path: Path) -> None:
    """Bands are drawn beside the pieces; matched words are bold on a terminal."""
    (tmp_path / "s.toml").write_text("gap = 0.5\n", "utf-8")
    done = CliRunner().invoke(
        main,
        ["answer", str(sample_store), "hiking socks", "--settings", str(tmp_path / "s.toml")],
        color=True,
    )
    lines = done.stdout.splitlines()
    assert lines[0].startswith("confidence ")
    brackets = [line[0] for line in lines if "product:merino-sock" in line]
    assert brackets == ["┌", "│", "└", "-"]
    assert "\x1b[1msocks\x1b[0m" in done.stdout or "\x1b[1msock\x1b[0m" in done.stdout


def test_context_and_explain_print_their_texts(sample_store: Path) -> None:
    """And exclude each other."""
    context = run("answer", sample_store, "gift card", "--context", "--budget", 300)
    assert context.stdout.startswith("[1] ")
    assert len(context.stdout) <= 301
    assert "score" not in context.stdout
    assert "in title" in run("answer", sample_store, "gift card", "--explain").stdout
    assert run("answer", sample_store, "x", "--explain", "--json").exit_code == 2


def test_many_questions_are_answered_as_json_lines(sample_store: Path) -> None:
    """Texts and JSON, blank lines left out, a byte order mark too; no bar without a terminal."""
    lines = '\ufefftent\n\n{"question": "gift card", "id": 7}\nécharpe\n'
    done = run("answer", sample_store, "--questions", "-", lines=lines.encode())
    assert done.exit_code == 0
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert [answer["question"] for answer in answers] == ["tent", "gift card", "écharpe"]
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        (
            b'tent\n{"q": 1}\n{"question": 2}\n{broken\n\xff\n',
            ["line 2", "line 3", "line 4", "line 5"],
        ),
        (b"\n\n", ["no question"]),
    ],
)
def test_broken_questions_are_all_named(sample_store: Path, lines: bytes, said: list[str]) -> None:
    """Before anything is answered."""
    done = run("answer", sample_store, "--questions", "-", lines=lines)
    assert (done.exit_code, done.stdout) == (2, "")
    assert all(part in done.stderr for part in said)


def test_wrong_calls_end_with_2(sample_store: Path, tmp_path: Path) -> None:
    """No question, two sources of one, a quota that is none, no index, settings with a typo."""
    (tmp_path / "s.toml").write_text("gapp = 0.5\n", "utf-8")
    assert run("answer", sample_store).exit_code == 2
    assert run("answer", sample_store, "x", "--questions", "-").exit_code == 2
    assert run("answer", sample_store, "x", "--quota", "product").exit_code == 2
    assert run("answer", sample_store, "x", "--quota", "product=²").exit_code == 2
    assert run("answer", tmp_path, "x").exit_code == 2
    typo = run("answer", sample_store, "x", "--settings", tmp_path / "s.toml")
    assert typo.exit_code == 2
    assert "did you mean 'gap'" in typo.stderr


def test_an_empty_question_is_answered_honestly(sample_store: Path) -> None:
    """With the fallback, and exit code 0."""
    done = run("answer", sample_store, "")
    assert done.exit_code == 0
    assert "Nothing in the material answers this" in done.stdout
