"""Claims, decisions and rejects on disk, in the order in which they are asked for.

A private SQLite database without a name: it is gone with the process, however that ends, and
SQLite's sorting and its cache keep to the memory they are given. Text compares there by its UTF-8
bytes, which is the order of code points.
"""

from __future__ import annotations

import errno
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from itertools import groupby
from operator import itemgetter
from typing import Any

from steadyrank_builder.document import Origin
from steadyrank_builder.intake.claims import Claim
from steadyrank_builder.manifest import DocumentEntry
from steadyrank_builder.records import Rejected

_BATCH = 500  # rows; a call per row costs as much again as the row
_TABLES = """
CREATE TABLE claim(
    id TEXT, source INTEGER, number INTEGER, digest BLOB, origin TEXT, line INTEGER,
    end_line INTEGER, records INTEGER, offset INTEGER, length INTEGER, kind TEXT, document TEXT,
    page_path TEXT, has_links INTEGER, language TEXT);
CREATE TABLE accepted(
    id TEXT PRIMARY KEY, digest BLOB, offset INTEGER, length INTEGER, origins TEXT,
    has_links INTEGER) WITHOUT ROWID;
CREATE TABLE target(name TEXT PRIMARY KEY) WITHOUT ROWID;
CREATE TABLE page(path TEXT, document TEXT, PRIMARY KEY(path, document)) WITHOUT ROWID;
CREATE TABLE reject(
    origin BLOB, line INTEGER, end_line INTEGER, code BLOB, message BLOB, raw BLOB,
    records INTEGER);
"""


