"""Product exports with one row for each variant: rows of one product become one document.

- A row with a title starts a product, unless the rows right above it have the same handle and
  the same title, or none yet.
- A row without a title belongs to the product of its handle, wherever that stands in the file
  (Spree writes the prices of a second currency below all products); without a handle too, it
  belongs to the product above.
- A second product with the handle of an earlier one is a reject (``duplicate-handle``), and so
  are rows that belong to a row that could not be read (``orphan-row``).
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from steadyrank_builder.document import Origin
from steadyrank_builder.formats.detection import Anchored, Anchors
from steadyrank_builder.formats.options import FormatInfo, ReadOptions
from steadyrank_builder.formats.product import product_document
from steadyrank_builder.formats.product_columns import (
    SHOPIFY_NEW,
    SHOPIFY_OLD,
    SPREE,
    ProductColumns,
)
from steadyrank_builder.formats.product_rows import ProductRows, product_of_rows
from steadyrank_builder.formats.protocol import OpenFile
from steadyrank_builder.formats.refusals import fault_outcome
from steadyrank_builder.formats.values import FieldError
from steadyrank_builder.material import Source
from steadyrank_builder.reading.html_text import HtmlError, one_line
from steadyrank_builder.reading.ids import IdError, folded
from steadyrank_builder.reading.rows import Fault, Header, Row
from steadyrank_builder.records import Accepted, Outcome, Rejected, Skipped

# Statuses of products that are not on sale to everybody.
_NOT_ON_SALE = frozenset(("draft", "archived", "unlisted"))
_NO = frozenset(("false", "no", "0"))


@dataclass
class _Group:
    """Rows of one product as they come; ``refusal`` says why it cannot be one."""

    handle: str
    title: str
    rows: list[Row]
    refusal: tuple[str, str] | None = None


def product_outcomes(
    file: OpenFile, columns: ProductColumns, options: ReadOptions
) -> Iterator[Outcome]:
    """The products of a file. Holds the rows of a product until its last row was read."""
    assert file.header is not None
    reader = _Reader(file.source, file.header, columns, options)
    for row in file.rows():
        reader.look_ahead(row)
    reader.keep_scattered()
    for row in file.rows():
        yield from reader.take(row)
    yield from reader.finish()


class _Reader:
    def __init__(
        self, source: Source, header: Header, columns: ProductColumns, options: ReadOptions
    ) -> None:
        self.source = source
        self.header = header
        self.columns = columns
        self.language = options.language
        self.language_of = folded(options.language_of)
        self.handle_at = header.index[columns.handle]
        self.title_at = header.index[columns.title]
        self.others = tuple(
            (header.names[at], at)
            for column, at in header.index.items()
            if not columns.taken(column) and column != self.language_of
        )
        self.group: _Group | None = None
        self.held: dict[str, _Group] = {}
        self.unsure = False  # a row was lost, so one without a handle may belong to it
        self.first_line: dict[str, int] = {}
        self.last_line: dict[str, int] = {}
        self.scattered: set[str] = set()
        self.ahead = ""

    def look_ahead(self, row: Row | Fault) -> None:
        """First pass: which handles have rows in more than one place, and where the last is."""
        handle = self.handle(row) if isinstance(row, Row) else ""
        if handle:
            if handle != self.ahead and handle in self.last_line:
                self.scattered.add(handle)
            self.last_line[handle] = row.line
            self.ahead = handle

    def keep_scattered(self) -> None:
        """Between the passes: only products in several places have to wait for more rows."""
        self.last_line = {handle: self.last_line[handle] for handle in self.scattered}

    def handle(self, row: Row) -> str:
        return unicodedata.normalize("NFC", row.cells[self.handle_at]).strip()

    def take(self, row: Row | Fault) -> Iterator[Outcome]:
        if isinstance(row, Fault):
            yield fault_outcome(self.source, row)
            self.unsure = True
            return
        if not any(map(str.strip, row.cells)):
            yield Skipped(Origin(self.source.name, row.line, row.end_line), "empty row")
            return
        handle = self.handle(row)
        title = row.cells[self.title_at].strip()
        if handle or title:
            self.unsure = False
        elif self.unsure or self.group is None:
            yield self.orphan(row)
            return
        group = self.group
        if group is not None and _continues(group, handle, title):
            group.title = group.title or title
            group.rows.append(row)
            return
        yield from self.close(row.line)
        earlier = self.held.get(handle)
        if earlier is not None and not (title and earlier.title):
            earlier.title = earlier.title or title
            earlier.rows.append(row)
            self.group = self.held.pop(handle)
        else:
            self.group = self.start(handle, title, row)

    def start(self, handle: str, title: str, row: Row) -> _Group:
        group = _Group(handle, title, [row])
        if not handle:
            group.refusal = (
                "empty-handle",
                f'"{self.name(self.columns.handle)}" is empty, so {title!r} has no id',
            )
        elif handle in self.first_line:
            group.refusal = (
                "duplicate-handle",
                f"{handle!r} is already the handle of the product at line "
                f"{self.first_line[handle]}; give this one a handle of its own or delete one",
            )
        else:
            self.first_line[handle] = row.line
        return group

    def close(self, line: int) -> Iterator[Outcome]:
        """The group at hand ends before ``line``: it is done, or waits for rows further down."""
        group, self.group = self.group, None
        if group is None:
            return
        if group.refusal is None and self.last_line.get(group.handle, 0) >= line:
            self.held[group.handle] = group
        else:
            yield self.outcome(group)

    def finish(self) -> Iterator[Outcome]:
        """The end of the file: nothing is waited for any longer."""
        waiting = [*self.held.values(), *([self.group] if self.group else [])]
        for group in sorted(waiting, key=lambda group: group.rows[0].line):
            yield self.outcome(group)

    def outcome(self, group: _Group) -> Outcome:
        rows = group.rows
        origin = Origin(self.source.name, rows[0].line, _run_end(rows))
        product = ProductRows(self.header, self.columns, self.others, rows)
        if group.refusal:
            return self.rejected(group, origin, *group.refusal)
        if reason := _not_on_sale(product):
            return Skipped(origin, reason, len(rows))
        if not one_line(group.title):
            name = self.name(self.columns.title)
            message = f'"{name}" of {group.handle!r} is empty'
            return self.rejected(group, origin, "empty-title", message)
        language = product.first(self.language_of) or self.language
        try:
            document = product_document(product_of_rows(product, language))
            return Accepted(document, origin, len(rows))
        except (IdError, FieldError, HtmlError) as error:
            return self.rejected(group, origin, error.code, str(error))

    def rejected(self, group: _Group, origin: Origin, code: str, message: str) -> Rejected:
        raw = "\n".join(row.raw for row in group.rows)
        return Rejected(origin, code, message, raw, len(group.rows))

    def orphan(self, row: Row) -> Rejected:
        message = (
            "a row without handle and title, and the row above it that it would belong to was "
            "rejected; correct that one first"
            if self.unsure
            else "a row without handle and title, and no product above it"
        )
        origin = Origin(self.source.name, row.line, row.end_line)
        return Rejected(origin, "orphan-row", message, row.raw)

    def name(self, column: str) -> str:
        """The column's name as the file writes it."""
        return self.header.names[self.header.index[column]]


