"""What other programs read: JUnit XML, TREC runs, runs kept for later."""

from __future__ import annotations

import json
import random
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from steadyrank.measure import Entry, Origin, Ranking, Run, evaluated, golden_of, no_verdict
from steadyrank_builder.evaluation import TrecError, junit_xml, write_trec
from steadyrank_builder.runs import write_whole
from support_measure import run_of_answers

CASES = [
    {"question": "one", "mode": "exact", "expected": ["a"]},
    {"question": "two", "mode": "exact", "expected": ["b"]},
    {"question": "three", "right": ["b"]},
    {"question": "four", "right": ["z"]},
]


def suite(xml: str) -> ElementTree.Element:
    root = ElementTree.fromstring(xml)
    assert root.tag == "testsuites"
    (found,) = root
    for counted in (root, found):
        assert counted.get("tests") == str(len(found.findall("testcase")))
        assert counted.get("failures") == str(len(found.findall("testcase/failure")))
        assert counted.get("errors") == str(len(found.findall("testcase/error")))
    return found


def names(found: ElementTree.Element, inside: str) -> list[str | None]:
    return [test.get("name") for test in found if test.find(inside) is not None]


def test_junit_has_a_test_for_each_verdict() -> None:
    """Cases with a mode and thresholds; cases that are only measured are no tests."""
    golden = golden_of({"thresholds": {"success": 0.5, "success_at_1": 0.6}, "cases": CASES})
    run = run_of_answers(golden, dict.fromkeys((1, 2, 3, 4), ("a", "b")))
    found = suite(junit_xml(evaluated(golden, run), "g.yaml"))
    assert [test.get("name") for test in found] == [
        "1. one",
        "2. two",
        "threshold success",
        "threshold success_at_1",
    ]
    assert names(found, "failure") == ["2. two", "threshold success_at_1"]
    failure = found.findall("testcase/failure")[0]
    assert failure.get("message") == "at rank 1 stands a, not b"
    assert "moved     b 1 -> 2" in str(failure.text)


def test_junit_says_that_there_is_no_verdict() -> None:
    """As an error, also where there are no cases at all: nobody can take it for passed."""
    assert names(suite(junit_xml(no_verdict("no index"), "g")), "error") == ["verdict"]
    golden = golden_of(CASES[:1])
    gone = evaluated(golden, run_of_answers(golden, {1: ("a",)}), ["a"])
    found = suite(junit_xml(gone, "g"))
    assert names(found, "error") == ["verdict"]
    assert "unknown id: a" in str(found.findall("testcase/error")[0].text)


@given(st.text(st.characters()).filter(str.strip), st.text(st.characters(), min_size=1))
def test_junit_is_xml_whatever_the_texts(question: str, id: str) -> None:
    """Control characters and lone surrogates go, what XML has a meaning for is escaped."""
    golden = golden_of([{"question": question, "mode": "exact", "expected": [id]}])
    run = run_of_answers(golden, {1: ("other" + id,)})
    xml = junit_xml(evaluated(golden, run), "<&\"'>")
    (test,) = suite(xml)
    kept = "".join(char for char in question if char in "\t\n\r" or char >= "\x20")
    kept = "".join(char for char in kept if not "\ud800" <= char <= "\udfff")
    kept = kept.replace("\ufffe", "").replace("\uffff", "")
    assert test.get("name") == f"1. {kept}"
    xml.encode("utf-8")


def tied_run() -> Run:
    """Ties in every form: equal scores, a band by id, scores that single precision merges."""
    rankings = [
        Ranking(1, "q", 4, tuple(Entry(id, 2.0, id) for id in "abcd")),
        Ranking(2, "r", 3, (Entry("a", 1.0, "a"), Entry("b", 1.4, "b"), Entry("c", 1.2, "c"))),
        Ranking(3, "s", 2, (Entry("b", 1.0 + 2**-32, "b"), Entry("a", 1.0, "a"))),
        Ranking(4, "nothing", 4, ()),
        Ranking(10, "late", 1, (Entry("z", 0.0, "z"),)),
    ]
    return Run(Origin(), tuple(rankings))