class Ledger:
    """What the intake has to remember of every record, in ``memory_mb`` megabytes.

    OSError when the disk for temporary files is full.
    """

    def __init__(self, memory_mb: int) -> None:
        self._db = sqlite3.connect("", isolation_level=None)
        self._claims: list[tuple[Any, ...]] = []
        self._accepted: list[tuple[Any, ...]] = []
        self._number = 0
        with _disk():
            # Nothing is ever rolled back, and nothing outlives the process.
            self._db.execute("PRAGMA journal_mode=OFF")
            self._db.execute("PRAGMA synchronous=OFF")
            self._db.execute("PRAGMA temp_store=FILE")
            self._db.execute(f"PRAGMA cache_size={-1024 * memory_mb}")
            self._db.executescript(_TABLES)
            self._db.execute("BEGIN")

    def close(self) -> None:
        """Forget everything."""
        self._db.close()

    # Claims, as they are read.

    def claim(self, id_: str, claim: Claim) -> None:
        """Remember one more claim to ``id_``."""
        self._number += 1
        origin = claim.origins[0]
        self._claims.append(
            (
                id_, claim.source, self._number, bytes.fromhex(claim.digest), origin.source,
                origin.line, origin.end_line, claim.records, *claim.place, claim.kind,
                claim.document, claim.page_path, claim.has_links, claim.language,
            )
        )  # fmt: skip
        if len(self._claims) >= _BATCH:
            self._flush_claims()

    def withdraw(self, source: int) -> None:
        """Forget the claims of ``source``."""
        self._flush_claims()
        with _disk():
            self._db.execute("DELETE FROM claim WHERE source = ?", (source,))

    def claims(self) -> Iterator[tuple[str, list[Claim]]]:
        """Each id with its claims, ids by code point, claims by source and as they were read."""
        self._flush_claims()
        with _disk():
            rows = self._db.execute("SELECT * FROM claim ORDER BY id, source, number")
            for id_, group in groupby(rows, key=itemgetter(0)):
                yield id_, [_claim_of(row) for row in group]

    def _flush_claims(self) -> None:
        with _disk():
            self._db.executemany(f"INSERT INTO claim VALUES ({_marks(15)})", self._claims)
        self._claims.clear()

    # Decisions, in id order.

    def accept(self, id_: str, claim: Claim, origins: Iterable[Origin]) -> None:
        """``claim`` has ``id_``; ``origins`` are its own and its duplicates'."""
        places = json.dumps([(o.source, o.line, o.end_line) for o in origins])
        self._accepted.append(
            (id_, bytes.fromhex(claim.digest), *claim.place, places, claim.has_links)
        )
        if len(self._accepted) >= _BATCH:
            self.flush_accepted()

    def flush_accepted(self) -> None:
        """Call it after the last ``accept``."""
        with _disk():
            self._db.executemany(f"INSERT INTO accepted VALUES ({_marks(6)})", self._accepted)
        self._accepted.clear()

    def move(self, id_: str, digest: str, place: tuple[int, int]) -> None:
        """The document of ``id_`` is now another, at another place."""
        with _disk():
            self._db.execute(
                "UPDATE accepted SET digest = ?, offset = ?, length = ? WHERE id = ?",
                (bytes.fromhex(digest), *place, id_),
            )

    def linking(self) -> Iterator[tuple[str, tuple[int, int]]]:
        """Id and place of each accepted document with links; they can be moved meanwhile."""
        last = ""
        while found := list(
            self._rows(
                "SELECT id, offset, length FROM accepted WHERE has_links AND id > ? ORDER BY id "
                f"LIMIT {_BATCH}",
                last,
            )
        ):
            for id_, offset, length in found:
                yield id_, (offset, length)
            last = found[-1][0]

    def count(self) -> int:
        """How many documents are accepted."""
        return int(self._one("SELECT count(*) FROM accepted")[0])

    def places(self) -> Iterator[tuple[int, int]]:
        """Where the accepted documents are, in id order."""
        yield from self._rows("SELECT offset, length FROM accepted ORDER BY id")

    def place(self, id_: str) -> tuple[int, int] | None:
        """Where the accepted document of ``id_`` is."""
        for row in self._rows("SELECT offset, length FROM accepted WHERE id = ?", id_):
            return row[0], row[1]
        return None

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Id and digest of the accepted documents, in id order."""
        for id_, digest in self._rows("SELECT id, digest FROM accepted ORDER BY id"):
            yield id_, digest.hex()

    def entries(self) -> Iterator[tuple[str, DocumentEntry]]:
        """What the manifest says of the accepted documents, in id order."""
        for row in self._rows("SELECT id, digest, origins FROM accepted ORDER BY id"):
            yield row[0], _entry_of(row)

    def origin_names(self) -> list[str]:
        """The names of the sources that claims came from."""
        return [row[0] for row in self._rows("SELECT DISTINCT origin FROM claim ORDER BY origin")]

    def entry(self, id_: str) -> DocumentEntry | None:
        """The same for one id, None where it is not accepted."""
        for row in self._rows("SELECT id, digest, origins FROM accepted WHERE id = ?", id_):
            return _entry_of(row)
        return None

    # Where links can lead.

    def add_target(self, name: str, document: str, path: str | None) -> None:
        """Make known an accepted id, its document, and its page's file where it has one."""
        with _disk():
            self._db.execute("INSERT OR IGNORE INTO target VALUES (?), (?)", (name, document))
            if path:
                self._db.execute("INSERT OR IGNORE INTO page VALUES (?, ?)", (path, document))

    def is_target(self, name: str) -> bool:
        """Whether ``name`` is an accepted id or document."""
        return any(True for _ in self._rows("SELECT 1 FROM target WHERE name = ?", name))

    def pages(self, path: str) -> list[str]:
        """The documents whose page has the file ``path``."""
        return [row[0] for row in self._rows("SELECT document FROM page WHERE path = ?", path)]

    # Rejects.

    def reject(self, reject: Rejected) -> None:
        """Keep ``reject`` with its raw record."""
        texts = (reject.origin.source, reject.code, reject.message, reject.raw)
        source, code, message, raw = (text.encode("utf-8", "surrogatepass") for text in texts)
        place = (source, reject.origin.line, reject.origin.end_line)
        with _disk():
            self._db.execute(
                f"INSERT INTO reject VALUES ({_marks(7)})",
                (*place, code, message, raw, reject.records),
            )

    def rejects(self) -> Iterator[Rejected]:
        """All rejects, by origin."""
        for row in self._rows(
            "SELECT * FROM reject ORDER BY origin, line, end_line, code, message, raw"
        ):
            texts = (row[at].decode("utf-8", "surrogatepass") for at in (0, 3, 4, 5))
            source, code, message, raw = texts
            yield Rejected(Origin(source, row[1], row[2]), code, message, raw, row[6])

    def reject_counts(self) -> tuple[int, int]:
        """How many rejects there are, and how many records they are."""
        rejects, records = self._one("SELECT count(*), total(records) FROM reject")
        return int(rejects), int(records)

    def _rows(self, query: str, *values: Any) -> Iterator[tuple[Any, ...]]:
        with _disk():
            yield from self._db.execute(query, values)

    def _one(self, query: str) -> tuple[Any, ...]:
        return next(self._rows(query))


def _claim_of(row: tuple[Any, ...]) -> Claim:
    return Claim(
        source=row[1],
        digest=row[3].hex(),
        origins=[Origin(row[4], row[5], row[6])],
        records=row[7],
        place=(row[8], row[9]),
        kind=row[10],
        language=row[14],
        document=row[11],
        page_path=row[12],
        has_links=bool(row[13]),
    )


def _entry_of(row: tuple[Any, ...]) -> DocumentEntry:
    places = json.loads(row[2])
    return DocumentEntry(row[1].hex(), tuple(Origin(*place) for place in places))


def _marks(count: int) -> str:
    return ", ".join("?" * count)


@contextmanager
def _disk() -> Iterator[None]:
    """SQLite's errors of the disk as the system's."""
    try:
        yield
    except sqlite3.OperationalError as error:
        code = errno.ENOSPC if "full" in str(error) else errno.EIO
        message = f"the intake's temporary file ({error}); TMPDIR names a folder with more room"
        raise OSError(code, message) from error
