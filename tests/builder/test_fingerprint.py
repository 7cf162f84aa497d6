"""Equal digests mean equal ids, stored fields and postings."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from steadyrank.analysis import ANALYZER_VERSION
from steadyrank_builder.building import BuildSettings, build
from steadyrank_builder.fingerprint import RECIPE, logical_digest
from steadyrank_builder.verification.verify import verify
from support_builder import cli, environment, record, write_records

ANALYZER = {"text": {"analyzer": {"name": "x", "unicode": "14.0.0"}}}


def test_the_digest_is_sha256_over_analyzer_ids_and_digests() -> None:
    """As spelled out here by hand."""
    head = '{"analyzer":{"text":{"analyzer":{"name":"x","unicode":"14.0.0"}}},"recipe":1}'
    expected = hashlib.sha256(f'{head}\n"a"11\n"ä"22'.encode()).hexdigest()
    assert logical_digest(ANALYZER, [("a", "11"), ("ä", "22")]) == f"sha256:{expected}"


def test_the_digest_is_of_an_order() -> None:
    """Ids that do not ascend would make it depend on the order of writing."""
    for pairs in ([("b", "1"), ("a", "2")], [("a", "1"), ("a", "2")]):
        with pytest.raises(ValueError, match="ids do not ascend"):
            logical_digest(ANALYZER, pairs)


def test_whatever_decides_the_postings_is_in_it() -> None:
    """Ids, contents, analyzer, Unicode version."""
    digests = {
        logical_digest(ANALYZER, [("a", "1")]),
        logical_digest(ANALYZER, [("b", "1")]),
        logical_digest(ANALYZER, [("a", "2")]),
        logical_digest(ANALYZER, [("a", "1"), ("b", "1")]),
        logical_digest({"text": {"analyzer": {"name": "x", "unicode": "15"}}}, [("a", "1")]),
    }
    assert len(digests) == 5


def walk(folder: Path) -> str:
    """SHA-256 over every posting: field, term, document number, weight, positions; and lengths."""
    from whoosh.index import open_dir

    whole = hashlib.sha256()
    reader = open_dir(str(folder)).reader()
    for field, term in reader.all_terms():
        matcher = reader.postings(field, term)
        positional = matcher.supports("positions")
        while matcher.is_active():
            places = list(matcher.value_as("positions")) if positional else None
            posting = (field, bytes(term), matcher.id(), float(matcher.weight()), places)
            whole.update(repr(posting).encode())
            matcher.next()
    for number in range(reader.doc_count_all()):
        for field in ("title", "heading", "text", "tags"):
            length = reader.doc_field_length(number, field) or 0
            whole.update(f"{number} {field} {length}\n".encode())
        whole.update(repr(sorted(reader.stored_fields(number).items())).encode())
    reader.close()
    return whole.hexdigest()


RECORDS = [
    record("b", "Wasserdichte Jacke, size M; US 42.5 and café", tags=["new in", "sale"]),
    record("a", "TC-300-BLU mug* by O'Neill: 東京 450ml", heading="Details", price="9.90"),
    record("c", "mug mug mug"),
]


@pytest.mark.whoosh
def test_the_postings_follow_from_what_the_digest_covers(tmp_path: Path) -> None:
    """Pinned: when this fails, what is indexed has changed, and a number must be counted up.

    ANALYZER_VERSION when the terms of a text changed, RECIPE when the fields did.

    The same number on every Whoosh distribution and Python, and in every order of the material.
    """
    folders = [tmp_path / "forward.idx", tmp_path / "backward.idx"]
    for folder, records in zip(folders, (RECORDS, RECORDS[::-1]), strict=True):
        material = write_records(tmp_path / "m.jsonl", records)
        build([material], folder, BuildSettings())
    assert walk(folders[0]) == walk(folders[1])
    assert (RECIPE, ANALYZER_VERSION, walk(folders[0])) == (
        1,
        1,
        "ee6a55b68b2778ea099c3bee440e8b4fe1e332e170e19a70b3789c2282d8e18a",
    )


# Interpreters with other distributions of Whoosh, as paths joined like PATH.
OTHERS = [path for path in os.environ.get("STEADYRANK_OTHER_PYTHONS", "").split(os.pathsep) if path]


@pytest.mark.whoosh
@pytest.mark.skipif(not OTHERS, reason="STEADYRANK_OTHER_PYTHONS names no interpreter")
def test_the_other_distributions_find_the_same(tmp_path: Path) -> None:
    """They verify this one's index, write it anew with the same digest, and build its equal."""
    material = write_records(tmp_path / "m.jsonl", RECORDS)
    report = build([material], tmp_path / "here.idx", BuildSettings())
    for number, python in enumerate(OTHERS):

        def other(*arguments: str | Path, python: str = python) -> dict[str, Any]:
            done = subprocess.run(
                [python, "-W", "ignore", *cli(*arguments, "--json")[1:]],
                env=environment(),
                capture_output=True,
                text=True,
                check=True,
            )
            printed: dict[str, Any] = json.loads(done.stdout)
            return printed

        assert other("verify", tmp_path / "here.idx")["sound"]
        over = other("build", material, "--out", tmp_path / "here.idx")
        assert (over["digest"], over["documents"]) == (report.digest, report.documents)
        assert verify(tmp_path / "here.idx").problems == ()
        there = tmp_path / f"there-{number}.idx"
        assert other("build", material, "--out", there)["digest"] == report.digest
        assert verify(there).problems == ()
        assert walk(there) == walk(tmp_path / "here.idx")
