"""Readers and other builds while an index is published."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from steadyrank_builder.building import BuildSettings, build
from support_builder import cli, environment, ids_of, litter, record, run_cli, write_records

pytestmark = pytest.mark.whoosh

# Opens the index over and over until it is told to stop; every document of a search must be of
# one generation, which its text names.
_READER = """
import sys
from pathlib import Path
from whoosh.index import open_dir
from whoosh.query import Term
folder, stop = sys.argv[1], Path(sys.argv[2])
seen = set()
print("ready", flush=True)
while not stop.exists():
    with open_dir(folder).searcher() as searcher:
        hits = searcher.search(Term("text", "mug"), limit=None)
        found = {hit["text"].split()[0] for hit in hits}
        assert len(hits) == 20, len(hits)
        assert len(found) == 1, found
        seen |= found
print(len(seen))
"""


# The same through a steady index, which maps the compiled file of each segment.
_STEADY_READER = """
import sys, warnings
from pathlib import Path
import steadyrank
from steadyrank.errors import SteadyRankWarning
warnings.simplefilter("error", SteadyRankWarning)
folder, stop = sys.argv[1], Path(sys.argv[2])
index = steadyrank.open_index(folder)
seen = set()
print("ready", flush=True)
while not stop.exists():
    with index.searcher() as searcher:
        ids, _ = steadyrank.search_ids(searcher, "mug", 30)
        found = {id_.partition("-")[0] for id_ in ids}
        assert len(ids) == 20, ids
        assert len(found) == 1, found
        seen |= found
print(len(seen))
"""


@pytest.mark.parametrize("reading", [_READER, _STEADY_READER], ids=["whoosh", "steady"])
def test_a_reader_never_fails_and_never_sees_a_mix(tmp_path: Path, reading: str) -> None:
    """During 20 rebuilds, opening the index anew for every search; and nothing is warned of."""
    out, stop = tmp_path / "out", tmp_path / "stop"

    def publish(number: int) -> None:
        records = [record(f"{number}-{each}", f"g{number} mug") for each in range(20)]
        build([write_records(tmp_path / "m.jsonl", records)], out, BuildSettings())

    publish(0)
    reader = subprocess.Popen(
        [sys.executable, "-c", reading, str(out), str(stop)],
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert reader.stdout is not None
    assert reader.stdout.readline() == "ready\n"
    for number in range(1, 21):
        publish(number)
    stop.touch()
    seen, errors = reader.communicate(timeout=30)
    assert reader.returncode == 0, errors
    assert int(seen) > 5  # it did look in between
    assert litter(out, [20, 21]) == []


@pytest.mark.parametrize("early", [True, False])
def test_a_searcher_outlives_its_generation(tmp_path: Path, early: bool) -> None:
    """Its segment and the compiled file of it are gone, whether it has used that by then or not."""
    import steadyrank
    from steadyrank_builder.history import rollback

    out, material = tmp_path / "out", tmp_path / "m.jsonl"

    def publish(number: int) -> None:
        build([write_records(material, [record(f"{number}-{each}") for each in range(9)])], out)

    def found(searcher: object) -> list[str]:
        ids, _ = steadyrank.search_ids(searcher, "mug", 5)
        return list(ids)

    publish(1)
    first = [f"1-{each}" for each in range(5)]
    with steadyrank.open_index(out).searcher() as searcher:
        assert not early or found(searcher) == first
        (compiled,) = out.glob("*.arrays")
        publish(2)
        assert compiled.exists()  # a rollback needs it
        publish(3)
        assert not compiled.exists()
        rollback(out)
        assert found(searcher) == first
    with steadyrank.open_index(out).searcher() as searcher:
        assert found(searcher) == [f"2-{each}" for each in range(5)]


def test_two_builds_at_once(tmp_path: Path) -> None:
    """One waits for the other, or gives up with exit code 4; both generations are whole."""
    out = tmp_path / "out"
    materials = [
        write_records(tmp_path / f"{name}.jsonl", [record(f"{name}{each}") for each in range(300)])
        for name in "ab"
    ]
    builds = [
        subprocess.Popen(
            cli(
                "build",
                material,
                "--out",
                out,
                "--json",
                "--lock-timeout",
                "60",
                "--max-lost",
                "100%",
            ),
            env=environment(),
            stdout=subprocess.PIPE,
            text=True,
        )
        for material in materials
    ]
    reports = [json.loads(process.communicate(timeout=60)[0]) for process in builds]
    assert [process.returncode for process in builds] == [0, 0]
    assert sorted(report["generation"] for report in reports) == [1, 2]
    assert len({id_[0] for id_ in ids_of(out)}) == 1
    assert litter(out, [1, 2]) == []


def test_a_build_that_will_not_wait_exits_with_4(tmp_path: Path) -> None:
    """And its message says who holds the lock and what to do."""
    from steadyrank_builder.publishing.locks import build_lock

    out = tmp_path / "out"
    material = write_records(tmp_path / "m.jsonl", [record("a")])
    with build_lock(out, 0):
        done = run_cli("build", material, "--out", out, "--lock-timeout", "0")
    assert done.returncode == 4
    assert done.stdout == ""
    assert "Another build holds" in done.stderr
    assert "--lock-timeout" in done.stderr
    assert "Traceback" not in done.stderr
