"""Reading the sources to their ends, one claim to an id per source."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from steadyrank_builder.document import Document
from steadyrank_builder.errors import MaterialError
from steadyrank_builder.formats import ReadOptions, open_source
from steadyrank_builder.intake.accounts import SourceAccount
from steadyrank_builder.intake.claims import DUPLICATE_ID, Claim, repeated
from steadyrank_builder.intake.refusals import as_record, refusal
from steadyrank_builder.intake.shelf import Shelf
from steadyrank_builder.material import Source
from steadyrank_builder.records import Accepted, Rejected, Skipped

Tick = Callable[[int], None]  # called with the number of records read since the last call


class Reading:
    """What has been read so far: accounts by source number, claims by id, rejects."""

    def __init__(self, shelf: Shelf) -> None:
        self.shelf = shelf
        self.claims: dict[str, list[Claim]] = {}
        self.accounts: list[SourceAccount] = []
        self.rejects: list[Rejected] = []

    def read(self, sources: Sequence[Source], options: ReadOptions, tick: Tick) -> None:
        """Read all ``sources``. One MaterialError tells of every source that cannot be read."""
        problems: dict[Path, str] = {}
        for source in sources:
            try:
                self._read_source(source, options, tick)
            except MaterialError as error:
                problems.update(error.problems)
        if problems:
            raise MaterialError(problems)

    def reject(self, account: SourceAccount, reject: Rejected) -> None:
        """Count ``reject`` and keep it for the report."""
        account.rejected += reject.records
        self.rejects.append(reject)

    def _read_source(self, source: Source, options: ReadOptions, tick: Tick) -> None:
        opened = open_source(source, options)
        account = SourceAccount(source.name, opened.format, _group(source))
        number = len(self.accounts)
        self.accounts.append(account)
        for outcome in opened.outcomes:
            account.read += outcome.records
            tick(outcome.records)
            match outcome:
                case Accepted():
                    self._claim(number, account, outcome)
                case Skipped(reason=reason, records=records):
                    account.skipped[reason] += records
                case Rejected():
                    self.reject(account, outcome)

    def _claim(self, number: int, account: SourceAccount, outcome: Accepted) -> None:
        document = _with_plain_tags(outcome.document)
        if document is not outcome.document:
            outcome = replace(outcome, document=document)
        refused = refusal(document)
        if refused is not None:
            self._refuse(account, outcome, *refused)
            return
        claims = self.claims.setdefault(document.id, [])
        if not claims or claims[-1].source != number:
            claims.append(self._claim_of(number, outcome))
        elif claims[-1].digest == document.digest:
            claims[-1].origins.append(outcome.origin)
            account.duplicates += outcome.records
        else:
            self._refuse(account, outcome, DUPLICATE_ID, repeated(document.id, claims[-1]))

    def _claim_of(self, number: int, outcome: Accepted) -> Claim:
        document = outcome.document
        return Claim(
            source=number,
            digest=document.digest,
            origins=[outcome.origin],
            records=outcome.records,
            place=self.shelf.put(document),
            kind=document.kind,
            document=document.document,
            page_path=_page_path(document),
            has_links=bool(document.links),
        )

    def _refuse(self, account: SourceAccount, outcome: Accepted, code: str, message: str) -> None:
        raw = as_record(outcome.document)
        self.reject(account, Rejected(outcome.origin, code, message, raw, outcome.records))


def _with_plain_tags(document: Document) -> Document:
    """The document with one line per tag and no empty tag, which is how the index stores them."""
    if all(tag and "\n" not in tag for tag in document.tags):
        return document
    tags = (line for tag in document.tags for line in tag.split("\n"))
    return replace(document, tags=tuple(line for line in tags if line))


def _page_path(document: Document) -> str | None:
    path = document.attributes.get("path")
    return path if isinstance(path, str) and document.id.startswith("page:") else None


def _group(source: Source) -> str:
    """The folder argument that the source was found in, as names show it; empty for a file."""
    if source.root != "folder":
        return ""
    return source.name.removesuffix(source.page_path)
