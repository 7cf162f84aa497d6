"""Golden files on disk."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from steadyrank.measure import Fault, Golden, GoldenError, Judgment, golden_of
from steadyrank_builder.evaluation.json_places import parse_json
from steadyrank_builder.evaluation.parsed import Parsed, UnreadableError
from steadyrank_builder.evaluation.qrels import read_qrels
from steadyrank_builder.evaluation.yaml_places import parse_yaml


def read_golden(path: Path) -> Golden:
    """A golden file: ``.json``, ``.jsonl`` (a case in each line), or else YAML.

    Raises GoldenError that lists everything that is wrong, with lines.
    """
    return golden_in(path, text_of(path))


def text_of(path: Path) -> str:
    """The file's text with its own line ends, without a byte order mark."""
    try:
        return path.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise GoldenError(error.strerror or str(error), name=str(path)) from error
    except UnicodeDecodeError as error:
        raise GoldenError(f"not UTF-8: {error}", name=str(path)) from error


def golden_in(path: Path, text: str) -> Golden:
    """The golden file that ``text`` would be at ``path``."""
    parsed = parse(path, text)
    judgments: list[Judgment] = []
    faults = list(parsed.faults)
    named = parsed.content.get("qrels") if isinstance(parsed.content, Mapping) else None
    if isinstance(named, str):
        judgments, wrong = read_qrels(path.parent / named)
        faults += wrong
    return golden_of(parsed.content, str(path), lines=parsed.lines, faults=faults, qrels=judgments)


def parse(path: Path, text: str) -> Parsed:
    """The text by the suffix of its file. Raises GoldenError at syntax errors."""
    try:
        if path.suffix == ".jsonl":
            return _lines(path, text)
        return parse_json(text) if path.suffix == ".json" else parse_yaml(text, str(path))
    except UnreadableError as error:
        place = "" if error.line is None else f"line {error.line}: "
        raise GoldenError(place + error.said, name=str(path)) from error


def _lines(path: Path, text: str) -> Parsed:
    # Each line stands for itself, so all that are broken are told at once.
    whole = Parsed([])
    start = 0
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            place = (len(whole.content),)
            try:
                one = parse_json(line, number, start)
            except UnreadableError as error:
                whole.faults.append(Fault(place, error.said, number))
                one = Parsed(None)
            whole.content.append(one.content)
            whole.lines[place] = number
            whole.lines.update(((*place, *inner), at) for inner, at in one.lines.items())
            whole.spans.update(((*place, *inner), at) for inner, at in one.spans.items())
            whole.faults.extend(
                Fault((*place, *fault.place), fault.said, fault.line) for fault in one.faults
            )
        start += len(line) + 1
    return whole
