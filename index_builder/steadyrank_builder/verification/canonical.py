"""The content of a generation that canonicalize made: everything is walked and digested."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from steadyrank_builder.canonical import Content, Ordered, digests
from steadyrank_builder.manifest import Manifest
from steadyrank_builder.verification.problems import Problem


def check_canonical(folder: Path, manifest: Manifest) -> list[Problem]:
    """Compare the index in ``folder`` with what was recorded of it."""
    from whoosh.index import open_dir

    try:
        index = open_dir(str(folder), readonly=True)
        if unscanned := _pickled_columns(index.schema):
            return [Problem("unsafe-pickle", None, unscanned)]
        reader = index.reader()
        try:
            ids = list(manifest.documents)
            if not reader.is_atomic() or {reader.doc_count(), reader.doc_count_all()} != {len(ids)}:
                message = f"{len(ids)} documents were written, and {reader.doc_count()} are there."
                return [Problem("other-content", None, message)]
            ordered = Ordered(ids, [(0, number) for number in range(len(ids))])
            found = digests(Content([reader], index.schema, ordered), manifest.analyzer)
        finally:
            reader.close()
    except Exception as error:  # Whoosh on damaged bytes can raise anything
        return [Problem("unreadable", None, f"The index cannot be opened: {error!r}")]
    recorded = {id_: entry.digest for id_, entry in manifest.documents.items()}
    if found.whole != manifest.digest or found.documents != recorded:
        message = f"Documents and postings do not make the recorded digest {manifest.digest}."
        return [Problem("other-content", None, message)]
    return []


def _pickled_columns(schema: Any) -> str | None:
    """A sentence where columns hold pickles, of which only reading would tell what they call."""
    from whoosh.columns import PickleColumn

    names = [name for name, field in schema.items() if isinstance(field.column_type, PickleColumn)]
    if not names:
        return None
    return (
        f"The columns of {', '.join(names)} hold pickles, which are not read here: their files are "
        "as they were written, and what is in them is not known to be harmless."
    )
