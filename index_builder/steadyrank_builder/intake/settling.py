"""Deciding every id, resolving the links, closing the accounts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from steadyrank_builder.document import Document
from steadyrank_builder.intake.accounts import SourceAccount
from steadyrank_builder.intake.claims import DUPLICATE_ID, Claim, Verdict, decide, repeated
from steadyrank_builder.intake.ledger import Ledger
from steadyrank_builder.intake.links import LinkTable
from steadyrank_builder.intake.reading import Reading
from steadyrank_builder.intake.refusals import as_record
from steadyrank_builder.intake.shelf import Shelf
from steadyrank_builder.intake.views import Entries, Rejects
from steadyrank_builder.records import Rejected


@dataclass(frozen=True)
class Intake:
    """What the sources come to, as long as the shelf is open.

    ``entries`` has digest and origins of every document of the index by id, ids ascending by
    code point. ``rejects`` are sorted by origin. ``kinds`` counts the documents by kind,
    ``languages`` by their language as they name it.
    ``unread`` names the sources of which nothing could be used, and which therefore count as
    they were when they were read last.
    """

    entries: Entries
    accounts: tuple[SourceAccount, ...]
    rejects: Rejects
    kinds: dict[str, int]
    languages: dict[str, int]
    dangling_links: int
    unread: tuple[str, ...]
    _shelf: Shelf

    def documents(self) -> Iterator[Document]:
        """The documents themselves, in the order of ``entries``."""
        return (self._shelf.get(place) for place in self._shelf.ledger.places())

    def document(self, id_: str) -> Document:
        """The document of ``id_``. KeyError where there is none."""
        place = self._shelf.ledger.place(id_)
        if place is None:
            raise KeyError(id_)
        return self._shelf.get(place)

    def pairs(self) -> Iterator[tuple[str, str]]:
        """Id and digest of each document, in the order of ``entries``."""
        return self._shelf.ledger.pairs()


def settle(reading: Reading, preferred: frozenset[int]) -> Intake:
    """Apply the duplicate rule to what was read, and resolve links among what it leaves.

    AccountingError where a record got lost on the way.
    """
    ledger = reading.shelf.ledger
    table = LinkTable(ledger)
    links = reading.has_links
    kinds: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    for id_, claims in ledger.claims():
        verdict = decide(id_, _versions(reading, id_, claims), preferred)
        _account(reading, verdict)
        claim = verdict.accepted
        if claim is None:
            continue
        kinds[claim.kind] += 1
        languages[claim.language] += 1
        origins = sorted(o for c in (claim, *verdict.duplicates) for o in c.origins)
        ledger.accept(id_, claim, origins)
        if links:  # without a link nobody asks where links can lead
            table.add(id_, claim.document, claim.page_path)
    ledger.flush_accepted()
    for account in reading.accounts:
        account.check()
    return Intake(
        Entries(ledger),
        tuple(reading.accounts),
        Rejects(ledger),
        dict(sorted(kinds.items())),
        dict(sorted(languages.items())),
        _resolve(ledger, table, reading.shelf),
        tuple(reading.unread),
        reading.shelf,
    )


def _versions(reading: Reading, id_: str, claims: list[Claim]) -> list[Claim]:
    """One claim per source: a source's first. Its later ones are duplicates or rejects."""
    versions: list[Claim] = []
    for claim in claims:
        if not versions or versions[-1].source != claim.source:
            versions.append(claim)
            continue
        first = versions[-1]
        account = reading.accounts[claim.source]
        if claim.digest == first.digest:
            first.origins += claim.origins
            account.duplicates += claim.records
        else:
            _reject(reading, claim, repeated(id_, first))
    return versions


def _account(reading: Reading, verdict: Verdict) -> None:
    if verdict.accepted is not None:
        claim = verdict.accepted
        account = reading.accounts[claim.source]
        account.accepted += 1
        account.merged += claim.records - 1
        account.kinds[claim.kind] += 1
    for claim in verdict.duplicates:
        reading.accounts[claim.source].duplicates += claim.records
    for claim, message in verdict.rejected:
        _reject(reading, claim, message)


def _reject(reading: Reading, claim: Claim, message: str) -> None:
    raw = as_record(reading.shelf.get(claim.place))
    reject = Rejected(claim.origins[0], DUPLICATE_ID, message, raw, claim.records)
    reading.reject(reading.accounts[claim.source], reject)


def _resolve(ledger: Ledger, table: LinkTable, shelf: Shelf) -> int:
    """Turn links to paths into links to ids; the number of links to what is not in the index."""
    loose = 0
    for id_, place in ledger.linking():
        document = shelf.get(place)
        resolved = table.resolve(document)
        loose += table.dangling(resolved.links)
        if resolved is not document:
            ledger.move(id_, resolved.digest, shelf.put(resolved))
    return loose
