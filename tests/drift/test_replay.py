"""Logged answers asked again: which changed, and by what."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from steadyrank.answering import Fingerprint
from steadyrank_builder.building import build
from steadyrank_builder.cli import main
from steadyrank_builder.drifting import Logged
from steadyrank_builder.drifting.verdicts import judged
from support_store import SAMPLE

pytestmark = pytest.mark.whoosh
QUESTIONS = ["rain jacket", "sleeping bag", "gift card"]


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store, the same one with a document more, and a log of the first."""
    folder = tmp_path_factory.mktemp("shop")
    build([SAMPLE / "store"], folder / "old")
    (folder / "extra.csv").write_text(
        "question,answer\nrain jacket rain jacket?,rain jacket rain jacket rain jacket\n", "utf-8"
    )
    build([SAMPLE / "store", folder / "extra.csv"], folder / "new")
    (folder / "asked.txt").write_text("\n".join(QUESTIONS) + "\n", "utf-8")
    logged = call("answer", folder / "old", "--questions", folder / "asked.txt")
    (folder / "log.jsonl").write_text(logged.stdout, "utf-8")
    return folder


def call(*arguments: object) -> Result:
    return CliRunner().invoke(main, [str(argument) for argument in arguments])


def replayed(*arguments: object) -> dict[str, Any]:
    content: dict[str, Any] = json.loads(call("replay", *arguments, "--json").stdout)
    return content


def rewritten(shop: Path, path: Path, **parts: str) -> Path:
    """The log with other parts in every fingerprint."""
    lines = [json.loads(line) for line in (shop / "log.jsonl").read_text("utf-8").splitlines()]
    for line in lines:
        line["fingerprint"] |= parts
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
    return path


def test_the_same_index_gives_the_same_answers(shop: Path) -> None:
    result = call("replay", shop / "log.jsonl", "--index", shop / "old")
    assert result.exit_code == 0
    assert result.stdout == f"{shop / 'old'}: 0 of 3 answers changed\n"


def test_another_index_is_named_with_what_it_changed(shop: Path) -> None:
    result = call("replay", shop / "log.jsonl", "--index", shop / "new")
    replay = replayed(shop / "log.jsonl", "--index", shop / "new")
    assert result.exit_code == 3
    assert replay["outcome"] == "changed"
    first = replay["answers"][0]
    assert (first["line"], first["what"], first["causes"]) == (1, "set", ["index"])
    assert first["now"][0].startswith("faq:rain-jacket")
    assert "  3 by index" in result.stdout.splitlines()


def test_several_indexes_are_each_asked(shop: Path) -> None:
    replay = replayed(shop / "log.jsonl", "--index", shop / "old", "--index", shop / "new")
    found = [(answer["index"], answer["what"] is None) for answer in replay["answers"]]
    assert found[:3] == [(str(shop / "old"), True)] * 3
    assert found[3] == (str(shop / "new"), False)
    assert (replay["logged"], replay["replayed"]) == (3, 6)


