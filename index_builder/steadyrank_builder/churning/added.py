"""Documents to add, from a file of records or from another index."""

from __future__ import annotations

import difflib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steadyrank.errors import SteadyRankError
from steadyrank.index import open_index
from steadyrank_builder.churning.corpus import Stored, opened, read_corpus
from steadyrank_builder.runs import Way, json_lines

_SHOWN = 20


class AddedError(SteadyRankError, ValueError):
    """Documents that cannot be added. The message lists all that is wrong; ``faults`` has each."""

    def __init__(self, path: Path, *faults: str) -> None:
        shown = "; ".join(faults[:_SHOWN])
        more = len(faults) - _SHOWN
        super().__init__(f"{path}: {shown}" + (f"; and {more} more" if more > 0 else ""))
        self.faults = faults


def read_added(path: Path, folder: Path, way: Way) -> list[Stored]:
    """The documents of ``path``, as keyword arguments of ``add_document`` for the index in
    ``folder``.

    A folder is an index, and all its live documents count. A file is JSONL, or a JSON list: one
    object per document, whose keys are fields of the schema. Raises AddedError that lists every
    fault: unknown fields, records without an id, ids that occur twice or are in the index;
    NoIndexError for a folder without an index.
    """
    index = opened(folder, way)
    schema, id_field = index.schema, index.policy.id_field
    documents: list[tuple[str, Any]]
    if path.is_dir():
        with open_index(path, id_field=None).reader() as reader:
            documents = [("a document", dict(one)) for one in read_corpus(reader).documents]
    else:
        documents = _records(path)
    faults: list[str] = []
    seen: dict[Any, str] = {}
    if id_field is not None:
        with index.reader() as reader:
            stored = read_corpus(reader).documents
        seen = {one[id_field]: "a document of the index" for one in stored if id_field in one}
    for where, document in documents:
        if not isinstance(document, Mapping):
            faults.append(f"{where} is no object with fields")
            continue
        faults += [f"{where}: {_unknown(name, schema)}" for name in document if name not in schema]
        if id_field is not None:
            id = document.get(id_field)
            if id in (None, ""):
                faults.append(f"{where} has no {id_field}")
            elif id in seen:
                faults.append(f"{where} has the {id_field} {id!r} of {seen[id]}")
            else:
                seen[id] = where
    if faults:
        raise AddedError(path, *dict.fromkeys(faults))
    if not documents:
        raise AddedError(path, "there is no document in it")
    return [
        {name: _value(value, schema[name]) for name, value in document.items()}
        for _, document in documents
    ]


def _value(value: Any, kind: Any) -> Any:
    # Whoosh takes the elements of a list for finished terms, and does not analyse them.
    texts = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return "\n".join(value) if texts and kind.indexed else value


def _records(path: Path) -> list[tuple[str, Any]]:
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise AddedError(path, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise AddedError(path, f"not UTF-8: {error}") from error
    if path.suffix == ".json":
        try:
            content = json.loads(text)
        except ValueError as error:
            raise AddedError(path, f"not JSON: {error}") from error
        if not isinstance(content, list):
            raise AddedError(path, "not a list of documents")
        return [(f"entry {number}", entry) for number, entry in enumerate(content, start=1)]
    records, faults = json_lines(text)
    if faults:
        raise AddedError(path, *faults)
    return records


def _unknown(name: str, schema: Any) -> str:
    near = difflib.get_close_matches(str(name), schema.names(), n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {', '.join(schema.names())}"
    return f"the index has no field {name!r}; {hint}"