def _continues(group: _Group, handle: str, title: str) -> bool:
    if handle not in ("", group.handle):
        return False
    return title in ("", group.title) or bool(handle and not group.title)


def _run_end(rows: list[Row]) -> int:
    """The last line of the rows that stand together; blank lines and the like do not part them."""
    end = rows[0].end_line
    for row in rows[1:]:
        if row.line > end + 2:
            break
        end = row.end_line
    return end


def _not_on_sale(product: ProductRows) -> str:
    status = product.first(product.columns.status).lower()
    if status in _NOT_ON_SALE:
        return status
    if product.first(product.columns.published).lower() in _NO:
        return "unpublished"
    return ""


_FIELDS = ("handle", "title", "description", "tags", "status", "options", "sku", "price")


def _shopify(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    new = "url handle" in file.head.names
    return product_outcomes(file, SHOPIFY_NEW if new else SHOPIFY_OLD, options)


def _spree(file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
    return product_outcomes(file, SPREE, options)


SHOPIFY_CSV = Anchored(
    FormatInfo(
        "shopify-csv",
        "Shopify product export, old and new columns; variant rows join their product",
        "columns Handle and Title with two of Body (HTML), Variant SKU, Variant Price; "
        "or Title, URL handle and Description",
        _FIELDS,
        (".csv", ".tsv"),
        ("table",),
    ),
    (
        Anchors(
            frozenset(("handle", "title")),
            frozenset(("body (html)", "variant sku", "variant price")),
            2,
            frozenset(("url handle",)),
            knows=SHOPIFY_OLD.taken,
        ),
        Anchors(
            frozenset(("title", "url handle", "description")),
            none_of=frozenset(("handle", "body (html)", "variant sku")),
            knows=SHOPIFY_NEW.taken,
        ),
    ),
    _shopify,
)
SPREE_CSV = Anchored(
    FormatInfo(
        "spree-csv",
        "Spree product export; variant rows repeat the slug and have no name",
        "columns slug, sku and name",
        _FIELDS,
        (".csv", ".tsv"),
        ("table",),
    ),
    (
        Anchors(
            frozenset(("slug", "sku", "name")),
            none_of=frozenset(("handle", "url handle")),
            knows=SPREE.taken,
        ),
    ),
    _spree,
)
