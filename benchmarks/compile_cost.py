"""What compiling an index costs, and what a new process gains by it.

    python benchmarks/compile_cost.py [--count 20000] [--lists DIR]

Documents are Debian's package descriptions where DIR has apt's lists (see race/corpus.py), else a
generated catalogue. Each step runs in a process of its own. Printed are the processor time of a
bare Whoosh writer and of compiling, sizes, the most memory that compiling holds besides what it
begins with, and the processor time of opening and of a new process's first questions, with compiled
files and without. Before anything is printed, the postings of every term are compared with
Whoosh's, and the answers of both processes with each other. Exit code 1 when compiling takes more
than 8 % of the writer's time, its file more than 30 % of the index, or it holds more than 400 MB.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from race.corpus import Doc, catalogue, debian, questions, sized

_TIME, _SIZE, _MEMORY = 0.08, 0.30, 400.0
_SEED = 5


def documents(count: int, lists: str) -> list[Doc]:
    """So many of them, in an order that is not that of their ids."""
    found = debian(Path(lists)) if lists else catalogue(count, _SEED)
    return sized(found, count, _SEED)


def build(folder: Path, count: int, lists: str) -> dict[str, Any]:
    """Writes them with a bare Whoosh writer."""
    from whoosh import fields, index

    docs = documents(count, lists)
    asked = [list(words) for words in questions(docs, 40, _SEED)]
    (folder.parent / "questions.json").write_text(json.dumps(asked), "utf-8")
    schema = fields.Schema(
        id=fields.ID(stored=True, unique=True),
        title=fields.TEXT(stored=True),
        text=fields.TEXT(stored=True),
    )
    folder.mkdir()
    started = time.process_time()
    writer = index.create_in(str(folder), schema).writer(limitmb=128)
    for doc in docs:
        writer.add_document(id=doc.id, title=doc.title, text=doc.text)
    writer.commit()
    return {"cpu": time.process_time() - started, "documents": len(docs)}


def compile_(folder: Path, *_: Any) -> dict[str, Any]:
    """Compiles the index."""
    from steadyrank import compile_index

    before = _peak_mb()
    started = time.process_time()
    (done,) = compile_index(folder).segments
    cpu = time.process_time() - started
    share = done.size / done.segment_size
    return {"cpu": cpu, "size": share, "terms": done.terms, "peak": _peak_mb() - before}


def _peak_mb() -> float:
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


def ask(folder: Path, *_: Any) -> dict[str, Any]:
    """Opens the index and asks questions, none of which was asked before."""
    import steadyrank
    import steadyrank.direct  # imports are none of the index's matter

    asked = json.loads((folder.parent / "questions.json").read_text("utf-8"))
    started = time.process_time()
    index = steadyrank.open_index(folder)
    opened = time.process_time() - started
    times, answers = [], []
    with index.searcher() as searcher:
        for words in asked:
            started = time.process_time()
            ids, scores = steadyrank.search_ids(searcher, words, 10)
            times.append(time.process_time() - started)
            answers.append([ids, [score.hex() for score in scores.tolist()]])
    return {"opened": opened, "times": times, "answers": answers}


def compare(folder: Path, plain: str, *_: Any) -> dict[str, Any]:
    """Every term's postings in both."""
    from whoosh.index import open_dir

    from steadyrank.postings import IndexView

    views = [IndexView(open_dir(str(each)).reader()) for each in (folder, plain)]
    terms = 0
    for field, term in views[0].reader.all_terms():
        ours, theirs = (view.postings(field, bytes(term)) for view in views)
        if ours.coded is None or theirs.coded is not None:
            raise SystemExit("the postings compared are not of a compiled and a plain index")
        if ours.docs.tobytes() != theirs.docs.tobytes():
            raise SystemExit(f"{field}:{term!r} has other documents")
        if ours.weights.tobytes() != theirs.weights.tobytes():
            raise SystemExit(f"{field}:{term!r} has other weights")
        terms += 1
    return {"terms": terms}


_STEPS = {"build": build, "compile": compile_, "ask": ask, "compare": compare}


def apart(step: str, folder: Path, *arguments: str) -> dict[str, Any]:
    """A step in a process of its own."""
    command = [sys.executable, __file__, "--step", step, str(folder), *arguments]
    done = subprocess.run(command, stdout=subprocess.PIPE, check=True, env=os.environ)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def main() -> int:
    """Print what was measured and a line of JSON."""
    if sys.argv[1:2] == ["--step"]:
        step, folder, *more = sys.argv[2:]
        arguments: list[Any] = [int(each) if each.isdigit() else each for each in more]
        print(json.dumps(_STEPS[step](Path(folder), *arguments)))
        return 0
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--lists", default="")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        plain, compiled = Path(name) / "plain", Path(name) / "compiled"
        built = apart("build", plain, str(told.count), told.lists)
        shutil.copytree(plain, compiled)
        made = apart("compile", compiled)
        if apart("compare", compiled, str(plain))["terms"] != made["terms"]:
            raise SystemExit("there are other terms")
        runs: dict[str, list[dict[str, Any]]] = {"without": [], "with": []}
        for _ in range(5):  # in turns, so that both see the same machine
            for way, folder in (("without", plain), ("with", compiled)):
                runs[way].append(apart("ask", folder))
        if runs["with"][0]["answers"] != runs["without"][0]["answers"]:
            raise SystemExit("answers differ")
    share = made["cpu"] / built["cpu"]
    print(f"documents {built['documents']}, terms {made['terms']}")
    print(f"bare Whoosh writer {built['cpu']:.2f} s, compiling {made['cpu']:.2f} s: {share:.1%}")
    print(f"size {made['size']:.1%} of the segment; {made['peak']:.0f} MB while compiling")
    result = {**built, "share": share, "size": made["size"], "peak_mb": made["peak"]}
    for way, found in runs.items():
        opened = statistics.median(run["opened"] for run in found) * 1e3
        first = statistics.median(run["times"][0] for run in found) * 1e3
        later = statistics.median(each for run in found for each in run["times"][1:]) * 1e3
        print(f"{way:7} opened {opened:.2f} ms, first question {first:.2f}, new ones {later:.2f}")
        result[way] = {"opened_ms": opened, "first_ms": first, "new_ms": later}
    print(json.dumps(result, sort_keys=True))
    return 0 if share <= _TIME and made["size"] <= _SIZE and made["peak"] <= _MEMORY else 1


if __name__ == "__main__":
    sys.exit(main())
