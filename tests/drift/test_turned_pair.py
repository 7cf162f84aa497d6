"""Two documents whose order other documents turn round, in an index: what diff says of it."""

from __future__ import annotations

import json
from math import log
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from steadyrank_builder.cli import main
from support_drift import BASE, BASE_GAP, FRESH, FRESH_GAP, turning, write_index

pytestmark = pytest.mark.whoosh


@pytest.fixture(scope="module")
def sides(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("turned")
    write_index(folder / "base", turning(BASE))
    write_index(folder / "fresh", turning(FRESH))
    (folder / "questions.txt").write_text("copper slate\n", encoding="utf-8")
    return folder


def diff(sides: Path, *options: str) -> tuple[int, str]:
    asked = ["--questions", str(sides / "questions.txt"), "-k", "2"]
    result = CliRunner().invoke(
        main, ["diff", str(sides / "base"), str(sides / "fresh"), *asked, *options]
    )
    return result.exit_code, result.output


def test_the_two_gaps_are_what_the_formula_gives_by_hand() -> None:
    assert pytest.approx(1.375 * log(52 / 49), abs=1e-9) == BASE_GAP
    assert pytest.approx(1.375 * log(53 / 66), abs=1e-9) == FRESH_GAP
    assert (f"{BASE_GAP:+.3f}", f"{FRESH_GAP:+.3f}") == ("+0.082", "-0.302")


def test_neither_document_changed_and_no_added_one_comes_near_them(sides: Path) -> None:
    base, fresh = turning(BASE), turning(FRESH)
    assert {id: fresh[id] for id in base} == base
    assert len(fresh) - len(base) == 18


def test_without_a_gap_it_is_a_score_reversal_with_both_gaps(sides: Path) -> None:
    code, printed = diff(sides, "--json")
    drift = json.loads(printed)
    question = drift["questions"][0]
    assert code == 3
    assert (drift["outcome"], question["changed"]) == ("drift", ["order", "first"])
    assert (question["base"]["entries"][0]["id"], question["fresh"]["entries"][0]["id"]) == (
        "a",
        "b",
    )
    for move, other in zip(question["moves"], "ab", strict=True):
        dominant = move["reasons"][0]
        assert (dominant["cause"], dominant["other"]) == ("score reversal", other)
        assert dominant["base"] == pytest.approx(BASE_GAP, abs=1e-8)
        assert dominant["fresh"] == pytest.approx(FRESH_GAP, abs=1e-8)
        assert dominant["text"].endswith("gap +0.082 -> -0.302")
        assert {reason["cause"] for reason in move["reasons"][1:]} == {"statistics"}
    assert [cause["cause"] for cause in question["causes"]] == ["statistics"]


def test_the_text_says_the_same_in_a_line(sides: Path) -> None:
    code, printed = diff(sides)
    lines = printed.splitlines()
    assert code == 3
    assert lines[0] == "1 of 1 questions drifted: 1 order, 1 with another first"
    told = [line for line in lines if line.startswith("   moved")]
    assert [line.split()[1] for line in told] == ["b", "a"]
    assert all("gap +0.082 -> -0.302; statistics" in line for line in told)


def test_with_a_gap_the_order_holds_and_the_headroom_is_said(sides: Path) -> None:
    code, printed = diff(sides, "--gap", "0.5", "--json")
    drift = json.loads(printed)
    question = drift["questions"][0]
    assert code == 0
    assert (drift["outcome"], question["changed"]) == ("none", [])
    assert [entry["id"] for entry in question["fresh"]["entries"]] == ["a", "b"]
    band = question["bands"][0]
    assert band["fresh"]["headroom"] == pytest.approx(0.5 + FRESH_GAP, abs=1e-8)
    assert f"{band['fresh']['headroom']:.3f}" == "0.198"
    assert (band["base"]["leader"], band["fresh"]["leader"]) == ("a", "b")
    nearest = question["nearest"]
    # The span went from 0.0817 to 0.3016: 0.2199 used, and 0.1984 left is 0.9 times that.
    assert nearest["text"] == (
        "the span moved +0.220 of 0.5; 0.198 is left, 0.9 times this movement"
    )
    assert drift["nearest"] == [1]
    assert "0.198 is left" in diff(sides, "--gap", "0.5")[1]


def test_with_pinned_statistics_every_score_is_the_same_to_the_bit(
    sides: Path, tmp_path: Path
) -> None:
    pinned = str(tmp_path / "pinned.json")
    assert CliRunner().invoke(main, ["pin", str(sides / "base"), "--out", pinned]).exit_code == 0
    code, printed = diff(sides, "--statistics", pinned, "--json")
    question: dict[str, Any] = json.loads(printed)["questions"][0]
    assert code == 0
    scores = [
        {entry["id"]: entry["score"].hex() for entry in question[side]["entries"]}
        for side in ("base", "fresh")
    ]
    assert scores[0] == scores[1]
    assert set(scores[0]) == {"a", "b"}
    assert (question["causes"], question["events"]) == ([], [])


def test_what_is_not_checked_is_no_drift_and_is_said(sides: Path) -> None:
    code, printed = diff(sides, "--check", "set")
    assert code == 0
    assert printed.splitlines()[0] == (
        "no drift: 0 of 1 questions drifted in set (not checked: 1 order)"
    )
