"""The sample store, written in another layout and with other documents beside its own."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from whoosh.index import create_in, open_dir

from steadyrank.measure import Drift
from steadyrank_builder.building import build
from steadyrank_builder.drifting import compare_sides
from support_store import SAMPLE

pytestmark = pytest.mark.whoosh
WORDS = ["tent", "bag", "stove", "rain", "jacket", "warm", "rope", "gas", "boots", "wash", "size"]


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample") / "base.idx"
    build([SAMPLE / "store"], folder)
    return folder


def drift(base: Path, fresh: Path) -> Drift:
    return compare_sides(base, fresh, questions=SAMPLE / "golden.yaml").drift


def test_another_layout_of_the_same_documents_is_no_drift(base: Path, tmp_path: Path) -> None:
    """Written again in shuffled order, in segments, with deleted documents left in between."""
    source = open_dir(str(base))
    with source.reader() as reader:
        stored = [dict(fields) for _, fields in reader.iter_docs()]
    random.Random(5).shuffle(stored)
    (tmp_path / "again").mkdir()
    index = create_in(str(tmp_path / "again"), source.schema)
    for start in range(0, len(stored), 50):
        writer = index.writer()
        for fields in stored[start : start + 50]:
            writer.add_document(**fields)
        writer.add_document(**stored[-1] | {"id": f"leftover-{start}"})
        writer.commit(merge=False)
        writer = index.writer()
        writer.delete_by_term("id", f"leftover-{start}")
        writer.commit(merge=False)
    assert len(index._segments()) > 1 and index.doc_count_all() > index.doc_count()
    found = drift(base, tmp_path / "again")
    assert (found.outcome, found.drifted(["order", "set", "first", "confidence"])) == ("none", ())
    assert len(found.questions) > 100
    assert [question.causes for question in found.questions if question.causes] == []
    assert [question.events for question in found.questions if question.events] == []


def test_other_documents_beside_the_own_ones_are_named_as_statistics(
    base: Path, tmp_path: Path
) -> None:
    chance = random.Random(3)
    rows = ["question,answer"]
    for number in range(60):
        asked, told = chance.sample(WORDS, 3), chance.choices(WORDS, k=12)
        rows.append(f"Other {number} {' '.join(asked)}?,{' '.join(told)} {number}.")
    (tmp_path / "other.csv").write_text("\n".join(rows) + "\n", encoding="utf-8")
    build([SAMPLE / "store", tmp_path / "other.csv"], tmp_path / "more.idx")
    found = drift(base, tmp_path / "more.idx")
    assert found.outcome == "drift"
    assert {change.cause for change in found.changes} == {"index"}
    added = {f"faq:other-{n}" for n in range(60)}
    for question in found.drifted():
        assert "statistics" in {cause.cause for cause in question.causes}
        for move in question.moves:
            if move.kind == "stayed":
                continue
            assert move.dominant is not None
            # Who came in is new, or passed another by its score; nothing was edited or removed.
            assert move.dominant.cause in ("new", "score reversal", "out")
            if move.dominant.cause == "new":
                assert any(move.dominant.id.startswith(id) for id in added)
    causes = {cause.cause for question in found.questions for cause in question.causes}
    assert causes <= {"statistics", "new", "confidence"}
