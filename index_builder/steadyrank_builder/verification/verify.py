"""Verifying the live generation of an index folder, read-only.

In this order, each step only when the ones before found nothing:

1. the manifest: there, sealed, and of this generation;
2. the expected digest and seal, where the caller has them;
3. every file's size and SHA-256;
4. every pickle, against the allow-list;
5. the index opened: ids in order, each document's digest, the logical digest.

Whoosh unpickles what it opens, so nothing is opened before step 5.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path

from steadyrank_builder.archive import replay
from steadyrank_builder.failures import ManifestError, NoIndexError, WrittenIndexError
from steadyrank_builder.fingerprint import describe_schema, logical_digest
from steadyrank_builder.manifest import Manifest, read_manifest
from steadyrank_builder.publishing import layout
from steadyrank_builder.publishing.live import live_generation
from steadyrank_builder.publishing.tocs import read_toc
from steadyrank_builder.verification.canonical import check_canonical
from steadyrank_builder.verification.files import check_files
from steadyrank_builder.verification.problems import Problem, Verification
from steadyrank_builder.verification.scan import scan_segment, scan_toc
from steadyrank_builder.writing import check_index

_TRIES = 5  # publishes may overtake a verification; each try starts with what is live then


def verify(
    folder: Path,
    *,
    expected_digest: str | None = None,
    expected_seal: str | None = None,
    own: Collection[str] = (),
) -> Verification:
    """Verify the live generation of ``folder``; what is wrong is in ``problems``.

    ``expected_digest`` is the logical digest that the build printed: it vouches for documents
    and analyzer, whatever the manifest says. ``expected_seal`` is the seal that an earlier
    verification printed: it vouches for every byte. ``own`` names classes and functions of
    the index's owner, as ``module.name``, that pickles may use: opening the index imports and
    calls them. NoIndexError where there is no index.
    """
    for _ in range(_TRIES):
        live = live_generation(folder)
        if live is None:
            raise NoIndexError(
                f"{folder} holds no index: build one with steadyrank build MATERIAL... --out "
                f"{folder}",
                path=folder,
            )
        outcome = _verify(folder, live.generation, expected_digest, expected_seal, own)
        if not outcome.problems or live_generation(folder) == live:
            break
    return outcome


def _verify(
    folder: Path,
    generation: int,
    expected_digest: str | None,
    expected_seal: str | None,
    own: Collection[str],
) -> Verification:
    manifest, problems = _manifest(folder, generation)
    if manifest is not None:
        problems = problems or _expected(manifest, expected_digest, expected_seal)
        problems = problems or check_files(folder, manifest)
        if problems and _of_others(manifest, problems):
            problems = [_written_by_others(folder, generation)]
            manifest = None
    if manifest is None:
        problems = [*problems, *scan_toc(folder / layout.toc_name(generation), own)]
        return Verification(str(folder), generation, None, None, None, None, {}, tuple(problems))
    problems = problems or _compiled(folder, manifest)
    problems = problems or _scan(folder, manifest, own)
    problems = problems or _content(folder, manifest)
    return Verification(
        path=str(folder),
        generation=generation,
        documents=len(manifest.documents),
        digest=manifest.digest,
        seal=manifest.seal,
        created=manifest.created,
        made_with=manifest.made_with,
        problems=tuple(problems),
    )


def _manifest(folder: Path, generation: int) -> tuple[Manifest | None, list[Problem]]:
    name = layout.manifest_name(generation)
    try:
        manifest = read_manifest(folder / name)
    except FileNotFoundError:
        return None, [_written_by_others(folder, generation)]
    except ManifestError as error:
        return None, [Problem("damaged-manifest", name, str(error))]
    if manifest.generation != generation or layout.toc_name(generation) not in manifest.files:
        message = f"{name} describes generation {manifest.generation}."
        return None, [Problem("damaged-manifest", name, message)]
    return manifest, []


def _expected(manifest: Manifest, digest: str | None, seal: str | None) -> list[Problem]:
    problems = []
    for code, what, wanted, found in (
        ("other-digest", "digest", digest, manifest.digest),
        ("other-seal", "seal", seal, manifest.seal),
    ):
        if wanted is not None and wanted != found:
            message = f"The {what} is {found}, and {wanted} was expected."
            problems.append(Problem(code, None, message))
    return problems


def _of_others(manifest: Manifest, problems: list[Problem]) -> bool:
    """Whether the manifest was left behind by a publish that died before its TOC came in.

    A host's commit then took the generation's number and deleted the segment files.
    """
    missing = {problem.file for problem in problems if problem.code == "missing-file"}
    segments = {name for name in manifest.files if layout.segment_of(name)}
    return bool(segments) and segments <= missing


def _written_by_others(folder: Path, generation: int) -> Problem:
    before = [number for number in layout.generations(folder) if number < generation]
    back = f"generation {before[-1]} to roll back to" if before else "no generation to roll back to"
    return Problem(
        "written-by-others",
        None,
        f"Generation {generation} was written by others: nothing was recorded about it, so "
        f"nothing can be verified; there is {back}. Build again (with --replace) to publish a "
        "recorded one.",
    )


def _compiled(folder: Path, manifest: Manifest) -> list[Problem]:
    """Whether compiled segments fit theirs, also those that were compiled later."""
    from steadyrank.compiling import fitting

    problems = []
    for name in layout.names(folder):
        segment = layout.arrays_of(name)
        if segment is None or f"{segment}.seg" not in manifest.files:
            continue
        arrays, why = fitting(folder, segment)
        if arrays is None:
            message = (
                f"{name} is not used: {why}. Results are the same without it; steadyrank compile "
                f"{folder} writes it again."
            )
            problems.append(Problem("damaged-file", name, message))
    return problems


def _scan(folder: Path, manifest: Manifest, own: Collection[str]) -> list[Problem]:
    problems = []
    for name in sorted(manifest.files):
        if layout.is_archive(name):  # lines of JSON, which nothing is called by
            problems += _scan_archive(folder / name, manifest)
            continue
        if layout.arrays_of(name) is not None:  # numbers and checksums, and a head in JSON
            continue
        if name.endswith(".toc"):
            problems += scan_toc(folder / name, own)
        elif name.endswith(".seg"):
            problems += scan_segment(folder / name, len(manifest.documents), own)
        else:
            message = f"{name} is a kind of file that no build makes."
            problems.append(Problem("unreadable", name, message))
    return problems


def _scan_archive(path: Path, manifest: Manifest) -> list[Problem]:
    """Whether an update could read every source's records back."""
    try:
        for source in manifest.sources:
            offset, size = source["records"]
            for _ in replay(path, (offset, size), source["path"]):
                pass
    except (ValueError, KeyError, TypeError) as error:
        message = f"{path.name} cannot be read as an archive of records: {error}"
        return [Problem("unreadable", path.name, message)]
    return []


