"""Same documents, same bytes: the whole matrix of the claim, on interpreters that you name.

    python tools/layout_proof.py PYTHON [PYTHON ...]

Each interpreter (another Whoosh distribution, another Python) writes one set of documents in
every layout under several hash seeds and asks hundreds of questions, with live and with pinned
statistics, with a gap and without. One digest over ids and score bits must come out. Prints a
table; exits 1 on any difference, 2 where an interpreter could not be asked.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SEEDS = ("0", "1", "4242")
POLICIES: tuple[tuple[str, float], ...] = (
    ("live", 0.0),
    ("live", 0.5),
    ("pinned", 0.0),
    ("pinned", 0.5),
)


@dataclass(frozen=True)
class Matrix:
    """How much is asked: documents, questions, and the names of layouts (none: all)."""

    documents: int
    questions: int
    layouts: tuple[str, ...] = ()


def digests(matrix: Matrix) -> dict[str, Any]:
    """What this interpreter gets: for each layout one digest, and where stock differs."""
    from whoosh import versionstring

    import support_machine as machine
    from steadyrank import Statistics
    from support_asked import PLAIN, asked
    from support_layouts import corpus

    records = corpus(5, matrix.documents)
    queries = asked(matrix.questions)
    plain = asked(60, 2, PLAIN)
    found: dict[str, str] = {}
    stock: dict[str, Any] = {}
    first = None
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder, "other")
        other.mkdir()
        ix = machine.LAYOUTS["five segments"](other, corpus(6, 90))
        pinned = Statistics.pin(ix)
        for number, (name, write) in enumerate(_chosen(machine.LAYOUTS, matrix.layouts)):
            place = Path(folder, str(number))
            place.mkdir()
            ix = write(place, records)
            rankings = [
                machine.rankings(
                    ix, queries, gap=gap, statistics=pinned if kind == "pinned" else kind
                )
                for kind, gap in POLICIES
            ]
            found[name] = machine.digest([ranking for each in rankings for ranking in each])
            if hasattr(ix, "writer"):
                answers = machine.stock_rankings(ix, plain)
                first = answers if first is None else first
                stock[name] = sum(a != b for a, b in zip(first, answers, strict=True))
            else:
                stock[name] = None  # stock answers no scored search over disk and memory
                ix.close()
    return {
        "python": sys.version.split()[0],
        "whoosh": versionstring(),
        "digests": found,
        "stock": stock,
        "pinned": pinned.digest,
    }


def _chosen(layouts: Any, names: Sequence[str]) -> Iterator[tuple[str, Any]]:
    for name, write in layouts.items():
        if not names or name in names:
            yield name, write


def ask(python: str, seed: str, matrix: Matrix) -> dict[str, Any]:
    """The digests of another interpreter under a hash seed."""
    paths = [str(ROOT / name) for name in ("plugin", "index_builder", "tests")]
    with tempfile.TemporaryDirectory() as own:  # Whoosh's RamStorage shares a file name in it
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(paths),
            "PYTHONHASHSEED": seed,
            "TMPDIR": own,
        }
        command = [python, "-W", "ignore", str(Path(__file__).resolve()), "--worker", "-"]
        answer = subprocess.run(
            command,
            input=json.dumps(matrix.__dict__),
            env=environment,
            capture_output=True,
            text=True,
            check=False,
        )
    if answer.returncode:
        raise RuntimeError(f"{python}: {answer.stderr.strip()[-2000:]}")
    return dict(json.loads(answer.stdout.splitlines()[-1]))


def prove(pythons: Sequence[str], seeds: Sequence[str], matrix: Matrix, jobs: int) -> int:
    """Runs the matrix, prints a table; the number of digests that occur."""
    runs = [(python, seed) for python in pythons for seed in seeds]
    with ThreadPoolExecutor(jobs) as pool:
        answers = list(pool.map(lambda run: ask(*run, matrix), runs))
    print(f"{'python':8} {'whoosh':8} {'seed':>5}  {'layout':42} {'digest':12} stock differs")
    seen = set()
    for (_, seed), answer in zip(runs, answers, strict=True):
        for layout, digest in answer["digests"].items():
            differs = answer["stock"][layout]
            shown = "cannot be asked" if differs is None else f"{differs} of 60"
            row = f"{answer['python']:8} {answer['whoosh']:8} {seed:>5}  {layout:42}"
            print(f"{row} {digest[:12]} {shown}")
            seen.add(digest)
    layouts = len(answers[0]["digests"])
    print(
        f"{matrix.questions} questions x {len(POLICIES)} policies x {layouts} layouts x "
        f"{len(pythons)} interpreters x {len(seeds)} hash seeds: {len(seen)} digest(s)"
    )
    return len(seen)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("pythons", nargs="+", help="interpreters that have numpy and a Whoosh")
    parser.add_argument("--documents", type=int, default=160)
    parser.add_argument("--questions", type=int, default=310)
    parser.add_argument("--seeds", nargs="+", default=list(SEEDS))
    parser.add_argument("--layouts", nargs="*", default=[], help="names; all without")
    parser.add_argument("--jobs", type=int, default=2, help="interpreters that run at a time")
    chosen = parser.parse_args()
    matrix = Matrix(chosen.documents, chosen.questions, tuple(chosen.layouts))
    try:
        return 0 if prove(chosen.pythons, chosen.seeds, matrix, chosen.jobs) == 1 else 1
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2


if __name__ == "__main__":
    if sys.argv[1:2] == ["--worker"]:
        given = json.load(sys.stdin)
        print(json.dumps(digests(Matrix(**given))))
    else:
        sys.exit(main())
