"""What a format is: how it knows a file, and how it reads one.

A distribution adds formats by the entry point group ``steadyrank.formats``; each entry is an
object with the attributes of ``Format``, or a class that is called without arguments.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Protocol, runtime_checkable

from steadyrank_builder.formats.options import FormatInfo, ReadOptions
from steadyrank_builder.formats.raw_records import Raw, from_csv, from_json, from_jsonl, from_yaml
from steadyrank_builder.material import Source
from steadyrank_builder.reading.decode import JSON_LIMIT, PAGE_LIMIT, Text
from steadyrank_builder.reading.rows import Fault, Header, Row, read_rows
from steadyrank_builder.records import Outcome

# What a file is made of, before it is known what the records in it mean.
CONTAINERS = ("table", "jsonl", "json", "yaml", "xml", "html", "markdown", "text")


@dataclass(frozen=True)
class Head:
    """What a format may look at to know a file: its names, never more than its beginning.

    ``container`` is one of ``CONTAINERS``. ``names`` are the folded columns of a table, the keys
    of the first records of a list, the local names of the first elements of XML. ``key`` is where
    in a JSON or YAML file the list of records stands, as keys joined by dots; empty for a list
    that is the whole file. ``marks`` are what else tells: namespaces of XML, the types that
    JSON-LD in a page states, the ``type`` of JSON records. ``start`` is the beginning of the text.
    """

    container: str
    names: frozenset[str]
    key: str = ""
    marks: frozenset[str] = frozenset()
    start: str = ""


@dataclass(frozen=True)
class OpenFile:
    """A file that a format may read, as often as it wants to.

    ``text`` is the whole of it; ``head`` is what it was known by. Tables have ``header``.
    """

    source: Source
    text: Text
    head: Head
    header: Header | None = None
    node: Any = None  # of a YAML list

    @cached_property
    def content(self) -> str:
        """The whole text in memory; for files that are read in one piece. ContentError."""
        return self.text.read(JSON_LIMIT if self.head.container == "json" else PAGE_LIMIT)

    def rows(self) -> Iterator[Row | Fault]:
        """The rows of a table below its header. Streams."""
        assert self.header is not None
        return read_rows(self.text, self.header)

    def records(self) -> Iterator[Raw]:
        """The records of a table or a list, with their lines; what is none is a reject."""
        container = self.head.container
        if container == "table":
            assert self.header is not None
            return from_csv(self.source, self.text, self.header)
        if container == "jsonl":
            return from_jsonl(self.source, self.text)
        if container == "yaml":
            return from_yaml(self.source, self.content, self.node)
        return from_json(self.source, self.content, self.head.key)


@runtime_checkable
class Format(Protocol):
    """One format of material.

    ``info`` describes it. ``info.containers`` says which files it is asked about, and
    ``info.keys`` under which keys a JSON or YAML file may hold its list.
    """

    @property
    def info(self) -> FormatInfo:
        """What ``steadyrank formats`` shows."""

    def fit(self, head: Head, options: ReadOptions) -> int | None:
        """How many of the file's names it knows; None if the file is not of this format."""

    def read(self, file: OpenFile, options: ReadOptions) -> Iterator[Outcome]:
        """Every record of the file once, as Accepted, Skipped or Rejected. Streams."""
