"""One digest under every hash seed, and with every interpreter and Whoosh distribution."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.whoosh

PROOF = Path(__file__).resolve().parents[2] / "tools" / "layout_proof.py"

# Interpreters with other distributions or of other versions, joined like PATH.
OTHERS = [path for path in os.environ.get("STEADYRANK_OTHER_PYTHONS", "").split(os.pathsep) if path]
LAYOUTS = ("one segment shuffled", "seven segments with deletions", "updates optimized")


def _proof() -> Any:
    spec = spec_from_file_location("layout_proof", PROOF)
    assert spec and spec.loader
    module = module_from_spec(spec)
    sys.modules["layout_proof"] = module  # dataclasses look their module up
    spec.loader.exec_module(module)
    return module


def _answers(runs: list[tuple[str, str]]) -> list[dict[str, Any]]:
    proof = _proof()
    matrix = proof.Matrix(documents=60, questions=93, layouts=LAYOUTS)
    with ThreadPoolExecutor(2) as pool:
        return list(pool.map(lambda run: proof.ask(*run, matrix), runs))


def test_the_hash_seed_changes_nothing() -> None:
    """Rankings and score bits are the same in processes with other hash seeds."""
    answers = _answers([(sys.executable, seed) for seed in ("0", "1", "4242")])
    assert len({digest for answer in answers for digest in answer["digests"].values()}) == 1
    assert all(set(answer["digests"]) == set(LAYOUTS) for answer in answers)
    assert all(max(answer["stock"].values()) > 20 for answer in answers)


@pytest.mark.skipif(not OTHERS, reason="STEADYRANK_OTHER_PYTHONS names no interpreter")
def test_other_pythons_and_distributions_give_the_same_digest() -> None:
    """Rankings and score bits are the same with every interpreter that is named."""
    answers = _answers([(python, "7") for python in [sys.executable, *OTHERS]])
    assert len({digest for answer in answers for digest in answer["digests"].values()}) == 1
