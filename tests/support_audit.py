"""Indexes to audit, and a rebuild of them that shares no code with the audit's own."""

from __future__ import annotations

import hashlib
import random
import shutil
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from whoosh import formats, index
from whoosh.searching import Searcher

from steadyrank.measure.audit import Layout
from steadyrank.retrieval import parsed
from steadyrank_builder.runs import Asked


def log(*questions: str) -> list[Asked]:
    return [Asked(number, question, 1) for number, question in enumerate(questions, start=1)]


def write(
    folder: Path, schema: Any, documents: Sequence[Mapping[str, Any]], segments: int = 1
) -> Path:
    """The documents in their order, so many to a segment, by Whoosh's own writer."""
    folder.mkdir(parents=True, exist_ok=True)
    made = index.create_in(str(folder), schema)
    for part in range(segments):
        start, stop = (len(documents) * n // segments for n in (part, part + 1))
        writer = made.writer()
        for document in documents[start:stop]:
            writer.add_document(**document)
        writer.commit(merge=False)
    return folder


def delete(folder: Path, field: str, *terms: str) -> None:
    writer = index.open_dir(str(folder)).writer()
    for term in terms:
        assert writer.delete_by_term(field, term) == 1
    writer.commit(merge=False)


def stored(folder: Path) -> list[dict[str, Any]]:
    """The stored fields of the live documents, in the index's order."""
    reader = index.open_dir(str(folder)).reader()
    try:
        return [dict(fields) for fields in reader.all_stored_fields()]
    finally:
        reader.close()


def rebuilt(folder: Path, layout: Layout, out: Path) -> Path:
    """The index in that layout, analysed again from what it stores."""
    documents = stored(folder)
    if layout.seed is None:
        documents.reverse()
    else:
        random.Random(layout.seed).shuffle(documents)
    return write(out, index.open_dir(str(folder)).schema, documents, layout.segments)


def asked(
    folder: Path, questions: Iterable[str], k: int, id_field: str = "id"
) -> dict[str, list[tuple[Any, float]]]:
    """What stock Whoosh answers: (id, score) of the first k to each question."""
    with index.open_dir(str(folder)).searcher() as searcher:
        assert type(searcher) is Searcher
        return {
            question: [
                (hit[id_field], hit.score)
                for hit in searcher.search(parsed(question, searcher.schema), limit=k)
            ]
            for question in questions
        }


def copied_shuffled(folder: Path, out: Path, seed: int) -> Path:
    """A plain Whoosh index of the same stored documents in a shuffled order."""
    documents = stored(folder)
    random.Random(seed).shuffle(documents)
    shutil.rmtree(out, ignore_errors=True)
    return write(out, index.open_dir(str(folder)).schema, documents)


def fingerprint(folder: Path) -> dict[str, tuple[str, int]]:
    """Names, contents and times of all files."""
    return {
        str(path.relative_to(folder)): (
            hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "",
            path.stat().st_mtime_ns,
        )
        for path in sorted([folder, *folder.rglob("*")])
    }


class Opaque(formats.Frequency):  # type: ignore[misc]
    """A third party's format, which does not tell frequencies."""

    def supports(self, name: str) -> bool:
        return name != "frequency" and bool(super().supports(name))

    def decoder(self, name: str) -> Any:
        if name == "frequency":
            raise ValueError("no frequencies here")
        return super().decoder(name)
