"""Writing content as one segment, with Whoosh's own codec."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from steadyrank_builder.canonical.content import Content, default_value
from steadyrank_builder.publishing import layout


def write_segment(content: Content, folder: Path, *, tick: Callable[[], None]) -> Any:
    """Write ``content`` into the empty ``folder`` as generation 1 and return its segment.

    Postings, weights, positions, vectors, columns and stored fields are as they were. Lengths are
    those that their byte decodes to, which is all that is known of them; totals are the sums of
    these, as after any merge. ``tick`` is called once per document.
    """
    from whoosh.codec import default_codec
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC

    codec = default_codec()
    storage = FileStorage(str(folder))
    segment = codec.new_segment(storage, layout.INDEX_NAME)
    documents = codec.per_document_writer(storage, segment)
    fields = codec.field_writer(storage, segment)
    used: set[str] = set()
    for number, record in enumerate(content.records()):
        documents.start_doc(number)
        for name in sorted({*record.stored, *record.lengths}):
            documents.add_field(
                name, content.field(name), record.stored.get(name), record.lengths.get(name, 0)
            )
        for name, items in record.vectors.items():
            documents.add_vector_items(name, content.schema[name], items)
        columns = record.columns
        used |= set(columns)
        if number == len(content.ids) - 1:  # a column of bytes is no longer than its last value
            columns = {name: columns.get(name, _default(content, name)) for name in sorted(used)}
        for name, value in columns.items():
            documents.add_column_value(name, content.schema[name].column_type, value)
        documents.finish_doc()
        tick()
    documents.close()
    segment.set_doc_count(len(content.ids))
    lengths = codec.per_document_reader(storage, segment)
    fields.add_postings(content.schema, lengths, _items(content))
    fields.close()
    lengths.close()
    if segment.should_assemble():
        segment.create_compound_file(storage)
        segment.compound = True
    TOC(content.schema, [segment], 1).write(storage, layout.INDEX_NAME)
    return segment


def _default(content: Content, name: str) -> Any:
    return default_value(content.schema[name].column_type)


def _items(content: Content) -> Iterator[tuple[str, bytes, int, float, bytes]]:
    """Postings as the codec takes them."""
    for name, text, postings in content.terms():
        for number, weight, value in postings:
            yield name, text, number, weight, value
