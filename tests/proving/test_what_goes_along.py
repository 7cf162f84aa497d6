"""What a mutation of bands exchanges besides their rule changes no answer by itself."""

from __future__ import annotations

from pathlib import Path

import pytest
from whoosh.query import Or, Term

import steadyrank
from steadyrank_builder.proving.exchange import exchanged
from steadyrank_builder.proving.mutants import BANDS
from steadyrank_builder.proving.mutation import Mutation, Occasions
from support_layouts import WORDS, Layout, corpus, write

pytestmark = pytest.mark.whoosh


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("along")
    write(found, corpus(8, 400), Layout(3, 3, leftovers=20)).close()
    return found


@pytest.mark.parametrize("mutation", BANDS, ids=lambda one: one.name)
@pytest.mark.parametrize("gap", [0.0, 0.5, 3.0])
def test_it_takes_and_gives_what_the_library_does(
    folder: Path, mutation: Mutation, gap: float
) -> None:
    """Else a step of the search that was written anew is proved by another."""
    rest = mutation.changes(Occasions())[1:]
    for limit in (1, 3, 10, None):
        for words in (WORDS[:1], WORDS[:3], WORDS[30:38]):
            query = Or([Term("text", word) for word in words])
            found = []
            for changes in ((), rest):
                with (
                    exchanged(changes),
                    steadyrank.open_index(folder, id_field="id", gap=gap).searcher() as searcher,
                ):
                    results = searcher.search(query, limit=limit)
                    found.append([(hit["id"], float(hit.score).hex()) for hit in results])
                    found[-1] += [repr(placement) for placement in results.placements]
            assert found[0] == found[1]
            assert found[0]
