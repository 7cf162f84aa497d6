"""``steadyrank audit``: exit codes, JSON, text, and that it only reads."""

from __future__ import annotations

import json
import os
import socket
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from whoosh import fields

from steadyrank_builder.cli import main
from support_audit import delete, fingerprint, write

pytestmark = pytest.mark.whoosh

SCHEMA = fields.Schema(
    sku=fields.NUMERIC(stored=True, unique=True),
    title=fields.TEXT(stored=True),
    day=fields.DATETIME(stored=True),
)


def audit(folder: Path, log: Path, *more: object) -> Result:
    return CliRunner().invoke(
        main, ["audit", str(folder), "--questions", str(log), *map(str, more)]
    )


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four red cups that tie, a blue one, and one that is deleted."""
    documents: list[dict[str, Any]] = [{"sku": sku, "title": "red cup"} for sku in (4, 2, 9, 7)]
    documents += [{"sku": 1, "title": "blue"}, {"sku": 5, "title": "gone"}]
    write(tmp_path / "cups", SCHEMA, documents, segments=2)
    delete(tmp_path / "cups", "title", "gone")
    return tmp_path / "cups"


def lines(tmp_path: Path, *questions: str) -> Path:
    (tmp_path / "log.txt").write_text("\n".join(questions) + "\n", "utf-8")
    return tmp_path / "log.txt"


def test_flips_are_exit_code_3_and_counted_as_asked(folder: Path, tmp_path: Path) -> None:
    """ "cup" is asked three times of four, and its first two are decided by storage."""
    done = audit(folder, lines(tmp_path, "cup", "blue", "cup", "cup", "zebra"), "-k", 2, "--json")
    assert done.exit_code == 3
    found = json.loads(done.stdout)
    assert done.stdout == json.dumps(found, sort_keys=True) + "\n"
    assert found["schema"] == 1
    assert found["outcome"] == "flips"
    assert found["questions"] == {"distinct": 3, "asked": 5}
    assert found["answers"] == {"distinct": 2, "asked": 4}
    assert found["empty"] == {"distinct": 1, "asked": 1}
    assert found["stock"]["flips"] == {"distinct": 1, "asked": 3}
    assert found["steady"]["flips"] == {"distinct": 0, "asked": 0}
    # What is deleted still counts in the score of the one that is blue.
    assert found["stock"]["bits"] == {"distinct": 1, "asked": 1}
    assert found["steady"]["bits"] == {"distinct": 0, "asked": 0}
    assert found["ties"]["cut"] == {"distinct": 1, "asked": 3}
    assert found["headline"] == "1 of 2 answers (50 %) is decided by storage order."
    assert found["next"][1:] == [
        "    import steadyrank",
        '    ix = steadyrank.stabilize(ix, id_field="sku")  # ix: the index you open today',
    ]
    assert [entry["id"] for entry in found["examples"][0]["before"]["entries"]] == ["4", "2"]
    assert found["subject"]["deleted"] == 1


def test_no_flip_is_exit_code_0(folder: Path, tmp_path: Path) -> None:
    done = audit(folder, lines(tmp_path, "blue"))
    assert done.exit_code == 0
    assert done.stdout.startswith("None of 1 answer is decided by storage order.\n")


def test_no_answer_is_exit_code_2_and_never_a_pass(folder: Path, tmp_path: Path) -> None:
    done = audit(folder, lines(tmp_path, "zebra"), "--json")
    assert (done.exit_code, json.loads(done.stdout)["outcome"]) == (2, "no-verdict")


@pytest.mark.parametrize(
    ("more", "said"),
    [
        (["--id-field", "nothing"], "'nothing'"),
        (["--fields", "nothing"], "'nothing'"),
        (["--fields", "nothing", "--syntax", "whoosh"], "'nothing'"),
        (["--no-id", "--id-field", "sku"], "do not go together"),
    ],
)
def test_what_the_index_does_not_have_is_exit_code_2(
    folder: Path, tmp_path: Path, more: list[str], said: str
) -> None:
    done = audit(folder, lines(tmp_path, "cup"), *more)
    assert done.exit_code == 2
    assert said in done.stderr


def test_a_log_without_questions_and_a_folder_without_index_are_exit_code_2(
    folder: Path, tmp_path: Path
) -> None:
    done = audit(folder, lines(tmp_path, "# nothing"))
    assert (done.exit_code, "there is no question in it" in done.stderr) == (2, True)
    done = audit(tmp_path, lines(tmp_path, "cup"))
    assert (done.exit_code, "no Whoosh index here" in done.stderr) == (2, True)


def test_people_see_the_sentence_the_code_the_figures_and_both_answers(
    folder: Path, tmp_path: Path
) -> None:
    done = audit(folder, lines(tmp_path, "cup", "cup", "blue"), "-k", 2)
    assert done.exit_code == 3
    shown = done.stdout.splitlines()
    assert shown[:3] == [
        "1 of 2 answers (50 %) is decided by storage order.",
        "Counted as often as the log asks them: 2 of 3 (67 %).",
        "Under steadyrank, over the same 3 layouts: 0, and every score to the bit.",
    ]
    assert "    import steadyrank" in shown
    assert "           5 documents in 2 segments, 1 deleted leftovers; " in done.stdout
    start = shown.index("The worst, at the places that differ") + 2
    assert shown[start].startswith("1. cup, asked 2 x: ")
    assert "as it is stored" in shown[start + 1]
    assert shown[start + 2].split()[:2] == ["1", "4"]
    assert max(len(line) for line in shown if not line.startswith("index ")) <= 100


def test_questions_that_do_not_parse_are_listed_and_the_others_judged(
    folder: Path, tmp_path: Path
) -> None:
    log = lines(tmp_path, "title:cup", "day:[zebra TO yak]")
    done = audit(folder, log, "-k", 2, "--syntax", "whoosh", "--json")
    found = json.loads(done.stdout)
    assert (done.exit_code, found["answers"]["distinct"]) == (3, 1)
    (failed,) = found["failed"]
    assert (failed["number"], failed["stage"]) == (2, "parse")
    assert failed["error"].startswith("ValueError: invalid literal")
    text = audit(folder, log, "-k", 2, "--syntax", "whoosh").stdout
    assert "1 question could not be asked\n  2. day:[zebra TO yak]: ValueError" in text


def test_redact_shows_no_question_and_the_same_hash_each_time(folder: Path, tmp_path: Path) -> None:
    """A hash of the question alone would be found by trying questions."""
    log = lines(tmp_path, "title:cup OR zebra", "day:[zebra TO yak]")
    for form in ([], ["--json"]):
        done = audit(folder, log, "-k", 2, "--syntax", "whoosh", "--redact", *form)
        assert done.exit_code == 3
        assert "zebr" not in done.output  # as the error cites it
        assert "yak" not in done.output
    one, two = (
        json.loads(audit(folder, log, "-k", 2, "--syntax", "whoosh", "--redact", "--json").stdout)
        for _ in range(2)
    )
    assert one["examples"] == two["examples"]
    question = one["examples"][0]["before"]["question"]
    assert question.startswith("hash:")
    other = lines(tmp_path, "title:cup OR zebra", "another")
    done = audit(folder, other, "-k", 2, "--syntax", "whoosh", "--redact", "--json")
    assert json.loads(done.stdout)["examples"][0]["before"]["question"] != question


@pytest.mark.own_files
def test_the_index_is_only_read_and_nothing_is_left_behind(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Contents and times of all files, a folder that cannot be written, and no copy stays."""
    temporary = tmp_path / "tmp"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    log = lines(tmp_path, "cup", "blue")
    before = fingerprint(folder)
    folder.chmod(0o555)
    try:
        assert audit(folder, log, "-k", 2).exit_code == 3
    finally:
        folder.chmod(0o755)
    assert fingerprint(folder) == before
    assert list(temporary.iterdir()) == []


