"""Scores do not depend on PYTHONHASHSEED: sets of terms have no order, sums need none."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from support_layouts import Layout, write
from support_rich import rich_corpus, rich_schema

pytestmark = pytest.mark.whoosh

ASK = """
import sys
from whoosh import index, query as q
import steadyrank
ix = index.open_dir(sys.argv[1])
queries = [q.Variations("text", word) for word in ("pull", "filter", "tent")]
queries += [q.Prefix("text", "t", constantscore=False)]
queries += [q.FuzzyTerm("text", "tent", maxdist=2, prefixlength=0, constantscore=False)]
queries += [q.Or(list(queries), scale=0.6), q.Regex("text", "[a-t]", constantscore=False)]
with steadyrank.stabilize(ix, id_field="id").searcher() as searcher:
    for query in queries:
        print([(hit["id"], hit.score.hex()) for hit in searcher.search(query, limit=None)])
print(sorted({str(hash(word)) for word in ("pulls", "pulled")}))
"""


def test_bits_are_those_of_every_hash_seed(tmp_path: Path) -> None:
    """Variations, prefixes, fuzzy terms and patterns give the same bits under three seeds."""
    write(tmp_path, rich_corpus(2, 60), Layout(segments=3, leftovers=5), rich_schema())
    running = [
        subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", ASK, str(tmp_path)],
            env=os.environ | {"PYTHONHASHSEED": seed},
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in ("0", "1", "31")
    ]
    answers = [process.communicate()[0].splitlines() for process in running]
    assert len(answers[0]) == 8
    assert "r00" in answers[0][0]
    assert len({answer[-1] for answer in answers}) == 3, "the seeds have to take effect"
    assert answers[1:] == [[*answers[0][:-1], answer[-1]] for answer in answers[1:]]
