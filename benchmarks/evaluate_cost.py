"""What an evaluation costs against bare searches for the same questions.

    python benchmarks/evaluate_cost.py [--documents 20000] [--questions 1000] [--index DIR]

A bare search takes the words that an answer searches, in the same fields, and reads the stored
fields of as many results as an evaluation looks at. An evaluation reads the golden file, asks
every case, judges it, finds how near it was and computes the metrics; its expectations are the
answers themselves, every tenth of them turned round, so that passing and failing cases are both
measured. Measured once each, by processor time, in one process; printed is the ratio with its
bound of 10. The index is written by a bare Whoosh writer; DIR keeps it for another run.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from pathlib import Path

from whoosh.index import exists_in

from answer_cost import questions, write_index
from steadyrank import open_store
from steadyrank.schema import DEFAULT_WEIGHTS
from steadyrank.words import words_query
from steadyrank_builder.evaluation import ask_golden

BOUND = 10.0
TAKE = 4


def golden_text(asked: list[str], found: list[list[str]]) -> str:
    """A YAML file, as people write them."""
    lines = ["version: 1", "cases:"]
    for number, (question, ids) in enumerate(zip(asked, found, strict=True)):
        expected = ids[::-1] if number % 10 == 0 else ids
        lines.append(f"  - question: {question}")
        if not ids:
            lines.append("    right: []")
        elif number % 3 == 0:
            lines += ["    right:", *(f"      - {id}" for id in expected)]
        else:
            lines += ["    mode: exact", "    expected:", *(f"      - {id}" for id in expected)]
    return "\n".join(lines) + "\n"


def main() -> int:
    """Prints the figures; exit code 1 beyond the bound."""
    import json

    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=1_000)
    parser.add_argument("--index", type=Path)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.index or Path(scratch) / "index"
        if not (folder.is_dir() and exists_in(str(folder))):
            write_index(folder, options.documents)
        asked = questions(
            json.loads((folder / "titles.json").read_text("utf-8")), options.questions
        )
        with open_store(folder) as store:
            answers = [store.answer(question) for question in asked]
            found = [[piece.id for piece in answer.pieces] for answer in answers]
            searcher = store.index.searcher()
            began = time.process_time()
            for answer in answers:
                query = words_query(" ".join(answer.terms), searcher.schema, DEFAULT_WEIGHTS)
                for hit in searcher.search(query, limit=TAKE):
                    hit.fields()
            searching = time.process_time() - began
            searcher.close()
        golden = Path(scratch) / "golden.yaml"
        golden.write_text(golden_text(asked, found), "utf-8")
        began = time.process_time()
        evaluation = ask_golden(folder, golden).judged()
        evaluating = time.process_time() - began
    ratio = evaluating / searching
    print(
        f"{len(asked)} questions, {options.documents} documents: search {searching:.2f} s, "
        f"evaluate {evaluating:.2f} s, {ratio:.2f} times (bound {BOUND:g}); "
        f"{evaluation.passed} passed, {evaluation.failed} failed"
    )
    return int(ratio >= BOUND)


if __name__ == "__main__":
    sys.exit(main())
