"""What is written again is the same index in another order, whatever its fields are."""

from __future__ import annotations

import random
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from whoosh import analysis, fields, index
from whoosh.index import open_dir

from steadyrank.errors import IdFieldError, PolicyError
from steadyrank.measure.audit import Audit
from steadyrank.measure.audit_words import details, headline, next_steps
from steadyrank_builder.auditing import AuditOptions, audit_index
from support_audit import Opaque, asked, delete, log, write

pytestmark = pytest.mark.whoosh

WORDS = ["red", "blue", "cup", "mug", "boot", "rain", "tent", "gas", "sock", "hat"]
QUESTIONS = log(*WORDS, *(f"{a} {b}" for a in WORDS[:5] for b in WORDS[5:]))


def texts(count: int = 60, seed: int = 3) -> list[dict[str, Any]]:
    rng = random.Random(seed)
    return [
        {
            "title": " ".join(rng.choices(WORDS, k=2)),
            "content": " ".join(rng.choices(WORDS, k=rng.randint(3, 9))),
        }
        for _ in range(count)
    ]


def holds(audit: Audit) -> None:
    """It was written again, stock flips, steadyrank does not."""
    assert audit.not_rebuilt is None
    assert audit.stock.flips.distinct > 0
    assert (audit.steady.flips.distinct, audit.steady.bits.distinct) == (0, 0)


def exact(audit: Audit) -> None:
    """Also no score moved: the copies are the index, to the bit."""
    holds(audit)
    assert (audit.moved, audit.stock.bits.distinct) == (0.0, 0)
    assert audit.stock.flips == audit.ties.any


def test_fields_that_are_not_stored_are_taken_from_their_postings(tmp_path: Path) -> None:
    """As in Whoosh's own first example, where the content is not stored."""
    schema = fields.Schema(
        title=fields.TEXT(stored=True), path=fields.ID(stored=True), content=fields.TEXT
    )
    documents = [{**text, "path": f"/{n}"} for n, text in enumerate(texts())]
    write(tmp_path / "a", schema, documents)
    exact(audit_index(tmp_path / "a", QUESTIONS, AuditOptions(id_field="path", layouts=2)))


def test_boosts_stems_characters_and_vectors_come_along(tmp_path: Path) -> None:
    """A stored text that is not the indexed one, a boost for one document, a spelling field."""
    schema = fields.Schema(
        title=fields.TEXT(stored=True, field_boost=2.5),
        sku=fields.NUMERIC(stored=True, unique=True),
        content=fields.TEXT(analyzer=analysis.StemmingAnalyzer(), chars=True, vector=True,
                            spelling=True),
    )  # fmt: skip
    documents = [
        {**text, "sku": n, "_content_boost": 1 + n % 5 / 3, "_stored_title": f"T{n}"}
        for n, text in enumerate(texts())
    ]
    write(tmp_path / "a", schema, documents)
    audit = audit_index(tmp_path / "a", QUESTIONS, AuditOptions(layouts=2))
    assert audit.subject.id_field == "sku"  # the only unique one
    exact(audit)
    phrases = log(
        'content:"red cup"~3', 'content:"blue boot"', "title:re*", "sku:[3 TO 9]", "sku:12"
    )
    audit = audit_index(tmp_path / "a", phrases, AuditOptions(layouts=2, syntax="whoosh"))
    assert (audit.answers.distinct, audit.failed) == (5, ())
    exact(audit)


def test_segments_and_deletions_are_what_moves_scores(tmp_path: Path) -> None:
    """An id that is in a column alone; leftovers count in stock scores until they are gone."""
    schema = fields.Schema(
        title=fields.TEXT(stored=True),
        path=fields.ID(unique=True, sortable=True),
        content=fields.TEXT,
    )
    documents = [{**text, "path": f"p{n:02}"} for n, text in enumerate(texts())]
    write(tmp_path / "a", schema, documents, segments=3)
    delete(tmp_path / "a", "path", *(f"p{n:02}" for n in range(0, 60, 4)))
    audit = audit_index(tmp_path / "a", QUESTIONS, AuditOptions())
    holds(audit)
    assert (audit.subject.segments, audit.subject.deleted) == (3, 15)
    assert audit.subject.origin.documents == 45
    assert audit.stock.causes["bits"].distinct > 0
    assert audit.moved > 0.01
    bits = next(example for example in audit.examples if example.cause == "bits")
    scores = [{e.id: e.score for e in one.entries} for one in (bits.before, bits.after)]
    assert any(scores[0][id] != scores[1][id] for id in scores[0].keys() & scores[1].keys())


