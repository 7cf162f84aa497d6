"""Everything that a compiled file may answer, read from an index."""

from __future__ import annotations

import shutil
import warnings
from pathlib import Path
from typing import Any

from whoosh.index import open_dir
from whoosh.qparser import MultifieldParser

import steadyrank
from steadyrank.postings import IndexView, SteadyRankWarning
from support_layouts import WORDS

QUESTIONS = ["tent", "tent stove", "lamp OR rope OR tent", "boot AND tent", "sock -tent", "wax^2.5"]

Answers = dict[str, Any]


def without(folder: Path) -> Path:
    """A copy of the index with no compiled file."""
    copy = folder.with_name(f"{folder.name}-plain")
    if copy.exists():
        shutil.rmtree(copy)
    shutil.copytree(folder, copy, ignore=shutil.ignore_patterns("*.arrays*"))
    return copy


def everything(folder: Path, fields: tuple[str, ...] = ("title", "text", "tag", "id")) -> Answers:
    """Postings, frequencies and lengths of every term, and rankings with the bits of scores."""
    reader = open_dir(str(folder)).reader()
    try:
        view = IndexView(reader)
        found: Answers = {}
        terms = {(field, bytes(term)) for field, term in reader.all_terms()}
        absent = {(field, word.encode()) for field in fields for word in ("nowhere", "", "zzz")}
        for field, term in sorted(terms | absent):
            postings = view.postings(field, term)
            found[f"{field}:{term!r}"] = (
                postings.docs.tolist(),
                postings.weights.tolist(),
                view.doc_frequency(field, term),
                view.term_weight(field, term),
            )
        for field in fields:
            docs = view.live_docs()
            found[field] = (view.lengths(field, docs).tolist(), view.field_length(field))
    finally:
        reader.close()
    found["rankings"] = rankings(folder)
    return found


def rankings(folder: Path) -> list[list[tuple[str, str]]]:
    """Ids and the bits of their scores for each question, ties included."""
    index = steadyrank.open_index(folder, id_field="id")
    parser = MultifieldParser(["title", "text"], index.schema)
    with index.searcher() as searcher:
        return [
            [
                (hit["id"], float(hit.score).hex())
                for hit in searcher.search(parser.parse(question), limit=25)
            ]
            for question in [*QUESTIONS, *WORDS[:5]]
        ]


def warned(folder: Path) -> tuple[Answers, list[str]]:
    """The same with the warnings about compiled files, of which there may be no other kind."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        found = everything(folder)
    mine = [each for each in told if issubclass(each.category, SteadyRankWarning)]
    return found, [str(each.message) for each in mine]


def leaves(folder: Path) -> list[Any]:
    """The segment readers of an index, opened anew."""
    reader = open_dir(str(folder)).reader()
    return [reader] if reader.is_atomic() else [leaf for leaf, _ in reader.leaf_readers()]
