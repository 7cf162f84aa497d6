"""Files of questions: a golden file, lines of text, or records with a question in each."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steadyrank.errors import SteadyRankError
from steadyrank_builder.errors import MissingExtraError

# Under which of these keys a log keeps what somebody asked, the first that is there.
_KEYS = ("question", "intent", "query", "q", "text")


class QuestionsError(SteadyRankError, ValueError):
    """A file without questions. The message lists all that is wrong; ``faults`` has each."""

    def __init__(self, path: Path, *faults: str) -> None:
        super().__init__(f"{path}: " + "; ".join(faults))
        self.faults = faults


def read_questions(path: Path) -> list[tuple[int, str]]:
    """The questions of a file with their numbers, from 1.

    By the suffix: ``.yaml``, ``.yml`` and ``.json`` hold a list (or a mapping with ``cases``) of
    texts or records; ``.jsonl`` one of these per line; any other file one question per line,
    where empty lines and those that begin with ``#`` do not count. A record's question is its
    ``question``, ``intent``, ``query``, ``q`` or ``text``. Equal questions are asked once.

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
    else:
        lines = [line.strip() for line in text.split("\n")]
        places = [("", line) for line in lines if line and not line.startswith("#")]
    found: dict[str, int] = {}
    faults = []
    for number, (where, entry) in enumerate(places, start=1):
        question = _question(entry)
        if question is None:
            faults.append(f"{where} has no question ({', '.join(_KEYS)})")
        else:
            found.setdefault(question, number)
    if faults:
        raise QuestionsError(path, *faults)
    if not found:
        raise QuestionsError(path, "there is no question in it")
    return [(number, question) for question, number in found.items()]


def _question(entry: Any) -> str | None:
    if isinstance(entry, Mapping):
        entry = next((entry[key] for key in _KEYS if key in entry), None)
    return entry if isinstance(entry, str) else None


def _json_lines(path: Path, text: str) -> list[tuple[str, Any]]:
    places, faults = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                places.append((f"line {number}", json.loads(line)))
            except ValueError as error:
                faults.append(f"line {number} is not JSON: {error}")
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
