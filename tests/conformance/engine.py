"""The engine over the vectors: documents whose postings are the vector's, in a real index.

    python tests/conformance/engine.py VECTOR.json ...

prints nothing and exits 0 where every ranking is the recorded one.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from types import MappingProxyType
from typing import Any

from whoosh import fields, index
from whoosh import query as q
from whoosh.analysis import SpaceSeparatedTokenizer

import steadyrank
from steadyrank.pinned import FieldStatistics, Statistics, analysis_of
from steadyrank.postings import IndexView

Vector = dict[str, Any]


def schema_of(vector: Vector) -> fields.Schema:
    found = {
        name: fields.TEXT(SpaceSeparatedTokenizer(), field_boost=field["boost"])
        for name, field in vector["fields"].items()
    }
    return fields.Schema(id=fields.ID(stored=True, unique=True), document=fields.STORED(), **found)


def texts_of(vector: Vector, id: str) -> dict[str, str]:
    """The texts that a document's postings come from: each word at its positions."""
    found = {}
    for name, field in vector["fields"].items():
        places = {
            place: word
            for word, postings in field["postings"].items()
            for place in postings.get(id, (0, []))[1]
        }
        assert sorted(places) == list(range(len(places))), f"{id}: a position without a word"
        found[name] = " ".join(word for _, word in sorted(places.items()))
    return {name: text for name, text in found.items() if text}


def written(folder: str, vector: Vector, segments: int) -> Any:
    """The vector's documents in an index; more segments come in reverse, one document too many."""
    ix = index.create_in(folder, schema_of(vector))
    ids = list(vector["documents"])
    if segments > 1:
        ids = [*ids[::-1], "ghost"]
    for part in range(segments):
        writer = ix.writer()
        for id in ids[part::segments]:
            document = vector["documents"].get(id, id)
            texts = texts_of(vector, id if id != "ghost" else ids[0])
            writer.add_document(id=id, document=document, **texts)
        writer.commit(merge=False)
    if segments > 1:
        writer = ix.writer()
        writer.delete_by_term("id", "ghost")
        writer.commit(merge=False)
    return ix


def postings_of(ix: Any, vector: Vector) -> dict[str, Any]:
    """Fields as a vector has them, read back from the index."""
    with ix.reader() as reader:
        view = IndexView(reader)
        ids = {doc: reader.stored_fields(doc)["id"] for doc in view.live_docs().tolist()}
        found: dict[str, Any] = {}
        for name, field in vector["fields"].items():
            docs = view.live_docs()
            lengths = view.lengths(name, docs).tolist()
            postings: dict[str, dict[str, Any]] = {}
            for word in field["postings"]:
                read = view.postings(name, word.encode())
                pairs = zip(read.docs.tolist(), read.weights.tolist(), strict=True)
                postings[word] = {
                    ids[doc]: [weight, field["postings"][word][ids[doc]][1]]
                    for doc, weight in pairs
                }
            found[name] = {
                "boost": field["boost"],
                "lengths": {
                    ids[doc]: length for doc, length in zip(docs.tolist(), lengths, strict=True)
                },
                "postings": postings,
            }
        return found


def statistics_of(vector: Vector) -> Any:
    given = vector["statistics"]
    if given["kind"] == "live":
        return "live"
    schema = schema_of(vector)
    counted = {
        name: FieldStatistics(
            analysis_of(schema[name]),
            field["length"],
            MappingProxyType(
                {word.encode(): (n, float(n)) for word, n in field["document_frequency"].items()}
            ),
        )
        for name, field in given["fields"].items()
    }
    return Statistics(documents=given["documents"], fields=MappingProxyType(counted))


def query_of(node: dict[str, Any]) -> q.Query:
    """A vector's query as Whoosh's."""
    boost = node.get("boost", 1.0)
    several = {"or": q.Or, "and": q.And, "dismax": q.DisjunctionMax}
    pairs = {"andnot": q.AndNot, "andmaybe": q.AndMaybe, "require": q.Require}
    for name, kind in several.items():
        if name in node:
            return kind([query_of(child) for child in node[name]], boost=boost)
    for name, kind in pairs.items():
        if name in node:
            return kind(*map(query_of, node[name]))
    if "term" in node:
        return q.Term(*node["term"], boost=boost)
    if "phrase" in node:
        return q.Phrase(*node["phrase"], slop=node.get("slop", 1), boost=boost)
    if "prefix" in node:
        return q.Prefix(*node["prefix"], boost=boost, constantscore=node["flat"])
    if "not" in node:
        return q.Not(query_of(node["not"]))
    if "constant" in node:
        return q.ConstantScoreQuery(query_of(node["constant"]), node["score"])
    if "every" in node:
        return q.Every(boost=boost)
    raise ValueError(f"no query of ours: {node}")


def answers(ix: Any, vector: Vector) -> Iterator[list[list[str]]]:
    """The engine's rankings of the cases, as vectors write them."""
    for case in vector["cases"]:
        steady = steadyrank.stabilize(
            ix,
            id_field="id",
            document_field="document",
            gap=case.get("gap", 0.0),
            statistics=statistics_of(vector),
        )
        with steady.searcher() as searcher:
            results = searcher.search(query_of(case["query"]), limit=None)
            yield [[hit["id"], hit.score.hex()] for hit in results]


def main(paths: list[str]) -> int:
    wrong = []
    for path in paths:
        vector = json.loads(Path(path).read_text("utf-8"))
        with tempfile.TemporaryDirectory() as folder:
            found = list(answers(written(folder, vector, 3), vector))
        wrong += [
            f"{path}: {case['about']}: {one} is not {case['expected']}"
            for one, case in zip(found, vector["cases"], strict=True)
            if one != case["expected"]
        ]
    print("\n".join(wrong), file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
