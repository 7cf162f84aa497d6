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
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "plugin"), str(HERE.parent / "index_builder")]

from race import commits, serving  # noqa: E402
from race.asking import PYTHONS, workers  # noqa: E402
from race.bounds import judged  # noqa: E402
from race.checking import wrong  # noqa: E402
from race.corpus import Doc, alike, corpus, questions  # noqa: E402
from race.engines import ELSEWHERE  # noqa: E402
from race.indexes import available, build  # noqa: E402
from race.machine import machine  # noqa: E402
from race.publishing import publish  # noqa: E402
from race.question import Question, apart, mixed  # noqa: E402
from race.report import markdown, picture  # noqa: E402
from race.timing import Times, hot, once_each  # noqa: E402

SIZES = ("2000", "10000", "30000", "60000", "500000")
WHAT = (*SIZES, "ties", "commits")
TIES, COMMITTED = (1_000, 10_000, 100_000), 30_000

# At this size only what its bounds are about.
_ONLY = {"30000": ["hot"]}


@dataclass(frozen=True)
class Plan:
    """How much is asked. ``every``: slow engines are asked only every so many questions.

    ``shapes``: questions of each mixed shape; ``fresh``: how often new processes are asked what
    they never saw; ``served``: questions before memory is measured.
    """

    questions: int
    rounds: int
    shapes: int
    threaded: int
    fresh: int
    served: int
    every: dict[str, int]

    def quick(self) -> Plan:
        """A fraction of it, to see that everything runs."""
        every = {name: 2 * step for name, step in self.every.items()}
        return Plan(32, 1, 2, 4, 1, 8, every)