def test_other_kinds_of_fields_and_ids_that_several_share(tmp_path: Path) -> None:
    """Parts of words, keywords, dates, truths; stored structures; ids in pairs."""
    schema = fields.Schema(
        id=fields.ID(stored=True), content=fields.NGRAMWORDS(2, 4),
        day=fields.DATETIME(stored=True), new=fields.BOOLEAN(stored=True),
        tags=fields.KEYWORD(commas=True, scorable=True), more=fields.STORED,
    )  # fmt: skip
    documents = [
        {
            "id": f"i{n % 50}", "content": text["content"], "new": bool(n % 2),
            "day": datetime(2020, 1, 1 + n % 20), "tags": text["content"].replace(" ", ","),
            "more": {"n": [n]},
        }
        for n, text in enumerate(texts())
    ]  # fmt: skip
    write(tmp_path / "a", schema, documents, segments=2)
    holds(
        audit_index(tmp_path / "a", QUESTIONS, AuditOptions(fields={"content": 1.0, "tags": 2.0}))
    )


def test_fields_of_a_dynamic_name(tmp_path: Path) -> None:
    schema = fields.Schema(id=fields.ID(stored=True))
    schema.add("*_text", fields.TEXT(stored=True), glob=True)
    documents = [{"id": f"i{n}", "body_text": t["content"]} for n, t in enumerate(texts())]
    write(tmp_path / "a", schema, documents)
    exact(audit_index(tmp_path / "a", QUESTIONS, AuditOptions(fields={"body_text": 1.0})))


def test_without_an_id_field_all_that_is_stored_tells_records_apart(tmp_path: Path) -> None:
    """Ten pairs store the same: an exchange of two that are alike is none."""
    schema = fields.Schema(title=fields.TEXT(stored=True), content=fields.TEXT)
    alike = [{"title": f"{word} hat", "content": word} for word in WORDS] * 2
    write(tmp_path / "a", schema, alike)
    audit = audit_index(tmp_path / "a", log(*WORDS), AuditOptions(no_id=True, k=3))
    assert audit.subject.alike == 20
    # After the two that are "hat" in both fields; the others' two hits each are alike.
    assert [example.question for example in audit.examples] == ["hat"]
    assert (audit.examples[0].ranks, audit.ties.any.distinct) == ((3,), 1)
    assert (audit.steady.flips.distinct, audit.steady.bits.distinct) == (0, 0)
    assert "20 documents are like another one" in " ".join(details(audit))
    assert "id_field=None" in next_steps(audit)[2]


def test_records_that_nothing_tells_apart_are_an_error_and_no_clean_result(tmp_path: Path) -> None:
    write(tmp_path / "a", fields.Schema(content=fields.TEXT), [{"content": "red"}] * 3)
    with pytest.raises(PolicyError, match="nothing that is stored tells its 3 documents apart"):
        audit_index(tmp_path / "a", log("red"))


