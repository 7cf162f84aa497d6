"""Logs of questions, and how often each was asked."""

from __future__ import annotations

from pathlib import Path

import pytest

from steadyrank_builder.runs import Asked, QuestionsError, read_log, read_questions


def log(tmp_path: Path, name: str, text: str) -> Path:
    (tmp_path / name).write_text(text, "utf-8")
    return tmp_path / name


@pytest.mark.parametrize(
    ("name", "text", "asked"),
    [
        ("a.txt", "red\n# no\n\nblue\nred\n", [(1, "red", 2), (2, "blue", 1)]),
        ("a.jsonl", '{"q": "red", "count": 3}\n"blue"\n"red"\n', [(1, "red", 4), (2, "blue", 1)]),
        ("a.json", '[{"text": "red", "frequency": 2}, "red"]', [(1, "red", 3)]),
        (
            "a.csv",
            'id,query,count\n1,"red, blue",2\n2,cup,\n',
            [(1, "red, blue", 2), (2, "cup", 1)],
        ),
        ("a.tsv", "question\tfrequency\nred\t7\n", [(1, "red", 7)]),
        ("a.csv", "question\nred\nred\n", [(1, "red", 2)]),
    ],
)
def test_equal_questions_are_one_with_a_count(
    tmp_path: Path, name: str, text: str, asked: list[tuple[int, str, int]]
) -> None:
    path = log(tmp_path, name, text)
    assert read_log(path) == [Asked(*one) for one in asked]
    assert read_questions(path) == [(number, question) for number, question, _ in asked]


@pytest.mark.parametrize(
    ("name", "text", "faults"),
    [
        ("a.csv", "words,n\nred,1\n", ["no column of its header (words, n) is a question"]),
        ("a.csv", "", ["no column of its header (none)"]),
        ("a.csv", "query,count\nred,zero\nblue,0\ncup,2\n", ["line 2: count", "line 3: count"]),
        ("a.jsonl", '{"q": "a", "count": true}\n{"q": "a", "count": 1.5}\n', ["line 1", "line 2"]),
        ("a.csv", "query\n", ["there is no question in it"]),
    ],
)
def test_all_that_is_wrong_is_said_at_once(
    tmp_path: Path, name: str, text: str, faults: list[str]
) -> None:
    with pytest.raises(QuestionsError) as raised:
        read_log(log(tmp_path, name, text))
    assert len(raised.value.faults) == len(faults)
    for fault, expected in zip(raised.value.faults, faults, strict=True):
        assert expected in fault