def test_no_question_leaves_the_machine(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("a connection")

    for name in ("connect", "connect_ex", "sendto"):
        monkeypatch.setattr(socket.socket, name, refuse)
    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    assert audit(folder, lines(tmp_path, "cup"), "-k", 2).exit_code == 3


def test_a_sample_is_the_same_for_a_seed(folder: Path, tmp_path: Path) -> None:
    log = lines(tmp_path, *(f"cup {n}" for n in range(20)))
    runs = [
        json.loads(audit(folder, log, "-k", 1, "--sample", 5, "--seed", seed, "--json").stdout)
        for seed in (1, 1, 2)
    ]
    numbers = [sorted(example["before"]["number"] for example in run["examples"]) for run in runs]
    assert numbers[0] == numbers[1] != numbers[2]
    assert [run["sampled"] for run in runs] == [{"distinct": 5, "asked": 5}] * 3
    assert runs[0]["questions"] == {"distinct": 20, "asked": 20}


def test_hostile_questions_and_ids_stay_text(tmp_path: Path) -> None:
    """What would move a terminal's cursor or reading direction is not printed."""
    schema = fields.Schema(id=fields.ID(stored=True), title=fields.TEXT(stored=True))
    documents = [{"id": f"a\x1b[2J{n}\u202e", "title": "cup"} for n in range(3)]
    write(tmp_path / "a", schema, documents)
    done = audit(tmp_path / "a", lines(tmp_path, "cup \x1b[31m\u202e"), "-k", 1)
    assert done.exit_code == 3
    assert not {"\x1b", "\u202e"} & set(done.stdout)


def test_a_log_that_is_read_as_a_table(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_text("query,count\ncup,5\nblue,\ncup,2\n", "utf-8")
    found = json.loads(audit(folder, tmp_path / "log.csv", "-k", 2, "--json").stdout)
    assert found["stock"]["flips"] == {"distinct": 1, "asked": 7}
    assert found["answers"] == {"distinct": 2, "asked": 8}
    assert os.fspath(folder) == found["subject"]["path"]