def test_a_limit_that_loses_a_hit_is_found_without_another_layout(tmp_path: Path) -> None:
    """Stock Whoosh takes the best of the alternatives for the most they can add up to."""
    documents = [{**text, "path": f"/{n}"} for n, text in enumerate(texts(300, seed=1))]
    schema = fields.Schema(path=fields.ID(stored=True, unique=True), content=fields.TEXT)
    for document in documents:
        del document["title"]
    folder = write(tmp_path / "a", schema, documents)
    questions = [
        f"{a} AND ({b} OR {c} OR gas)" for a in WORDS[:4] for b in WORDS[4:7] for c in WORDS[8:]
    ]
    options = AuditOptions(layouts=0, syntax="whoosh", k=3, examples=100)
    audit = audit_index(folder, log(*questions), options)
    expected = set()
    with open_dir(str(folder)).searcher() as searcher:
        from whoosh.qparser import QueryParser

        parser = QueryParser("content", searcher.schema)
        for question in questions:
            few = searcher.search(parser.parse(question), limit=3)
            everything = searcher.search(parser.parse(question), limit=None)
            if [hit["path"] for hit in few] != [hit["path"] for hit in everything[:3]]:
                expected.add(question)
    assert expected
    assert audit.lost.distinct == len(expected)
    assert audit.outcome == "flips"
    lost = {example.question for example in audit.examples if example.layout == "limit=None"}
    assert lost
    assert lost <= expected
    assert "differ between limit=3 and limit=None" in " ".join(details(audit))


def test_a_field_that_cannot_be_written_again_is_named_and_ties_tell(tmp_path: Path) -> None:
    schema = fields.Schema(
        id=fields.ID(stored=True),
        content=fields.FieldType(Opaque(), analysis.SimpleAnalyzer(), scorable=True, stored=True),
    )
    documents = [{"id": f"i{n}", "content": word} for n, word in enumerate(WORDS * 3)]
    write(tmp_path / "a", schema, documents)
    audit = audit_index(tmp_path / "a", log(*WORDS), AuditOptions(k=2))
    assert audit.not_rebuilt is not None
    assert audit.not_rebuilt.fields == ("content",)
    assert "no frequencies here" in audit.not_rebuilt.reason
    assert audit.stock.flips.distinct == audit.stock.causes["cut"].distinct == len(WORDS)
    assert "steadyrank is not compared" in " ".join(details(audit))


def test_an_index_too_large_to_write_again_says_so(tmp_path: Path) -> None:
    schema = fields.Schema(id=fields.ID(stored=True), content=fields.TEXT)
    write(tmp_path / "a", schema, [{"id": f"{n}", "content": "red"} for n in range(5)])
    audit = audit_index(tmp_path / "a", log("red"), AuditOptions(max_documents=4, k=2))
    assert audit.not_rebuilt is not None
    assert "--max-documents" in audit.not_rebuilt.reason
    assert audit.outcome == "flips"
    assert (
        audit_index(tmp_path / "a", log("red"), AuditOptions(max_documents=5)).not_rebuilt is None
    )


def test_an_empty_index_is_no_verdict(tmp_path: Path) -> None:
    write(tmp_path / "a", fields.Schema(id=fields.ID(stored=True), content=fields.TEXT), [])
    audit = audit_index(tmp_path / "a", log("red"))
    assert audit.outcome == "no-verdict"
    assert headline(audit).startswith("No verdict: none of 1 questions got an answer")


def test_an_id_field_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    schema = fields.Schema(id=fields.ID(stored=True), content=fields.TEXT)
    write(tmp_path / "a", schema, [{"id": "1", "content": "red"}])
    with pytest.raises(IdFieldError, match="'sku'"):
        audit_index(tmp_path / "a", log("red"), AuditOptions(id_field="sku"))


def test_equal_scores_by_hand(tmp_path: Path) -> None:
    """Three alike in words, two places: backwards the other two, in the other order."""
    schema = fields.Schema(id=fields.ID(stored=True), content=fields.TEXT(stored=True))
    documents = [{"id": id, "content": "red cup"} for id in "bac"]
    documents.append({"id": "z", "content": "blue"})
    folder = write(tmp_path / "a", schema, documents)
    audit = audit_index(folder, log("cup", "blue"), AuditOptions(k=2, layouts=1))
    (example,) = audit.examples
    assert (example.before.ids, example.after.ids) == (("b", "a"), ("c", "a"))
    assert (example.ranks, example.cause, example.layout) == ((1,), "cut", "reversed")
    assert [entry.id for entry in example.before.after] == ["c"]
    assert (audit.answers.distinct, audit.stock.flips.distinct) == (2, 1)
    assert asked(folder, ["cup"], 2)["cup"] == [(e.id, e.score) for e in example.before.entries]
    assert index.exists_in(str(folder))
