"""Files of questions: a golden file, lines of text, or records with a question in each."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from steadyrank.errors import SteadyRankError
from steadyrank_builder.errors import MissingExtraError
from steadyrank_builder.runs.json_lines import json_lines

# Under which of these keys a log keeps what somebody asked, the first that is there.
_KEYS = ("question", "intent", "query", "q", "text")

# Where it keeps how often that was.
_COUNTS = ("count", "frequency")
_SEPARATORS = {".csv": ",", ".tsv": "\t"}


class QuestionsError(SteadyRankError, ValueError):
    """A file without questions. The message lists all that is wrong; ``faults`` has each."""

    def __init__(self, path: Path, *faults: str) -> None:
        super().__init__(f"{path}: " + "; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a log: its place there, from 1 (the first of equal ones), and how often."""

    number: int
    question: str
    count: int


def read_questions(path: Path) -> list[tuple[int, str]]:
    """The questions of a file with their numbers, from 1; equal questions are asked once.

    As ``read_log``, without the counts.
    """
    return [(asked.number, asked.question) for asked in read_log(path)]


def read_log(path: Path) -> list[Asked]:
    """The different questions of a file, in the order of their first place in it.

    By the suffix: ``.yaml``, ``.yml`` and ``.json`` hold a list (or a mapping with ``cases``) of
    texts or records; ``.jsonl`` one of these per line; ``.csv`` and ``.tsv`` rows under a header;
    any other file one question per line, where empty lines and those that begin with ``#`` do
    not count. A record's question is its ``question``, ``intent``, ``query``, ``q`` or ``text``,
    and its ``count`` or ``frequency``, 1 without one, says how often it was asked.

    Raises QuestionsError for a file that cannot be read, or has no question in it.
    """
    try:
        text = path.read_text("utf-8-sig")
    except OSError as error:
        raise QuestionsError(path, error.strerror or str(error)) from error
    except UnicodeDecodeError as error:
        raise QuestionsError(path, f"not UTF-8: {error}") from error
    if path.suffix in (".yaml", ".yml", ".json"):
        places = [(f"entry {n}", entry) for n, entry in enumerate(_listed(path, text), start=1)]
    elif path.suffix == ".jsonl":
        places = _json_lines(path, text)
    elif path.suffix in _SEPARATORS:
        places = _rows(path, text)
    else:
        lines = [line.strip() for line in text.split("\n")]
        places = [("", line) for line in lines if line and not line.startswith("#")]
    first: dict[str, int] = {}
    counts: dict[str, int] = {}
    faults = []
    for number, (where, entry) in enumerate(places, start=1):
        question, count = _question(entry), _count(entry)
        if question is None:
            faults.append(f"{where} has no question ({', '.join(_KEYS)})")
        elif count is None:
            faults.append(f"{where}: count is how often it was asked, a whole number from 1")
        else:
            first.setdefault(question, number)
            counts[question] = counts.get(question, 0) + count
    if faults:
        raise QuestionsError(path, *faults)
    if not first:
        raise QuestionsError(path, "there is no question in it")
    return [Asked(number, question, counts[question]) for question, number in first.items()]


def _question(entry: Any) -> str | None:
    if isinstance(entry, Mapping):
        entry = next((entry[key] for key in _KEYS if key in entry), None)
    return entry if isinstance(entry, str) else None


def _count(entry: Any) -> int | None:
    if not isinstance(entry, Mapping):
        return 1
    count = next((entry[key] for key in _COUNTS if entry.get(key) not in (None, "")), 1)
    if isinstance(count, str) and count.strip().isdecimal():
        count = int(count)
    return count if isinstance(count, int) and not isinstance(count, bool) and count >= 1 else None


def _rows(path: Path, text: str) -> list[tuple[str, Any]]:
    reader = csv.DictReader(io.StringIO(text, newline=""), delimiter=_SEPARATORS[path.suffix])
    try:
        header = reader.fieldnames or ()
        if not set(_KEYS) & set(header):
            raise QuestionsError(
                path,
                f"no column of its header ({', '.join(header) or 'none'}) is a question: call "
                f"one {', '.join(_KEYS[:-1])} or {_KEYS[-1]}",
            )
        return [(f"line {reader.line_num}", row) for row in reader]
    except csv.Error as error:
        raise QuestionsError(path, f"line {reader.line_num}: {error}") from error


def _json_lines(path: Path, text: str) -> list[tuple[str, Any]]:
    places, faults = json_lines(text)
    if faults:
        raise QuestionsError(path, *faults)
    return places


def _listed(path: Path, text: str) -> list[Any]:
    try:
        content = json.loads(text) if path.suffix == ".json" else _yaml(path, text)
    except ValueError as error:
        raise QuestionsError(path, f"not JSON: {error}") from error
    if isinstance(content, Mapping):
        content = content.get("cases")
    if not isinstance(content, list):
        raise QuestionsError(path, "neither a list nor a mapping with a list of cases")
    return content


def _yaml(path: Path, text: str) -> Any:
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("PyYAML", needed_for=f"{path}") from error
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise QuestionsError(path, f"not YAML: {error}") from error
