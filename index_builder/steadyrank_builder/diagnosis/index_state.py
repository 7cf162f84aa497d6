"""What an index looks like to a total order: ids, leftovers, and what it was made with."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank_builder.diagnosis.finding import Finding, note, problem
from steadyrank_builder.failures import ManifestError
from steadyrank_builder.manifest import Manifest, read_manifest
from steadyrank_builder.provenance import made_with

_SHOWN = 10
_MANY_DELETED = 0.25


@dataclass(frozen=True, slots=True)
class IndexState:
    """Counts of one index: live and deleted documents, segments, ids that are no ids.

    ``made_with`` is what its manifest records, None for an index of others.
    """

    path: str
    generation: int
    release: str
    segments: int
    documents: int
    deleted: int
    duplicate_ids: int
    missing_ids: int
    made_with: dict[str, str] | None


def check_index(folder: Path, id_field: str | None) -> tuple[IndexState, list[Finding]]:
    """Reads every id of the index. Raises NoIndexError and IdFieldError as opening it does."""
    from steadyrank.index import open_index

    index = open_index(folder, id_field=id_field)
    reader = index.reader()
    try:
        ids = _ids(reader, id_field)
        findings = list(_about_ids(ids, id_field))
        manifest, found = _manifest(folder, reader.generation())
        findings += found
        segments = 1 if reader.is_atomic() else len(list(reader.leaf_readers()))
        live, everything = reader.doc_count(), reader.doc_count_all()
        state = IndexState(
            path=str(folder),
            generation=reader.generation(),
            release=".".join(map(str, index.release)),
            segments=segments if everything else 0,
            documents=live,
            deleted=everything - live,
            duplicate_ids=sum(count > 1 for id, count in ids.items() if id is not None),
            missing_ids=ids[None],
            made_with=None if manifest is None else dict(manifest.made_with),
        )
        if everything and state.deleted / everything > _MANY_DELETED:
            findings.append(
                note(
                    "many-deleted",
                    f"{state.deleted} of {everything} documents in the files are deleted leftovers "
                    "that every search reads past; ix.optimize() removes them",
                )
            )
        findings += _about_compiled(folder, reader)
        if manifest is not None:
            findings += _against_installed(manifest)
        return state, findings
    finally:
        reader.close()


def _ids(reader: Any, id_field: str | None) -> Counter[str | None]:
    if id_field is None:
        return Counter()
    from steadyrank.postings import IndexView

    found: Counter[str | None] = Counter()
    for segment, _ in IndexView(reader).segments:
        value = segment.values(id_field)
        for doc in segment.live_docs().tolist():
            id = value(doc)
            found[None if id in (None, "", b"") else str(id)] += 1
    return found


def _about_ids(ids: Counter[str | None], id_field: str | None) -> Iterator[Finding]:
    twice = sorted(id for id, count in ids.items() if id is not None and count > 1)
    if twice:
        shown = ", ".join(map(repr, twice[:_SHOWN])) + (", ..." if len(twice) > _SHOWN else "")
        yield problem(
            "duplicate-ids",
            f"{len(twice)} ids in field {id_field!r} belong to several live documents: {shown}. "
            "Delete them and add each document once; two update_document calls for one id in one "
            "writer leave two",
        )
    if ids[None]:
        yield problem(
            "missing-ids",
            f"{ids[None]} live documents have no value in field {id_field!r}, so ties between them "
            "are settled by all their stored fields; give each an id",
        )


def _manifest(folder: Path, generation: int) -> tuple[Manifest | None, list[Finding]]:
    path = folder / f"steadyrank-{generation}.json"
    if not path.exists():
        if any(folder.glob("steadyrank-*.json")):
            return None, [
                note(
                    "written-by-others",
                    f"generation {generation} was not written by steadyrank build, an earlier one "
                    "was: verify and rollback do not cover it until the next build",
                )
            ]
        return None, []
    try:
        return read_manifest(path), []
    except ManifestError as error:
        return None, [problem("damaged-manifest", str(error))]


def _about_compiled(folder: Path, reader: Any) -> Iterator[Finding]:
    from steadyrank.compiling import fitting
    from steadyrank.postings.kept import place_of

    leaves = [reader] if reader.is_atomic() else [leaf for leaf, _ in reader.leaf_readers()]
    for leaf in leaves:
        place = place_of(leaf)
        if place is None:
            continue
        arrays, why = fitting(folder, place[1])
        if arrays is None and why is not None:
            yield note(
                "unfit-compiled",
                f"the compiled form of segment {place[1]} is not used: {why}. Results are the "
                f"same and searches slower; steadyrank compile {folder} writes it again",
            )


def _against_installed(manifest: Manifest) -> Iterator[Finding]:
    from steadyrank.analysis import ANALYZER_VERSION

    recorded, installed = manifest.made_with, made_with()
    if recorded.get("unicode") != installed["unicode"]:
        yield note(
            "other-unicode",
            f"the index was analysed with Unicode {recorded.get('unicode')} and this Python has "
            f"{installed['unicode']}: words of scripts that changed may not be found; build again "
            "with this Python",
        )
    analyzers = [entry["analyzer"] or {} for entry in manifest.analyzer.values()]
    versions = {int(a["version"]) for a in analyzers if a.get("version") is not None}
    if versions - {ANALYZER_VERSION}:
        yield problem(
            "other-analyzer",
            f"the index was analysed by version {', '.join(map(str, sorted(versions)))} of the "
            f"analyzer and this release has {ANALYZER_VERSION}: build again",
        )
    for name in ("whoosh_distribution", "whoosh_version"):
        if recorded.get(name) != installed[name]:
            yield note(
                "other-whoosh",
                f"the index was built with {recorded.get('whoosh_distribution')} "
                f"{recorded.get('whoosh_version')}, and {installed['whoosh_distribution']} "
                f"{installed['whoosh_version']} is installed; they read each other's files, and "
                "golden results may differ where the analyzer is not ours",
            )
            break
