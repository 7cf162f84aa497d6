"""A command that is killed leaves the old index or the new one, and nothing in the way."""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from support_builder import (
    ROOT,
    cli,
    environment,
    ids_of,
    litter,
    record,
    run_cli,
    write_records,
)

pytestmark = [pytest.mark.whoosh, pytest.mark.slow]


@pytest.mark.parametrize(
    "command", ["build-first", "build", "update", "rollback", "canonicalize", "compile"]
)
def test_killed_at_a_change_to_the_disk(tmp_path: Path, command: str) -> None:
    """At 30 and more renames, syncs, writes and deletions of each command, its last ten too."""
    done = subprocess.run(
        [
            sys.executable,
            str(ROOT / "tests" / "support_kill.py"),
            str(tmp_path / "place"),
            command,
            os.environ.get("STEADYRANK_KILLS", "30"),
        ],
        env=environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    outcome = json.loads(done.stdout)
    assert outcome["wrong"] == []
    # That both sides of the switch were hit is what gives the test its meaning.
    assert set(outcome["live"]) == {"none" if command == "build-first" else "old", "new"}
    assert outcome["kills"] >= (9 if command == "compile" else 30)


def test_killed_at_a_random_moment(tmp_path: Path) -> None:
    """The command itself, by the clock."""
    out = tmp_path / "out"
    old = write_records(tmp_path / "old.jsonl", [record("a"), record("b")])
    new = write_records(tmp_path / "new.jsonl", [record(f"n{number:03}") for number in range(200)])
    assert run_cli("build", old, "--out", out).returncode == 0
    started = time.monotonic()
    assert run_cli("build", new, "--out", tmp_path / "timed").returncode == 0
    whole = time.monotonic() - started
    for _ in range(4):
        process = subprocess.Popen(
            cli("build", new, "--out", out, "--max-lost", "100%"),
            env=environment(),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        time.sleep(random.uniform(0.3, 1.0) * whole)
        process.kill()
        process.wait()
        assert run_cli("verify", out).returncode == 0
        assert len(ids_of(out)) in (2, 200)
    assert run_cli("build", old, "--out", out, "--max-lost", "100%").returncode == 0
    generation = json.loads(run_cli("verify", out, "--json").stdout)["generation"]
    assert litter(out, [generation - 1, generation] if generation > 1 else [1]) == []
