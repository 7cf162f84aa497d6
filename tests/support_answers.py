"""Stores for tests of answers: built ones, and copies in layouts of a plain Whoosh writer."""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from whoosh.index import create_in, open_dir

from steadyrank.schema import store_schema

DATA = Path(__file__).resolve().parents[2] / "shared" / "data"
GUIDANCE = DATA / "guidance"

Stored = Mapping[str, Any]


def piece(
    id: str,
    text: str = "",
    *,
    kind: str = "product",
    title: str = "",
    heading: str = "",
    document: str | None = None,
    language: str = "en",
    attributes: Mapping[str, Any] | None = None,
    links: Sequence[tuple[str, str]] = (),
) -> dict[str, Any]:
    """The fields of one document, as the builder's schema takes them."""
    return {
        "id": id,
        "document": document or id,
        "kind": kind,
        "title": title,
        "heading": heading,
        "text": text,
        "tags": "",
        "language": language,
        "url": "",
        "attributes": json.dumps(dict(attributes or {})),
        "links": json.dumps([list(link) for link in links]),
    }


def write(folder: Path, documents: Iterable[Stored], segments: int = 1) -> Path:
    """The documents, in the order given, by Whoosh's own writer; no manifest."""
    folder.mkdir(parents=True, exist_ok=True)
    index = create_in(str(folder), store_schema("en"))
    everything = list(documents)
    for part in range(segments):
        writer = index.writer()
        for document in everything[part::segments]:
            writer.add_document(**document)
        writer.commit(merge=False)
    return folder


def resave(folder: Path, documents: Sequence[Stored], *, optimize: bool = False) -> None:
    """These documents deleted and added again unchanged, by Whoosh's own writer."""
    writer = open_dir(str(folder)).writer()
    for document in documents:
        writer.update_document(**document)
    writer.commit(merge=False, optimize=optimize)


def stored_in(folder: Path) -> list[dict[str, Any]]:
    """The stored fields of all live documents, read by plain Whoosh, in document order."""
    with open_dir(str(folder)).searcher() as searcher:
        return [dict(fields) for fields in searcher.reader().all_stored_fields()]


def ids_in(folder: Path) -> list[str]:
    """The live ids in the order of document numbers."""
    return [fields["id"] for fields in stored_in(folder)]


def shuffled(documents: Sequence[Stored], seed: int) -> list[Stored]:
    """The documents in another order."""
    return random.Random(seed).sample(list(documents), len(documents))
