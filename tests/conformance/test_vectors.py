"""The vectors of this folder: by the plain reference, by the engine, on a lesser processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytestmark = pytest.mark.whoosh

FOLDER = Path(__file__).parent
VECTORS = sorted(FOLDER.glob("*.json"))


def _module(name: str) -> Any:
    spec = spec_from_file_location(f"conformance_{name}", FOLDER / f"{name}.py")
    assert spec and spec.loader
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


reference, engine = _module("reference"), _module("engine")


def _read(path: Path) -> dict[str, Any]:
    return dict(json.loads(path.read_text("utf-8")))


def test_there_are_vectors_of_every_topic() -> None:
    assert len(VECTORS) >= 11
    assert sum(len(_read(path)["cases"]) for path in VECTORS) >= 35


@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_the_reference_gives_the_recorded_bits(path: Path) -> None:
    """A hundred lines of plain Python, from postings and statistics alone."""
    vector = _read(path)
    assert reference.answers(vector) == [case["expected"] for case in vector["cases"]]


@pytest.mark.parametrize("segments", [1, 3])
@pytest.mark.parametrize("path", VECTORS, ids=lambda path: path.stem)
def test_the_engine_gives_the_recorded_bits(path: Path, segments: int, tmp_path: Path) -> None:
    """The same documents in a real index have the vector's postings, and its rankings."""
    vector = _read(path)
    ix = engine.written(str(tmp_path), vector, segments)
    assert engine.postings_of(ix, vector) == vector["fields"]
    assert list(engine.answers(ix, vector)) == [case["expected"] for case in vector["cases"]]


def test_the_files_are_what_the_generator_writes() -> None:
    """Nobody edited an expected ranking by hand."""
    run = _run(["generate.py", "--check"], {})
    assert (run.returncode, run.stdout.strip()) == (0, "as generated"), run.stderr


@pytest.mark.parametrize(
    ("vector", "case", "expected"),
    [
        ("terms", "in no document", []),
        ("terms", "every document", 7 * [1.0]),
        ("boolean", "a constant", 2 * [round(0.7 * 2**32) / 2**32]),
    ],
)
def test_some_scores_are_known_by_hand(vector: str, case: str, expected: list[float]) -> None:
    cases = {one["about"]: one for one in _read(FOLDER / f"{vector}.json")["cases"]}
    assert [float.fromhex(score) for _, score in cases[case]["expected"]] == expected


def test_a_leaf_worked_out_by_hand() -> None:
    """The word lamp in 3 of 7 documents, 31 tokens: ln(7/4) + 1 = 1.559615788; the norm is
    1.2 x (0.25 + 0.75 x 7/31) = 0.503225806; 1.559615788 x 2.2 / 1.503225806 = 2.282527825.
    """
    cases = {one["about"]: one for one in _read(FOLDER / "terms.json")["cases"]}
    scores = {id: float.fromhex(score) for id, score in cases["in three documents"]["expected"]}
    assert scores["euro"] == pytest.approx(2.282527825, abs=2e-9)
    assert (scores["euro"] * 2**32).is_integer()


def _run(command: list[str], environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    ours = [path for path in sys.path if Path(path, "steadyrank", "analysis").is_dir()]
    return subprocess.run(
        [sys.executable, "-W", "ignore", str(FOLDER / command[0]), *command[1:]],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(ours), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def _dispatched() -> list[str]:
    """The processor features that numpy chose its loops by, and that it can do without."""
    core = getattr(np, "_core", None) or np.core
    module = core._multiarray_umath
    enabled = module.__cpu_features__
    return [name for name in module.__cpu_dispatch__ if enabled.get(name)]


_LOGS = """
import hashlib, math, sys
logs = [math.log(1 + number / 977).hex() for number in range(200_000)]
print(hashlib.sha256(repr(logs).encode()).hexdigest())
"""


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="tunables of the GNU C library")
def test_a_processor_without_fma_and_avx2_gives_the_same_bits(tmp_path: Path) -> None:
    """With both masked, math.log gives other bits, and the engine and reference do not."""
    masks = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F"}
    if _dispatched():
        masks["NPY_DISABLE_CPU_FEATURES"] = " ".join(_dispatched())
    paths = [str(path) for path in VECTORS]
    for script in ("engine.py", "reference.py"):
        run = _run([script, *paths], masks)
        assert run.returncode == 0, run.stdout + run.stderr
    (tmp_path / "logs.py").write_text(_LOGS)
    plain, masked = (
        subprocess.run(
            [sys.executable, str(tmp_path / "logs.py")],
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for environment in ({}, masks)
    )
    if plain == masked:
        pytest.skip("passed, but this machine's math.log does not notice the mask")
