"""steadyrank beside the engines that people would pick instead.

    python benchmarks/race.py --lists LISTS --work WORK --out OUT 60000
    python benchmarks/race.py --work WORK --out OUT ties
    python benchmarks/race.py --lists LISTS --work WORK --out OUT commits

Needs ``pip install tantivy bm25s`` beside steadyrank and a Whoosh; an engine whose library is
missing is left out. LISTS has apt's description lists (see race/corpus.py); without it a
generated catalogue is searched. A size above the number of packages has the lines of their
descriptions as documents. WORK keeps the indexes, so that another run need not build them.

Every index is written from the same documents, shuffled, of the same tokens. Each engine is in
a process of its own; they take turns, ten questions at a time, and what is timed, in processor
time of the asking thread, ends with the ids in the caller's hand. Garbage collection is
on. Answers and score bits of a sample are first compared with a plain evaluation of the words.

Writes OUT/WHAT.json, a table (.md) and for a size a plot (.svg), and prints the table. ``--parts``
measures only these anew and keeps the others of OUT/WHAT.json; ``--parts none`` only writes the
table and the plot again. Exits 2 where ids are wrong, else 1 where a bound is missed.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "plugin"), str(HERE.parent / "index_builder")]

from race import commits, serving  # noqa: E402
from race.asking import workers  # noqa: E402
from race.bounds import judged  # noqa: E402
from race.checking import wrong  # noqa: E402
from race.corpus import Doc, alike, corpus, questions  # noqa: E402
from race.indexes import available, build  # noqa: E402
from race.machine import machine  # noqa: E402
from race.question import Question, apart, mixed  # noqa: E402
from race.report import markdown, picture  # noqa: E402
from race.timing import hot, once_each  # noqa: E402

TIES, COMMITTED = 100_000, 30_000


@dataclass(frozen=True)
class Plan:
    """How much is asked. ``every``: slow engines are asked only every so many questions."""

    questions: int
    rounds: int
    shapes: int
    threaded: int
    every: dict[str, int]


def plan(size: int) -> Plan:
    """So much that a size takes some minutes."""
    if size <= 10_000:
        return Plan(200, 3, 24, 40, {"whoosh-sortedby": 4})
    if size <= 100_000:
        return Plan(200, 3, 16, 16, {"whoosh-sortedby": 10})
    return Plan(200, 2, 10, 8, {"whoosh-sortedby": 40, "whoosh": 3, "sqlite-fts5": 3, "bm25s": 2})


class Race:
    """One size: its documents, its indexes, and a method for each part."""

    def __init__(self, docs: list[Doc], folder: Path, names: dict[str, str], chosen: Plan) -> None:
        self.docs, self.folder, self.names, self.plan = docs, folder, names, chosen
        self.built = build(names, docs, folder)
        self.words = list(questions(docs, chosen.questions, 3))
        self.asked = [Question.of(words) for words in self.words]

    def checked(self) -> int:
        """How many questions were answered as the plain evaluation does, or the end of the run."""
        asked = [Question.of(w, o) for w in self.words[::20] for o in ("or", "and")]
        asked += [Question.of(w, k=k) for w in self.words[3::40] for k in (4, 100)]
        asked += [question for _, question in self._shapes(2)]
        steady = [name for name in self.names if name.startswith("steadyrank")]
        with workers(steady, self.folder) as engines:
            faults = list(wrong(engines, self.docs, asked))
        if faults:
            print("\n".join(["wrong answers:", *faults]), file=sys.stderr)
            sys.exit(2)
        return len(asked)

    def measure_hot(self) -> dict[str, Any]:
        found: dict[str, Any] = {"hot": {}, "first": {}}
        single = [Question.of([word]).to_json() for word in sorted(set().union(*self.words))]
        with workers(self.names, self.folder) as engines:
            for name, worker in engines.items():
                if name.startswith("steadyrank"):  # which keeps words that were searched
                    worker.do("many", questions=single)
            for operator, k in [(o, k) for k in (10, 4, 100) for o in ("or", "and")]:
                words = self.words if k == 10 else self.words[::4]
                asked = [Question.of(one, operator, k) for one in words]
                first, best = hot(engines, asked, self.plan.rounds, self.plan.every)
                title = f"{operator.upper()}, k = {k}"
                found["hot"][title] = best.seconds
                if k == 10:
                    found["first"][title] = first.seconds
        return found

    def measure_mixed(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        names = [n for n in self.names if n not in ("whoosh-sortedby", "steadyrank-array-gap")]
        shapes: dict[str, list[Question]] = {}
        for shape, question in self._shapes(self.plan.shapes):
            shapes.setdefault(shape, []).append(question)
        with workers(names, self.folder) as engines:
            for shape, asked in shapes.items():
                found[shape] = hot(engines, asked, self.plan.rounds)[1].seconds
        return {"mixed": found}

    def measure_cold(self) -> dict[str, Any]:
        names = [name for name in self.names if not name.endswith(("sortedby", "-gap"))]
        first, *rest = apart(self.words)
        with workers(names, self.folder) as engines:
            for worker in engines.values():
                worker.ask([Question.of(first)])
            asked = [Question.of(words) for words in rest]
            return {"cold": once_each(engines, asked, Question.of(first)).seconds}

    def measure_threads(self) -> dict[str, Any]:
        names = [n for n in self.names if n in ("whoosh", *_OURS) or n.startswith("tantivy")]
        asked = self.asked[: self.plan.threaded]
        return {"threads": serving.threads(names, self.folder, asked, (1, 8))}

    def measure_serving(self) -> dict[str, Any]:
        names = [name for name in self.names if not name.endswith(("sortedby", "-gap"))]
        starts = serving.starts(names, self.folder, self.asked[2], 5)
        return {"starts": starts, "memory": serving.memory(names, self.folder, self.asked)}

    def parts(self) -> dict[str, Callable[[], dict[str, Any]]]:
        return {
            "hot": self.measure_hot,
            "cold": self.measure_cold,
            "mixed": self.measure_mixed,
            "threads": self.measure_threads,
            "serving": self.measure_serving,
        }

    def _shapes(self, count: int) -> list[tuple[str, Question]]:
        found = list(mixed(self.docs, count, 7))
        kinds = sorted({doc.kind for doc in self.docs})
        for number, words in enumerate(self.words[1 :: len(self.words) // count][:count]):
            kind = kinds[number * 7 % len(kinds)]
            found.append(("words, of one kind", Question.of(words, kind=kind)))
            found.append(("words, two of each kind", Question.of(words, per_kind=2)))
        return found


_OURS = ("steadyrank-host", "steadyrank-array")


def sized_race(chosen: argparse.Namespace, size: int, names: dict[str, str]) -> dict[str, Any]:
    docs, what = corpus(chosen.lists, size)
    found = {
        "title": f"{len(docs):,} documents: {what}",
        "documents": len(docs),
        "machine": machine(),
    }
    race = Race(docs, chosen.work / str(size), names, plan(size))
    found["built"] = race.built
    parts = race.parts()
    wanted = chosen.parts or list(parts)
    if wanted != ["none"]:
        found["checked"] = race.checked()
    for part, measure in parts.items():
        if part in wanted:
            print(f"measuring {part}", file=sys.stderr, flush=True)
            found.update(measure())
    return found


def tied_race(chosen: argparse.Namespace, names: dict[str, str]) -> dict[str, Any]:
    docs = alike(TIES)
    folder = chosen.work / "ties"
    build(names, docs, folder)
    right = [f"p{number:07}" for number in range(10)]
    found: dict[str, Any] = {"title": f"{TIES:,} documents of one score", "machine": machine()}
    found["ties"] = {}
    with workers([name for name in names if not name.endswith("-gap")], folder) as engines:
        for what, words in (("one word", ["cup"]), ("two words", ["blue", "cup"])):
            for name in _OURS:
                if engines[name].ids(Question.of(words)) != right:
                    print(f"wrong answers: {name}, {what}", file=sys.stderr)
                    sys.exit(2)
            found["ties"][what] = hot(engines, [Question.of(words)] * 5, 3)[1].seconds
    return found


def committed_race(chosen: argparse.Namespace, names: dict[str, str]) -> dict[str, Any]:
    docs, what = corpus(chosen.lists, COMMITTED)
    folder = chosen.work / str(COMMITTED)
    build(names, docs, folder)
    asked = [Question.of(words) for words in questions(docs, 60, 3)]
    short = [question for question in asked if len(question.words()) <= 4]
    scratch = chosen.work / "scratch"
    return {
        "title": f"{len(docs):,} documents that change: {what}",
        "machine": machine(),
        "commits": commits.after_commit(folder, docs, short, 8, scratch),
        "writer": {"refresh and question": commits.beside_writer(folder, asked, scratch)},
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", help="a number of documents, or ties, or commits")
    parser.add_argument("--lists", type=Path, help="folder with apt's description lists")
    parser.add_argument("--work", type=Path, required=True, help="keeps the indexes")
    parser.add_argument("--out", type=Path, required=True, help="gets results, tables and plots")
    parser.add_argument("--parts", type=lambda text: text.split(","), help="hot, cold, mixed, ...")
    chosen = parser.parse_args()
    names = available()
    chosen.out.mkdir(parents=True, exist_ok=True)
    path = chosen.out / f"{chosen.what}.json"
    kept = json.loads(path.read_text("utf-8")) if chosen.parts and path.exists() else {}
    if chosen.what == "ties":
        found = tied_race(chosen, names)
    elif chosen.what == "commits":
        found = committed_race(chosen, names)
    else:
        found = sized_race(chosen, int(chosen.what), names)
    found = {**kept, **found}
    path.write_text(json.dumps(found), "utf-8")
    written = "\n".join(markdown(found, names))
    path.with_suffix(".md").write_text(written, "utf-8")
    if "hot" in found:
        path.with_suffix(".svg").write_text(picture(found, names), "utf-8")
    print(written)
    return 0 if all(row.held for row in judged(found)) else 1


if __name__ == "__main__":
    sys.exit(main())