def test_trec_lines(tmp_path: Path) -> None:
    """By hand; the raw scores stand beside, to the bit, and so do questions without a result."""
    beside = write_trec(tied_run(), tmp_path / "x.run")
    assert (tmp_path / "x.run").read_text("utf-8").splitlines()[4:] == [
        "2 Q0 a 1 3 steadyrank",
        "2 Q0 b 2 2 steadyrank",
        "2 Q0 c 3 1 steadyrank",
        "3 Q0 b 1 2 steadyrank",
        "3 Q0 a 2 1 steadyrank",
        "10 Q0 z 1 1 steadyrank",
    ]
    assert beside == tmp_path / "x.run.jsonl"
    rows = [json.loads(line) for line in beside.read_text("utf-8").splitlines()]
    assert [row["score"] for row in rows if row["query"] == 3] == [1.0 + 2**-32, 1.0]
    assert [(row["question"], row["id"]) for row in rows if row["query"] == 4] == [
        ("nothing", None)
    ]
    assert len(rows) == 11


def evaluator_order(run: str, query: str) -> list[str]:
    """As trec_eval sorts: by score in single precision, ties by id descending."""
    import struct

    lines = [line.split() for line in run.splitlines()]
    single = [
        (struct.unpack("f", struct.pack("f", float(score)))[0], id)
        for number, _, id, _, score, _ in lines
        if number == query
    ]
    return [id for _, id in sorted(single, reverse=True)]


def test_evaluators_order_a_trec_run_as_we_do(tmp_path: Path) -> None:
    """A thousand ties, lines shuffled: by trec_eval's rule, which would turn the raw scores."""
    ids = [f"d{number:04}" for number in range(1000)]
    big = Ranking(7, "big", 1000, tuple(Entry(id, 3.0, id) for id in ids))
    run = Run(Origin(), (*tied_run().rankings, big))
    write_trec(run, tmp_path / "x.run")
    lines = (tmp_path / "x.run").read_text("utf-8").splitlines()
    random.Random(1).shuffle(lines)
    for ranking in run.rankings:
        order = evaluator_order("\n".join(lines), str(ranking.number))
        assert order == list(ranking.ids)
    raw = "\n".join(f"7 Q0 {entry.id} 1 {entry.score} x" for entry in big.entries)
    assert evaluator_order(raw, "7") == ids[::-1]


@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_an_evaluator_measures_what_we_ranked(tmp_path: Path) -> None:
    """The reciprocal rank of each id is one over our rank, as trec_eval and others compute it."""
    ir_measures = pytest.importorskip("ir_measures")
    write_trec(tied_run(), tmp_path / "x.run")
    run = list(ir_measures.read_trec_run(str(tmp_path / "x.run")))
    for ranking in tied_run().rankings:
        for rank, id in enumerate(ranking.ids, start=1):
            qrels = [ir_measures.Qrel(str(ranking.number), id, 1)]
            (found,) = ir_measures.iter_calc([ir_measures.RR], qrels, run)
            assert found.value == pytest.approx(1 / rank)


def test_ids_that_a_trec_run_cannot_carry_are_named(tmp_path: Path) -> None:
    """White space of any kind; nothing is written."""
    run = Run(Origin(), (Ranking(1, "q", 1, (Entry("a\N{NO-BREAK SPACE}b", 1.0, "a"),)),))
    with pytest.raises(TrecError, match="white space") as caught:
        write_trec(run, tmp_path / "x.run")
    assert caught.value.ids == ("a\N{NO-BREAK SPACE}b",)
    assert list(tmp_path.iterdir()) == []


def test_a_file_is_whole_or_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A failure while it is written leaves the old content, and no draft."""
    path = tmp_path / "x"
    write_whole(path, "old")
    monkeypatch.setattr(Path, "replace", lambda *_: (_ for _ in ()).throw(OSError("full")))
    with pytest.raises(OSError, match="full"):
        write_whole(path, "new")
    assert path.read_text("utf-8") == "old"
    assert list(tmp_path.iterdir()) == [path]
