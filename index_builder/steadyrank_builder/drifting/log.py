"""Logs of answers: one JSON object a line, as ``steadyrank answer`` prints them."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank.answering import Fingerprint
from steadyrank.errors import SteadyRankError

_PARTS = ("pieces", "settings", "index", "versions")


class LogError(SteadyRankError, ValueError):
    """A log that cannot be read, or has no answer in it."""


@dataclass(frozen=True, slots=True)
class Logged:
    """An answer of a log: its line, from 1, the question, its fingerprint, and its pieces.

    ``pieces`` are (id, score) in order, None where the log keeps only fingerprints.
    """

    line: int
    question: str
    fingerprint: Fingerprint
    pieces: tuple[tuple[str, float], ...] | None


@dataclass(frozen=True, slots=True)
class Malformed:
    """A line that is no answer, and why."""

    line: int
    why: str


@dataclass(frozen=True, slots=True)
class ReadLog:
    """All lines of a log that are not empty, as one or the other."""

    answers: tuple[Logged, ...]
    malformed: tuple[Malformed, ...]


def read_answers(path: Path) -> ReadLog:
    """The answers of a log and the lines that are none.

    A line is an answer's JSON, or an object with one under the key ``answer``; other keys may be
    there too. Raises LogError for a file that cannot be read or in which no line is an answer.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise LogError(f"{path}: {error.strerror or error}") from error
    answers: list[Logged] = []
    malformed: list[Malformed] = []
    for number, line in enumerate(content.removeprefix(b"\xef\xbb\xbf").split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            answers.append(_logged(number, line))
        except (ValueError, RecursionError) as error:
            malformed.append(Malformed(number, str(error) or type(error).__name__))
    if not answers:
        first = f"; line {malformed[0].line}: {malformed[0].why}" if malformed else ""
        raise LogError(
            f"{path} has no answer in it{first}; log what 'steadyrank answer --json' prints"
        )
    return ReadLog(tuple(answers), tuple(malformed))


def _logged(number: int, line: bytes) -> Logged:
    try:
        content = json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8: {error}") from None
    except ValueError as error:
        raise ValueError(f"not JSON: {error}") from None
    if isinstance(content, Mapping) and isinstance(content.get("answer"), Mapping):
        content = content["answer"]
    if not isinstance(content, Mapping):
        raise ValueError(f"an answer is an object, not {type(content).__name__}")
    schema = content.get("schema", 1)
    if schema != 1:
        raise ValueError(f"an answer of version {schema!r}, and this reads 1")
    question, parts = content.get("question"), content.get("fingerprint")
    if not isinstance(question, str):
        raise ValueError("it has no question")
    if not isinstance(parts, Mapping):
        raise ValueError("it has no fingerprint")
    missing = [part for part in _PARTS if not isinstance(parts.get(part), str)]
    if missing:
        raise ValueError(f"its fingerprint lacks {', '.join(missing)}")
    fingerprint = Fingerprint(**{part: parts[part] for part in _PARTS})
    return Logged(number, question, fingerprint, _pieces(content.get("pieces")))


def _pieces(content: Any) -> tuple[tuple[str, float], ...] | None:
    if content is None:
        return None
    if not isinstance(content, list):
        raise ValueError("its pieces are no list")
    found = []
    for piece in content:
        id = piece.get("id") if isinstance(piece, Mapping) else None
        score = piece.get("score") if isinstance(piece, Mapping) else None
        if not isinstance(id, str) or isinstance(score, bool) or not isinstance(score, int | float):
            raise ValueError("a piece has no id or no score")
        if not math.isfinite(score):
            raise ValueError(f"the score of {id!r} is {score}")
        found.append((id, float(score)))
    return tuple(found)
