"""Tiny material, builds of it, and what is in the index afterwards."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]

Record = Mapping[str, Any]


def record(id_: str, text: str = "A mug of steel", **more: Any) -> dict[str, Any]:
    """One record of generic JSONL."""
    return {"id": id_, "kind": "product", "title": f"Title of {id_}", "text": text, **more}


def write_records(path: Path, records: Iterable[Record]) -> Path:
    """Write generic JSONL and return its path."""
    lines = (json.dumps(dict(each), ensure_ascii=False) + "\n" for each in records)
    path.write_text("".join(lines), encoding="utf-8")
    return path


def environment() -> dict[str, str]:
    """The environment for a process that imports the checkout's packages."""
    paths = [str(ROOT / "plugin"), str(ROOT / "index_builder")]
    inherited = os.environ.get("PYTHONPATH")
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([inherited, *paths] if inherited else paths),
    }


def cli(*arguments: str | Path) -> list[str]:
    """The command line of ``steadyrank`` with these arguments."""
    code = "from steadyrank_builder.cli import main; main()"
    return [sys.executable, "-c", code, *map(str, arguments)]


def run_cli(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run ``steadyrank`` as a process of its own."""
    return subprocess.run(
        cli(*arguments), env=environment(), capture_output=True, text=True, check=False, timeout=60
    )


def reads_everything() -> bool:
    """Whether this process may read and write whatever its modes say, as root mostly may."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "closed"
        path.touch(0)
        return os.access(path, os.R_OK)


def ids_of(folder: Path) -> list[str]:
    """The ids in the live index in document-number order, read by plain Whoosh."""
    from whoosh.index import open_dir

    with open_dir(str(folder)).searcher() as searcher:
        return [fields["id"] for fields in searcher.reader().all_stored_fields()]


def litter(folder: Path, generations: Sequence[int]) -> list[str]:
    """The names in and beside ``folder`` that ``generations`` do not account for."""
    from whoosh.filedb.filestore import FileStorage
    from whoosh.index import TOC

    from steadyrank_builder.manifest import read_manifest

    storage = FileStorage(str(folder))
    expected = {"MAIN_WRITELOCK"}
    for generation in generations:
        expected |= {f"_MAIN_{generation}.toc", f"steadyrank-{generation}.json"}
        toc = TOC.read(storage, "MAIN", gen=generation)
        segments = {segment.segment_id() for segment in toc.segments}
        # What was compiled after a build is in no record, and goes with its segment all the same.
        expected |= {f"{segment}.seg" for segment in segments}
        expected |= {f"steadyrank-{segment}.arrays" for segment in segments}
        with suppress(FileNotFoundError):  # of others
            expected |= set(read_manifest(folder / f"steadyrank-{generation}.json").files)
    inside = {entry.name for entry in folder.iterdir()} - expected
    beside = {
        entry.name for entry in folder.parent.iterdir() if f".{folder.name}.building" in entry.name
    }
    return sorted(inside | beside)