def plan(size: int) -> Plan:
    """So much that a size takes some minutes."""
    if size <= 10_000:
        others = {"whoosh-reloaded": 2, "whoosh3": 2, "whoosh-sortedby": 4}
        return Plan(200, 3, 24, 40, 3, 200, others)
    if size <= 100_000:
        others = {"whoosh-reloaded": 5, "whoosh3": 5, "whoosh-sortedby": 20, "sqlite-fts5": 2}
        return Plan(200, 2, 12, 16, 3, 100, others)
    every = {"whoosh-reloaded": 20, "whoosh3": 20, "whoosh-sortedby": 50}
    return Plan(200, 2, 6, 8, 2, 24, {**every, "whoosh": 3, "sqlite-fts5": 5, "bm25s": 2})


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
                words = self.words if k == 10 else self.words[::3]
                asked = [Question.of(one, operator, k) for one in words]
                first, best = hot(engines, asked, self.plan.rounds, self.plan.every)
                title = f"{operator.upper()}, k = {k}"
                found["hot"][title] = best.seconds
                if k == 10:
                    found["first"][title] = first.seconds
        return found

    def measure_mixed(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        left_out = ("whoosh-sortedby", *ELSEWHERE, "steadyrank-array-gap")
        names = [n for n in self.names if n not in left_out and not n.endswith("compiled")]
        shapes: dict[str, list[Question]] = {}
        for shape, question in self._shapes(self.plan.shapes):
            shapes.setdefault(shape, []).append(question)
        with workers(names, self.folder) as engines:
            for shape, asked in shapes.items():
                found[shape] = hot(engines, asked, self.plan.rounds)[1].seconds
        return {"mixed": found}

    def measure_cold(self) -> dict[str, Any]:
        first, *rest = apart(self.words)
        asked = [Question.of(words) for words in rest]
        best: Times | None = None
        for _ in range(self.plan.fresh):
            with workers(self._plain(), self.folder) as engines:
                for worker in engines.values():
                    worker.ask([Question.of(first)])
                times = once_each(engines, asked, Question.of(first))
                best = times if best is None else best.lesser(times)
        return {"cold": best.seconds if best else {}}

    def measure_threads(self) -> dict[str, Any]:
        names = [n for n in self.names if n in ("whoosh", *_OURS) or n.startswith("tantivy")]
        asked = self.asked[: self.plan.threaded]
        return {"threads": serving.threads(names, self.folder, asked, (1, 8))}

    def measure_serving(self) -> dict[str, Any]:
        names = self._plain()
        return {
            "imports": serving.imports(7),
            "starts": serving.starts(names, self.folder, self.asked[2], 5),
            "memory": serving.memory(names, self.folder, self.asked[: self.plan.served]),
        }

    def _plain(self) -> list[str]:
        # Each engine once, as one would serve with it.
        left_out = ("sortedby", "-gap", *ELSEWHERE)
        return [name for name in self.names if not name.endswith(left_out)]

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


Results = dict[str, Any]
_OURS = ("steadyrank-host", "steadyrank-array")


def sized_race(chosen: argparse.Namespace, what: str, names: dict[str, str]) -> Iterator[Results]:
    docs, kind = corpus(chosen.lists, int(what))
    found: Results = {
        "title": f"{len(docs):,} documents: {kind}",
        "documents": len(docs),
        "machine": machine(),
    }
    planned = plan(int(what))
    race = Race(docs, chosen.work / what, names, planned.quick() if chosen.quick else planned)
    found["built"] = race.built
    parts = race.parts()
    wanted = chosen.parts or _ONLY.get(what, list(parts))
    if wanted != ["none"]:
        found["checked"] = race.checked()
    yield found
    for part, measure in parts.items():
        if part in wanted:
            print(f"measuring {part}, {what}", file=sys.stderr, flush=True)
            yield measure()


def tied_race(chosen: argparse.Namespace, names: dict[str, str]) -> Iterator[Results]:
    found: Results = {
        "title": f"{TIES[-1]:,} documents of one score",
        "machine": machine(),
        "ties": {},
    }
    right = [f"p{number:07}" for number in range(10)]
    asked = {"one word": Question.of(["cup"]), "two words": Question.of(["blue", "cup"])}
    for count in TIES:
        folder = chosen.work / ("ties" if count == TIES[-1] else f"ties-{count}")
        build(names, alike(count), folder)
        with workers(names, folder) as engines:
            for what, question in asked.items():
                for name in engines:
                    if name.startswith("steadyrank") and engines[name].ids(question) != right:
                        print(f"wrong answers: {name}, {what}", file=sys.stderr)
                        sys.exit(2)
                slow = {"whoosh-sortedby": 5, **dict.fromkeys(ELSEWHERE, 3)}
                best = hot(engines, [question] * 5, 1 if chosen.quick else 3, slow)[1]
                found["ties"][f"{what}, {count:,}"] = best.seconds
    yield found


def committed_race(chosen: argparse.Namespace, names: dict[str, str]) -> Iterator[Results]:
    docs, what = corpus(chosen.lists, COMMITTED)
    folder = chosen.work / str(COMMITTED)
    build(names, docs, folder)
    asked = [Question.of(words) for words in questions(docs, 60, 3)]
    short = [question for question in asked if len(question.words()) <= 4]
    scratch = chosen.work / "scratch"
    yield {"title": f"{len(docs):,} documents that change: {what}", "machine": machine()}
    turns = 2 if chosen.quick else 8
    yield {"commits": commits.after_commit(folder, docs, short, turns, scratch)}
    yield {"writer": {"refresh and question": commits.beside_writer(folder, asked, scratch)}}


def run(chosen: argparse.Namespace, what: str, names: dict[str, str]) -> Results:
    """Measures one of ``WHAT``, and writes its results each time that a part is done."""
    path = chosen.out / f"{what}.json"
    found: Results = json.loads(path.read_text("utf-8")) if chosen.parts and path.exists() else {}
    if what == "ties":
        steps = tied_race(chosen, names)
    elif what == "commits":
        steps = committed_race(chosen, names)
    else:
        steps = sized_race(chosen, what, names)
    for step in steps:
        found.update(step)
        path.write_text(json.dumps(found), "utf-8")
    written = "\n".join(markdown(found, names))
    path.with_suffix(".md").write_text(written, "utf-8")
    if "hot" in found:
        path.with_suffix(".svg").write_text(picture(found, names), "utf-8")
    print(written, flush=True)
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("what", nargs="*", help="numbers of documents, ties, commits; else all")
    parser.add_argument("--lists", type=Path, help="folder with apt's description lists")
    parser.add_argument("--work", type=Path, required=True, help="keeps the indexes")
    parser.add_argument("--out", type=Path, required=True, help="gets results, tables and plots")
    parser.add_argument("--parts", type=lambda text: text.split(","), help="hot, cold, mixed, ...")
    parser.add_argument("--quick", action="store_true", help="few questions: does it all run")
    parser.add_argument(
        "--python",
        action="append",
        default=[],
        metavar="DISTRIBUTION=PATH",
        help="a Python that has whoosh-reloaded or whoosh3 instead of Whoosh",
    )
    parser.add_argument("--publish", action="store_true", help="writes the pages anew, from --out")
    chosen = parser.parse_args()
    PYTHONS.update(pair.split("=", 1) for pair in chosen.python)
    names = available()
    chosen.out.mkdir(parents=True, exist_ok=True)
    results = {what: run(chosen, what, names) for what in chosen.what or WHAT}
    if chosen.publish:
        publish(chosen.out, names, HERE.parent)
    missed = [
        f"{what}: {row.what}: wanted {row.wanted}, measured {row.measured:.2f}"
        for what, found in results.items()
        for row in judged(found)
        if not row.held
    ]
    print("\n".join(["missed bounds:", *missed]) if missed else "every bound is held")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