def test_other_settings_than_the_log_has_are_said(shop: Path, tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text("[take]\ncount = 2\n", "utf-8")
    result = call("replay", shop / "log.jsonl", "--index", shop / "old", "--settings", settings)
    assert result.exit_code == 3
    assert "  3 by settings" in result.stdout.splitlines()
    assert "3 were logged under settings " in result.stdout
    assert "give --settings, --profile or -k as they were" in result.stdout
    # -k 2 is the same settings, so that answers logged so are the same again.
    short = call("answer", shop / "old", "-k", "2", "--json", "sleeping bag").stdout
    (tmp_path / "short.jsonl").write_text(short, "utf-8")
    again = call(
        "replay", tmp_path / "short.jsonl", "--index", shop / "old", "--settings", settings
    )
    assert again.exit_code == 0


def test_settings_that_differ_without_effect_are_said_and_change_nothing(
    shop: Path, tmp_path: Path
) -> None:
    log = rewritten(shop, tmp_path / "log.jsonl", settings="elsewhere")
    result = call("replay", log, "--index", shop / "old", "-v")
    assert result.exit_code == 0
    assert "3 were logged under settings elsewhere" in result.stdout
    assert "same in spite of settings" in result.stdout


@pytest.mark.parametrize("part", ["settings", "index", "versions"])
def test_each_part_is_blamed_where_it_is_the_only_one_that_differs(
    shop: Path, tmp_path: Path, part: str
) -> None:
    log = rewritten(shop, tmp_path / "log.jsonl", pieces="others", **{part: "others"})
    replay = replayed(log, "--index", shop / "old")
    assert [answer["causes"] for answer in replay["answers"]] == [[part]] * 3
    assert replay["changed"]["causes"] == [{"causes": [part], "count": 3}]


def test_an_answer_that_changed_by_nothing_is_the_ranking_itself(
    shop: Path, tmp_path: Path
) -> None:
    log = rewritten(shop, tmp_path / "log.jsonl", pieces="others")
    result = call("replay", log, "--index", shop / "old")
    assert result.exit_code == 3
    assert "3 by the ranking itself: settings, index and versions are the same" in result.stdout


def test_several_parts_that_differ_are_all_named_and_none_is_chosen(
    shop: Path, tmp_path: Path
) -> None:
    log = rewritten(shop, tmp_path / "log.jsonl", pieces="x", settings="x", versions="x")
    result = call("replay", log, "--index", shop / "old")
    assert "3 by settings and versions, which of them is not known" in result.stdout


def test_lines_that_are_no_answers_are_listed_and_are_no_pass(shop: Path, tmp_path: Path) -> None:
    good = (shop / "log.jsonl").read_text("utf-8").splitlines()
    log = tmp_path / "log.jsonl"
    bad = [
        "{half",
        "[]",
        "{}",
        '{"question": "a"}',
        '{"question": "a", "fingerprint": {"pieces": "1"}}',
        json.dumps({**json.loads(good[0]), "pieces": [{"id": 1}]}),
        json.dumps({**json.loads(good[0]), "schema": 2}),
        '{"question": "a", "fingerprint": {}, "pieces": [{"id": "a", "score": NaN}]}',
        "[" * 100_000,
    ]
    log.write_bytes(
        "\n".join([good[0], "", *bad, good[1]]).encode() + b"\n\xff\xfe\n",
    )
    result = call("replay", log, "--index", shop / "old")
    replay = replayed(log, "--index", shop / "old")
    assert (result.exit_code, replay["outcome"]) == (2, "no-verdict")
    assert [line["line"] for line in replay["malformed"]] == [*range(3, 12), 13]
    assert [answer["line"] for answer in replay["answers"]] == [1, 12]
    assert "10 lines are no answers, so that nothing is said of them:" in result.stdout
    assert "  line 3: not JSON" in result.stdout
    assert "  line 7: its fingerprint lacks settings, index, versions" in result.stdout


def test_a_log_without_an_answer_and_one_that_is_not_there_are_no_verdict(
    shop: Path, tmp_path: Path
) -> None:
    (tmp_path / "empty").write_text("\n\n", "utf-8")
    for name, why in (("empty", "has no answer in it"), ("none", "No such file")):
        result = call("replay", tmp_path / name, "--index", shop / "old", "--json")
        assert result.exit_code == 2
        assert json.loads(result.stdout)["outcome"] == "no-verdict"
        assert why in json.loads(result.stdout)["why"]


def test_an_index_that_is_not_there_is_no_verdict(shop: Path, tmp_path: Path) -> None:
    result = call("replay", shop / "log.jsonl", "--index", tmp_path / "none", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["outcome"] == "no-verdict"


def test_a_log_on_its_own_is_held_against_itself(shop: Path, tmp_path: Path) -> None:
    """The first question is asked of the old index, of the new one, and of the new one again."""
    asked = [call("answer", shop / name, "--json", "rain jacket").stdout for name in
             ("old", "new", "new")]  # fmt: skip
    once = call("answer", shop / "old", "--json", "gift card").stdout
    log = tmp_path / "log.jsonl"
    log.write_text("".join([asked[0], once, *asked[1:]]), "utf-8")
    result = call("replay", log)
    replay = replayed(log)
    assert result.exit_code == 3
    found = [(answer["line"], answer["against"], answer["what"], answer["causes"])
             for answer in replay["answers"]]  # fmt: skip
    assert found == [(3, 1, "set", ["index"]), (4, 3, None, [])]
    assert replay["alone"] == [2]
    assert "lines with a question of their own, held against nothing: 2" in result.stdout


def test_a_log_without_a_question_twice_is_no_verdict(shop: Path) -> None:
    result = call("replay", shop / "log.jsonl")
    assert result.exit_code == 2
    assert "no question is in the log twice; give --index DIR" in result.stdout


def test_settings_without_an_index_are_refused(shop: Path) -> None:
    result = call("replay", shop / "log.jsonl", "-k", "3")
    assert result.exit_code == 2
    assert "give --index too" in result.stderr


def test_answers_inside_the_lines_of_an_application_are_read(shop: Path, tmp_path: Path) -> None:
    lines = (shop / "log.jsonl").read_text("utf-8").splitlines()
    wrapped = [json.dumps({"at": "today", "answer": json.loads(line)}) for line in lines]
    (tmp_path / "log.jsonl").write_text("\n".join(wrapped), "utf-8")
    assert call("replay", tmp_path / "log.jsonl", "--index", shop / "old").exit_code == 0


def test_a_moved_index_is_the_same_index(shop: Path, tmp_path: Path) -> None:
    shutil.copytree(shop / "old", tmp_path / "moved")
    assert call("replay", shop / "log.jsonl", "--index", tmp_path / "moved").exit_code == 0


A, B = ("a", 3.0), ("b", 2.0)


@pytest.mark.parametrize(
    ("before", "now", "what"),
    [
        ((A, B), (A,), "set"),
        ((A, B), (B, A), "order"),
        ((A, B), (("a", 3.5), B), "scores"),
        ((A, B), (A, B), "texts"),
        (None, (A, B), "unknown"),
    ],
)
def test_what_of_an_answer_is_another(before: Any, now: Any, what: str) -> None:
    one = Logged(1, "q", Fingerprint("1", "s", "i", "v"), before)
    other = Logged(2, "q", Fingerprint("2", "s", "i", "v"), now)
    assert judged(one, other).what == what
