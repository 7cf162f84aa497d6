"""The sample's golden set: green, and every wrong implementation that applies is noticed."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result

from steadyrank.measure import Case
from steadyrank_builder.building import build
from steadyrank_builder.cli import main
from steadyrank_builder.proving import MUTATIONS
from steadyrank_builder.proving import prove as proved
from support_proving import Asks
from support_store import SAMPLE

pytestmark = [pytest.mark.whoosh, pytest.mark.slow]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder: Path = tmp_path_factory.mktemp("proved") / "store.idx"
    build([SAMPLE / "store"], folder)
    return folder


def prove(store: Path, golden: Path, *options: str) -> Result:
    return CliRunner().invoke(main, ["evaluate", str(store), str(golden), "--prove", *options])


@pytest.fixture(scope="module")
def proof(store: Path) -> dict[str, Any]:
    done = prove(store, SAMPLE / "golden.yaml", "--json")
    assert done.exit_code == 0, done.output
    content: dict[str, Any] = json.loads(done.stdout)
    return content


def cases() -> list[dict[str, Any]]:
    return list(yaml.safe_load((SAMPLE / "golden.yaml").read_text("utf-8"))["cases"])


def numbers(question: str, mode: str) -> list[int]:
    return [
        number
        for number, case in enumerate(cases(), start=1)
        if case["question"] == question and case.get("mode") == mode
    ]


def test_everything_that_applies_is_noticed(proof: dict[str, Any]) -> None:
    """All but the statistics, which no case pins."""
    assert (proof["outcome"], proof["failed"], proof["unnoticed"]) == ("passed", 0, [])
    assert {one["name"]: one["status"] for one in proof["mutations"]} == {
        "tie-break-reversed": "noticed",
        "fetch-without-tie-break": "noticed",
        "gap-times-10": "noticed",
        "gap-by-10": "noticed",
        "gap-exclusive": "noticed",
        "bands-chained": "noticed",
        "confidence-of-highest": "noticed",
        "statistics-live": "not-applicable",
    }


def test_cases_notice_what_they_were_made_for(proof: dict[str, Any]) -> None:
    """The outsider alone guards the gap, and the edge, the chain and the rest have their own."""
    noticed = {one["name"]: one["noticed_by"] for one in proof["mutations"]}
    outsider = numbers("hiking socks", "exact")
    assert noticed["gap-times-10"] == outsider
    assert noticed["gap-exclusive"] == numbers("tarn series", "contains")
    assert set(noticed["bands-chained"]) == {*outsider, *numbers("buying a gift", "excludes")}
    assert noticed["confidence-of-highest"] == numbers("my parcel is late", "rank-one")
    assert noticed["fetch-without-tie-break"] == numbers("trail mug", "exact")[-1:]
    assert set(outsider) < set(noticed["gap-by-10"])


def test_the_matrix_is_the_same_both_ways(proof: dict[str, Any]) -> None:
    """By mutation and by case."""
    by_case = {one["number"]: one["notices"] for one in proof["cases_notice"]}
    by_mutation = {one["name"]: one["noticed_by"] for one in proof["mutations"]}
    pairs = {(name, number) for name, found in by_mutation.items() for number in found}
    assert pairs == {(name, number) for number, found in by_case.items() for name in found}


def test_without_the_outsider_the_gap_is_unguarded(store: Path, tmp_path: Path) -> None:
    """Exit code 3; what was wrong, the kind of case that would notice, and one that does."""
    content = yaml.safe_load((SAMPLE / "golden.yaml").read_text("utf-8"))
    content["cases"] = [one for one in content["cases"] if one["question"] != "hiking socks"]
    golden = tmp_path / "golden.json"
    golden.write_text(json.dumps(content), "utf-8")
    done = prove(store, golden)
    assert done.exit_code == 3
    lines = done.stdout.splitlines()
    assert "gap-times-10: the gap is unguarded" in lines
    assert lines[-1] == "not proved: nothing noticed gap-times-10"
    said = " ".join(done.stdout.split())
    assert "a document whose id sorts early and whose score lies just outside the band" in said


def test_the_suggestion_closes_the_hole(store: Path) -> None:
    """Found on the index itself: taken over as it is, the case notices the mutation alone."""
    ask = Asks(store, SAMPLE / "golden.yaml")
    gap = [mutation for mutation in MUTATIONS if mutation.name == "gap-times-10"]
    others = tuple(one for one in ask.golden.cases if one.question != "hiking socks")
    golden = replace(ask.golden, cases=others)
    [tried] = proved(golden, ask, mutations=gap).mutations
    assert tried.suggestion is not None
    suggested = tried.suggestion.to_dict()["case"]
    case = Case(
        len(others) + 9,
        suggested["question"],
        suggested["mode"],
        tuple(suggested["expected"]),
        settings=suggested["settings"],
    )
    [mended] = proved(replace(golden, cases=(*others, case)), ask, mutations=gap).mutations
    assert (mended.status, mended.noticed_by) == ("noticed", (case.number,))
