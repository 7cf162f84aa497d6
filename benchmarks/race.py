"""steadyrank beside the engines that people would pick instead, in one interleaved run.

    python benchmarks/race.py --lists FOLDER [--sizes 2000,10000,60000] [--questions 200]

Needs ``pip install tantivy bm25s`` beside steadyrank and a Whoosh; an engine whose library is
missing is left out. FOLDER has apt's description lists (see race/corpus.py); without it a
generated catalogue is searched. A size above the number of packages searches the lines of the
descriptions as documents.

Every index is written from the same shuffled documents of the same tokens. Each question is
asked of all engines in turns, and what is timed ends with the ids in the caller's hand. The
answers of the engines that promise an order are first checked on a sample against a plain
evaluation from the words. Prints Markdown; --svg writes a picture. Exits 2 where ids are wrong.
"""

from __future__ import annotations

import argparse
import gc
import json
import math
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from functools import partial
from importlib import metadata
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "plugin"), str(HERE.parent / "index_builder")]

from race.corpus import Doc, catalogue, debian, lines_of, questions, sized  # noqa: E402
from race.engines import ENGINES, engine_class  # noqa: E402
from race.report import picture, table  # noqa: E402
from race.timing import Times, hot, once  # noqa: E402
from race.truth import Truth  # noqa: E402

STOCK, OURS, HOST = "whoosh", "steadyrank-array", "steadyrank-host"
STEADY = (OURS, HOST)


def documents(lists: Path | None, size: int) -> tuple[list[Doc], str]:
    """The documents of a size in shuffled order, and what they are."""
    if lists is None:
        return sized(catalogue(size, 1), size, 2), "a generated catalogue"
    packages = debian(lists)
    if size <= len(packages):
        return sized(packages, size, 2), "Debian's package descriptions"
    return sized(lines_of(lists), size, 2), "lines of Debian's package descriptions"


