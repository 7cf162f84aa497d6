"""Files of relevance judgments."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from steadyrank.measure import Fault, Judgment


def read_qrels(path: Path) -> tuple[list[Judgment], list[Fault]]:
    """The judgments of a file, and what is wrong with it.

    A line is what TREC writes (query, iteration, id and grade, with spaces between), or has query,
    id and grade with tabs between, where a query may be a whole question. A query is a case's
    question or its number. Empty lines and those that begin with # do not count.
    """
    place = ("qrels",)
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        return [], [Fault(place, f"qrels: {path}: {error.strerror or error}")]
    except UnicodeDecodeError as error:
        return [], [Fault(place, f"qrels: {path}: not UTF-8: {error}")]
    found, faults = [], []
    for one in _judgments(text):
        if isinstance(one, Judgment):
            found.append(one)
        else:
            faults.append(Fault(place, f"qrels: {path.name} {one}"))
    if not found and not faults:
        faults.append(Fault(place, f"qrels: {path}: there is no judgment in it"))
    return found, faults


def _judgments(text: str) -> Iterator[Judgment | str]:
    for number, line in enumerate(text.split("\n"), start=1):
        line = line.rstrip("\r")
        if not line.strip() or line.startswith("#"):
            continue
        parts = line.split("\t")
        if len(parts) != 3:
            parts = line.split()
            if len(parts) == 4:
                del parts[1]
        if len(parts) != 3:
            yield (
                f"line {number}: neither query, 0, id and grade with spaces between, nor query, "
                "id and grade with tabs between"
            )
            continue
        query, id, grade = (part.strip() for part in parts)
        try:
            yield Judgment(query, id, int(grade), number)
        except ValueError:
            yield f"line {number}: the grade is a whole number, not {grade!r}"
