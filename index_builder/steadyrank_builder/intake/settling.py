"""Deciding every id, resolving the links, closing the accounts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from steadyrank_builder.document import Document
from steadyrank_builder.intake.accounts import SourceAccount
from steadyrank_builder.intake.claims import DUPLICATE_ID, Claim, Verdict, decide
from steadyrank_builder.intake.links import LinkTable
from steadyrank_builder.intake.reading import Reading
from steadyrank_builder.intake.refusals import as_record
from steadyrank_builder.intake.shelf import Place, Shelf
from steadyrank_builder.manifest import DocumentEntry
from steadyrank_builder.records import Rejected


@dataclass(frozen=True)
class Intake:
    """What the sources come to.

    ``entries`` has digest and origins of every document of the index by id, ids ascending by
    code point. ``rejects`` are sorted by origin. ``kinds`` counts the documents by kind.
    """

    entries: dict[str, DocumentEntry]
    accounts: tuple[SourceAccount, ...]
    rejects: tuple[Rejected, ...]
    kinds: dict[str, int]
    dangling_links: int
    _shelf: Shelf
    _places: tuple[Place, ...]

    def documents(self) -> Iterator[Document]:
        """The documents themselves, in the order of ``entries``, as long as the shelf is open."""
        return (self._shelf.get(place) for place in self._places)

    def pairs(self) -> list[tuple[str, str]]:
        """Id and digest of each document, in the order of ``entries``."""
        return [(id_, entry.digest) for id_, entry in self.entries.items()]


def settle(reading: Reading, preferred: frozenset[int]) -> Intake:
    """Apply the duplicate rule to what was read, and resolve links among what it leaves.

    AccountingError where a record got lost on the way.
    """
    verdicts = {id_: decide(id_, reading.claims[id_], preferred) for id_ in sorted(reading.claims)}
    for verdict in verdicts.values():
        _account(reading, verdict)
    for account in reading.accounts:
        account.check()
    accepted = {
        id_: (verdict.accepted, verdict)
        for id_, verdict in verdicts.items()
        if verdict.accepted is not None
    }
    table = LinkTable()
    for id_, (claim, _) in accepted.items():
        table.add(id_, claim.document, claim.page_path)
    entries: dict[str, DocumentEntry] = {}
    places: list[Place] = []
    dangling = 0
    for id_, (claim, verdict) in accepted.items():
        digest, place, loose = _resolved(claim, table, reading.shelf)
        origins = sorted(o for c in (claim, *verdict.duplicates) for o in c.origins)
        entries[id_] = DocumentEntry(digest, tuple(origins))
        places.append(place)
        dangling += loose
    kinds = Counter(claim.kind for claim, _ in accepted.values())
    rejects = sorted(reading.rejects, key=lambda r: (r.origin, r.code, r.message, r.raw))
    return Intake(
        entries,
        tuple(reading.accounts),
        tuple(rejects),
        dict(sorted(kinds.items())),
        dangling,
        reading.shelf,
        tuple(places),
    )


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
        raw = as_record(reading.shelf.get(claim.place))
        reject = Rejected(claim.origins[0], DUPLICATE_ID, message, raw, claim.records)
        reading.reject(reading.accounts[claim.source], reject)


def _resolved(claim: Claim, table: LinkTable, shelf: Shelf) -> tuple[str, Place, int]:
    """Digest and place of the claim's document with its links resolved, and the loose ones."""
    if not claim.has_links:
        return claim.digest, claim.place, 0
    document = shelf.get(claim.place)
    resolved = table.resolve(document)
    loose = table.dangling(resolved.links)
    if resolved is document:
        return claim.digest, claim.place, loose
    return resolved.digest, shelf.put(resolved), loose