def built(name: str, docs: list[Doc], folder: Path) -> dict[str, float]:
    """Builds an engine's index in a process of its own: processor seconds and peak bytes."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        started = time.process_time()
        engine_class(name).build(docs, folder)
        spent = time.process_time() - started
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024
        report = {"seconds": spent + children.ru_utime + children.ru_stime, "peak": peak}
        os.write(writer, json.dumps(report).encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        content = pipe.read()
    os.waitpid(child, 0)
    return dict(json.loads(content)) if content else {}


def wrong(engines: dict[str, Any], truth: Truth, asked: Sequence[tuple[str, ...]]) -> list[str]:
    """Questions whose ids (and ours' score bits) are not those of the plain evaluation."""
    import steadyrank

    found = []
    for operator in ("or", "and"):
        for words in asked:
            ids, scores = truth.top(words, 10, operator)
            for name in STEADY:
                if engines[name].top(words, 10, operator) != ids:
                    found.append(f"{name} {operator} {' '.join(words)}")
            _, got = steadyrank.search_ids(
                engines[OURS].searcher, list(words), 10, {"title": 1.0, "text": 1.0},
                operator=operator,
            )  # fmt: skip
            if [float(score).hex() for score in got] != [score.hex() for score in scores]:
                found.append(f"score bits {operator} {' '.join(words)}")
    return found


def cold(folder: Path, asked: Sequence[tuple[str, ...]]) -> Times:
    """Stock and both of ours, each question on an index opened anew that answered one other."""
    names = (STOCK, HOST, OURS)
    times = Times(asked, {name: [math.nan] * len(asked) for name in names})
    for number, words in enumerate(asked):
        other = asked[(number + 1) % len(asked)]
        free = tuple(word for word in other if word not in words) or ("the",)
        for name in names if number % 2 else names[::-1]:
            gc.collect()  # what closed indexes have read is shared for as long as it is held
            engine = engine_class(name)(folder)
            engine.top(free, 10, "or")
            times.seconds[name][number] = once(partial(_ask, engine, 10, "or"), words)
            engine.close()
            del engine
    return times


def available() -> dict[str, str]:
    """Engines whose libraries are here: name -> how tables call it."""
    found = {}
    for name in ENGINES:
        try:
            found[name] = engine_class(name).name
        except ImportError as error:
            print(f"left out: {name} ({error})", file=sys.stderr)
    return found


def race(size: int, chosen: argparse.Namespace, folder: Path) -> Iterator[str]:
    """Everything at one size, as lines of Markdown."""
    docs, what = documents(chosen.lists, size)
    names = available()
    folder.mkdir(parents=True, exist_ok=True)
    built_by = {name: built(name, docs, folder) for name in names}
    asked = list(questions(docs, chosen.questions, 3))
    yield f"## {len(docs):,} documents: {what}"
    yield ""
    yield from hot_tables(docs, names, asked, chosen, folder)
    yield "### OR, k = 10, cold"
    yield ""
    yield from table(cold(folder, asked[: chosen.cold]), names, STOCK, OURS)
    yield ""
    yield from resources(names, built_by, folder, asked)


def hot_tables(
    docs: list[Doc],
    names: dict[str, str],
    asked: Sequence[tuple[str, ...]],
    chosen: argparse.Namespace,
    folder: Path,
) -> Iterator[str]:
    """The tables of engines that have answered each question before."""
    with ExitStack() as stack:
        engines = {}
        for name in names:
            engines[name] = engine_class(name)(folder)
            stack.callback(engines[name].close)
        faults = wrong(engines, Truth(docs), asked[:: max(1, len(asked) // chosen.check)])
        if faults:
            raise SystemExit("\n".join(["wrong answers:", *faults]))
        yield f"Ids and score bits of {chosen.check} questions are those of a plain evaluation."
        yield ""
        for operator, k in [(o, k) for o in ("or", "and") for k in chosen.k]:
            asks: dict[str, Callable[[tuple[str, ...]], list[str]]] = {
                name: partial(_ask, engine, k, operator) for name, engine in engines.items()
            }
            times = hot(asks, asked, chosen.rounds)
            yield f"### {operator.upper()}, k = {k}, hot"
            yield ""
            yield from table(times, names, STOCK, OURS)
            worst = min(times.ratios(STOCK, OURS))
            yield ""
            yield f"Slowest of ours against stock on one question: stock takes {worst:.2f} x."
            yield ""
            if operator == "or" and k == 10 and chosen.svg is not None:
                rows = [(names[name], times.quantile(name, 0.5) * 1e6) for name in names]
                title = f"Median time of a query, OR, top 10 of {len(docs):,} documents"
                chosen.svg.with_name(f"{chosen.svg.stem}-{len(docs)}.svg").write_text(
                    picture(rows, title), "utf-8"
                )


def _ask(engine: Any, k: int, operator: str, words: tuple[str, ...]) -> list[str]:
    found: list[str] = engine.top(words, k, operator)
    return found


def resources(
    names: dict[str, str], built_by: dict[str, dict[str, float]], folder: Path, asked: Any
) -> Iterator[str]:
    """Building and memory, a process for each engine."""
    yield "| engine | build, processor s | build, peak MB | resident MB | private MB |"
    yield "|---|---:|---:|---:|---:|"
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump(asked[:50], file)
        file.flush()
        for name, shown in names.items():
            done = subprocess.run(
                [sys.executable, "-m", "race.memory", name, str(folder), file.name],
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path[:3])},
                capture_output=True,
                text=True,
                check=True,
            )
            held = json.loads(done.stdout)
            made = built_by[name]
            yield (
                f"| {shown} | {made.get('seconds', math.nan):,.1f} "
                f"| {made.get('peak', math.nan) / 1e6:,.0f} | {held['resident'] / 1e6:,.0f} "
                f"| {held['private'] / 1e6:,.0f} |"
            )
    yield ""


def machine() -> str:
    """Where this was measured, and with what."""
    versions = [f"Python {platform.python_version()}"]
    for name in ("Whoosh", "whoosh-reloaded", "whoosh3", "numpy", "tantivy", "bm25s"):
        try:
            versions.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    cores = len(os.sched_getaffinity(0))
    model = next(
        (
            line.split(":", 1)[1].strip()
            for line in Path("/proc/cpuinfo").read_text().splitlines()
            if line.startswith("model name")
        ),
        platform.machine(),
    )
    return f"{model}, {cores} cores, {', '.join(versions)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--lists", type=Path, help="folder with apt's description lists")
    parser.add_argument("--sizes", default="2000,10000,60000")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--k", type=lambda text: [int(k) for k in text.split(",")], default=[10])
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--check", type=int, default=24, help="questions checked by brute force")
    parser.add_argument("--cold", type=int, default=40, help="questions asked of a cold index")
    parser.add_argument("--work", type=Path, help="keep the indexes here for another run")
    parser.add_argument("--svg", type=Path, help="write a picture for each size")
    chosen = parser.parse_args()
    print(f"Measured on {machine()}.\n")
    with tempfile.TemporaryDirectory() as temporary:
        work = chosen.work or Path(temporary)
        for size in (int(size) for size in chosen.sizes.split(",")):
            for line in race(size, chosen, work / str(size)):
                print(line, flush=True)


if __name__ == "__main__":
    main()
