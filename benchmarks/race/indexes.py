"""Every engine's index of one corpus, built once and kept with what building it took."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from race.asking import PYTHONS, environment
from race.corpus import Doc
from race.engines import ELSEWHERE, ENGINES, engine_class

# Counts up when an index is written otherwise, so that no run mixes old ones with new ones.
LAYOUT = 1


def kept_corpus(folder: Path, docs: list[Doc]) -> None:
    """Raises SystemExit where the folder holds indexes of something else."""
    path = folder / "corpus.json"
    described = {"layout": LAYOUT, "documents": len(docs), "ids": [doc.id for doc in docs[:50]]}
    if path.exists() and json.loads(path.read_text("utf-8")) != described:
        raise SystemExit(f"{folder} has indexes of another corpus: name another folder with --work")
    folder.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(described), "utf-8")


def build(names: Iterable[str], docs: list[Doc], folder: Path) -> dict[str, dict[str, float]]:
    """Builds what is not there yet. By index: processor seconds, peak bytes, bytes on disk."""
    kept_corpus(folder, docs)
    found = {}
    for name in names:
        index = engine_class(name).index
        if index not in found:
            found[index] = _built(name, index, docs, folder)
    return found


def _built(name: str, index: str, docs: list[Doc], folder: Path) -> dict[str, float]:
    report = folder / f"{index}.json"
    if not report.exists():
        shutil.rmtree(folder / index, ignore_errors=True)  # of a build that was interrupted
        print(f"building {folder / index}", file=sys.stderr, flush=True)
        compiled = index == "compiled"
        measured = _compiled(folder) if compiled else _apart(name, docs, folder / index)
        report.write_text(json.dumps(measured), "utf-8")
    return dict(json.loads(report.read_text("utf-8")))


def _compiled(folder: Path) -> dict[str, float]:
    # With the file's times, by which compiled files know their segment.
    shutil.copytree(folder / "whoosh", folder / "compiled")
    done = subprocess.run(
        [sys.executable, "-m", "race.compiling", str(folder / "compiled")],
        env=environment(),
        stdout=subprocess.PIPE,
        check=True,
    )
    return dict(json.loads(done.stdout))


def _apart(name: str, docs: list[Doc], folder: Path) -> dict[str, float]:
    # In a process of its own, whose peak and processor time are this build's alone.
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        status = 1
        try:
            start = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
            spent, began = time.process_time(), time.monotonic()
            engine_class(name).build(docs, folder)
            children = resource.getrusage(resource.RUSAGE_CHILDREN)
            measured = {
                "seconds": time.process_time() - spent + children.ru_utime + children.ru_stime,
                "wall": time.monotonic() - began,
                "peak": (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - start) * 1024,
            }
            os.write(writer, json.dumps(measured).encode())
            status = 0
        finally:
            os._exit(status)
    os.close(writer)
    with os.fdopen(reader) as pipe:
        content = pipe.read()
    os.waitpid(child, 0)
    if not content:
        raise SystemExit(f"building {folder} failed")
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    return {**json.loads(content), "bytes": size}


def available() -> dict[str, str]:
    """Engines whose libraries are here: name -> how tables call it.

    Those of another distribution of Whoosh are there when ``PYTHONS`` has a Python for them.
    """
    found = {}
    for name in ENGINES:
        if name in ELSEWHERE:
            if name in PYTHONS:
                found[name] = f"{name} {_version(PYTHONS[name], name)}"
            continue
        try:
            found[name] = engine_class(name).name
        except ImportError as error:
            print(f"left out: {name} ({error})", file=sys.stderr)
    return found


def _version(python: str, distribution: str) -> str:
    # CalledProcessError where that Python has it not.
    command = f"from importlib import metadata; print(metadata.version({distribution!r}))"
    done = subprocess.run([python, "-c", command], stdout=subprocess.PIPE, check=True, text=True)
    return done.stdout.strip()
