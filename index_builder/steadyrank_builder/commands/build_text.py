"""What a build did, as text for people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from steadyrank_builder.building.report import BuildReport
from steadyrank_builder.intake import SourceAccount
from steadyrank_builder.output import thousands

_SHOWN = 10
_WIDTH = 100


def lines(report: BuildReport, rejects: Path | None) -> Iterator[str]:
    """The summary: a line per file or folder, rejects, changes, what was published."""
    rows = [_row(name, accounts) for name, accounts in _groups(report.sources).items()]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(2)]
    for name, format_, counts in rows:
        yield f"{name:<{widths[0]}}  {format_:<{widths[1]}}  {counts}"
    yield from _rejects(report, rejects)
    if report.dangling_links:
        yield f"{_count(report.dangling_links, 'link')} to what is not in the index"
    yield from _sources(report)
    changes = report.changes
    if report.previous is not None:
        yield (
            f"since generation {report.previous}: +{changes.added} ~{changes.changed} "
            f"-{changes.removed} ={changes.unchanged}"
        )
    yield from _renamed(report)
    documents = _count(report.documents, "document")
    yield f"{_outcome(report)}: {documents}, digest {report.digest}, {report.seconds:.1f} s"
    if report.dry:
        yield from (f"would stop: {each.message}" for each in report.tripped)


def _outcome(report: BuildReport) -> str:
    if report.published:
        return f"published generation {report.generation}"
    if report.tripped and not report.dry:
        return "published nothing"
    changes = report.changes
    if report.dry and (
        report.previous is None or changes.added + changes.changed + changes.removed
    ):
        return "would publish"
    return f"nothing to publish, generation {report.generation} has the same content"


def _sources(report: BuildReport) -> Iterator[str]:
    """What an update did not read, by why."""
    for names, what in (
        (report.unchanged, "not read again, as nothing changed there"),
        (report.kept, "kept, as nothing was said of it"),
        (report.gone, "gone"),
        (report.unread, "kept, as nothing of it can be used now"),
    ):
        if names:
            more = f" and {thousands(len(names) - _SHOWN)} more" if len(names) > _SHOWN else ""
            yield f"{what}: {', '.join(names[:_SHOWN])}{more}"


def _renamed(report: BuildReport) -> Iterator[str]:
    for old, new in report.renamed[:_SHOWN]:
        yield f"  renamed? {old} -> {new}"
    if len(report.renamed) > _SHOWN:
        yield f"  and {thousands(len(report.renamed) - _SHOWN)} more"


def _groups(accounts: Sequence[SourceAccount]) -> dict[str, list[SourceAccount]]:
    """Accounts by folder argument, and those of files by themselves."""
    groups: dict[str, list[SourceAccount]] = {}
    for account in accounts:
        groups.setdefault(account.group or account.path, []).append(account)
    return groups


def _row(name: str, accounts: list[SourceAccount]) -> tuple[str, str, str]:
    folder = bool(accounts[0].group)
    formats = ", ".join(sorted({account.format for account in accounts}))
    read = sum(account.read for account in accounts)
    kinds: Counter[str] = Counter()
    skipped: Counter[str] = Counter()
    for account in accounts:
        kinds += account.kinds
        skipped += account.skipped
    start = _count(read, "record")
    if folder:
        start = f"{_count(len(accounts), 'file')}, {start}"
    counts = [_of_kind(number, kind) for kind, number in sorted(kinds.items())] or ["nothing"]
    if merged := sum(account.merged for account in accounts):
        counts[-1] += f" ({_count(merged, 'record')} merged)"
    if duplicates := sum(account.duplicates for account in accounts):
        counts.append(_count(duplicates, "duplicate"))
    if rejected := sum(account.rejected for account in accounts):
        counts.append(f"{thousands(rejected)} rejected")
    counts += [f"{thousands(number)} skipped ({why})" for why, number in sorted(skipped.items())]
    return name, formats, f"{start} -> {', '.join(counts)}"


def _rejects(report: BuildReport, path: Path | None) -> Iterator[str]:
    if not report.rejects:
        return
    where = f" -> {path}" if path is not None else ""
    yield f"rejected {thousands(report.rejected)}{where}"
    for reject in report.rejects[:_SHOWN]:
        message = (
            reject.message
            if len(reject.message) <= _WIDTH
            else (reject.message[: _WIDTH - 3] + "...")
        )
        yield f"  {reject.origin}  {reject.code}  {message}"
    shown = sum(reject.records for reject in report.rejects[:_SHOWN])
    if more := report.rejected - shown:
        hint = "" if path is not None else "; --rejects FILE lists all"
        yield f"  and {thousands(more)} more{hint}"


def _of_kind(number: int, kind: str) -> str:
    """``312 products``; kinds that the material made up are shown as they are."""
    nouns = {"product": "product", "page": "section"}
    return _count(number, nouns[kind]) if kind in nouns else f"{thousands(number)} {kind}"


def _count(number: int, noun: str) -> str:
    return f"{thousands(number)} {noun}{'' if number == 1 else 's'}"