def _content(folder: Path, manifest: Manifest) -> list[Problem]:
    """Open the index and compare documents and digest with the record."""
    if manifest.made_by == "canonicalize":
        return check_canonical(folder, manifest)

    def pairs() -> Iterator[tuple[str, str]]:
        return ((id_, entry.digest) for id_, entry in manifest.documents.items())

    try:
        described = describe_schema(read_toc(folder).schema)
        check_index(folder, pairs(), count=len(manifest.documents), tick=lambda: None)
    except WrittenIndexError as error:
        return [Problem("other-content", None, str(error))]
    except Exception as error:  # Whoosh on damaged bytes can raise anything
        return [Problem("unreadable", None, f"The index cannot be opened: {error!r}")]
    # The analyzer as recorded: another Python has other Unicode tables, and its build is as sound.
    if logical_digest(manifest.analyzer, pairs()) != manifest.digest:
        message = f"Documents and analyzer do not make the recorded digest {manifest.digest}."
        return [Problem("other-content", None, message)]
    if _without_unicode(described) != _without_unicode(manifest.analyzer):
        message = "The index's schema is not the recorded one."
        return [Problem("other-content", None, message)]
    return []


def _without_unicode(value: object) -> object:
    if isinstance(value, Mapping):
        return {key: _without_unicode(item) for key, item in value.items() if key != "unicode"}
    return value
