"""Reading the sources to their ends, and keeping what they claim."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from steadyrank_builder.document import Document
from steadyrank_builder.errors import MaterialError
from steadyrank_builder.formats import Opened, ReadOptions, open_source
from steadyrank_builder.intake.accounts import SourceAccount
from steadyrank_builder.intake.claims import Claim
from steadyrank_builder.intake.refusals import as_record, refusal
from steadyrank_builder.intake.shelf import Shelf
from steadyrank_builder.material import Source
from steadyrank_builder.records import Accepted, Outcome, Rejected, Skipped

Tick = Callable[[int], None]  # called with the number of records read since the last call

_CONTENT = 1 << 256


class Recorder(Protocol):
    """Who wants the outcomes as they are read; sources come one after another."""

    def begin(self, name: str) -> None:
        """The outcomes of the source ``name`` follow; those of it that came before are void."""

    def add(self, outcome: Outcome) -> None:
        """One more outcome of this source."""

    def end(self) -> None:
        """That was the last one."""


@dataclass(frozen=True)
class Earlier:
    """What a source was when it was read last, as ``outcomes`` opens it.

    ``current`` says that reading it again would give the same; else it stands in only when
    nothing of the source can be used now.
    """

    opened: Callable[[], Opened]
    current: bool


class _NoRecorder:
    def begin(self, name: str) -> None:
        pass

    def add(self, outcome: Outcome) -> None:
        pass

    def end(self) -> None:
        pass


class Reading:
    """What has been read so far: accounts by source number; claims and rejects in the ledger."""

    def __init__(
        self,
        shelf: Shelf,
        earlier: Mapping[str, Earlier] | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        self.shelf = shelf
        self.accounts: list[SourceAccount] = []
        self.unread: list[str] = []
        self.has_links = False
        self._earlier = earlier or {}
        self._recorder = recorder or _NoRecorder()

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
        self.shelf.ledger.reject(reject)

    def _read_source(self, source: Source, options: ReadOptions, tick: Tick) -> None:
        earlier = self._earlier.get(source.name)
        current = earlier is not None and earlier.current
        opened = earlier.opened() if earlier and current else open_source(source, options)
        number = len(self.accounts)
        account = SourceAccount(source.name, opened.format, _group(source))
        self.accounts.append(account)
        usable = self._take(number, opened, tick)
        if not usable and earlier is not None and not current:
            # What it was stays, its rejects of now are told, and the next run tries again.
            self.shelf.ledger.withdraw(number)
            self.unread.append(source.name)
            opened = earlier.opened()
            self.accounts[number] = SourceAccount(
                source.name, opened.format, account.group,
                read=account.rejected, rejected=account.rejected,
            )  # fmt: skip
            self._take(number, opened, tick)

    def _take(self, number: int, opened: Opened, tick: Tick) -> bool:
        """Take in all outcomes; False where nothing of the source could be used, or not all."""
        account = self.accounts[number]
        self._recorder.begin(account.path)
        usable = rejected = 0
        ended = False
        for outcome in _gated(opened.outcomes):
            self._recorder.add(outcome)
            account.read += outcome.records
            tick(outcome.records)
            match outcome:
                case Accepted():
                    usable += 1
                    self._claim(number, account, outcome)
                case Skipped(reason=reason, records=records):
                    account.skipped[reason] += records
                case Rejected():
                    rejected += 1
                    ended = ended or outcome.ends
                    self.reject(account, outcome)
        self._recorder.end()
        return not ended and (usable > 0 or not rejected)

    def _claim(self, number: int, account: SourceAccount, outcome: Accepted) -> None:
        document = outcome.document
        # A sum does not depend on the order, and tells one record from two of the same.
        account.content = (account.content + int(document.digest, 16) * outcome.records) % _CONTENT
        self.has_links = self.has_links or bool(document.links)
        claim = Claim(
            source=number,
            digest=document.digest,
            origins=[outcome.origin],
            records=outcome.records,
            place=self.shelf.put(document),
            kind=document.kind,
            language=document.language,
            document=document.document,
            page_path=_page_path(document),
            has_links=bool(document.links),
        )
        self.shelf.ledger.claim(document.id, claim)


def _gated(outcomes: Iterator[Outcome]) -> Iterator[Outcome]:
    """The outcomes, with what no document may have made a reject."""
    for outcome in outcomes:
        if not isinstance(outcome, Accepted):
            yield outcome
            continue
        document = _with_plain_tags(outcome.document)
        refused = refusal(document)
        if refused is not None:
            yield Rejected(outcome.origin, *refused, as_record(document), outcome.records)
        elif document is outcome.document:
            yield outcome
        else:
            yield replace(outcome, document=document)


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
