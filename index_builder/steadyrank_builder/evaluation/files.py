"""A golden file, read and judged."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from steadyrank.answering import Settings, open_store
from steadyrank.measure import Case, Evaluation, Golden, GoldenError, Judged, evaluate_golden
from steadyrank.measure import golden_of as _golden_of
from steadyrank_builder.errors import MissingExtraError


def read_golden(path: Path) -> Golden:
    """A golden file in YAML, JSON or JSONL. Raises GoldenError that says what is wrong."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise GoldenError(f"{path}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise GoldenError(f"{path} is not UTF-8: {error}") from error
    return _golden_of(_parsed(path, text), str(path))


def _parsed(path: Path, text: str) -> Any:
    if path.suffix == ".jsonl":
        cases = []
        for number, line in enumerate(text.splitlines(), start=1):
            if line.strip():
                try:
                    cases.append(json.loads(line))
                except ValueError as error:
                    raise GoldenError(f"{path}:{number}: {error}") from error
        return cases
    if path.suffix == ".json":
        try:
            return json.loads(text)
        except ValueError as error:
            raise GoldenError(f"{path}: {error}") from error
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("PyYAML", needed_for=f"{path}") from error
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise GoldenError(f"{path}: {error}") from error


def evaluate_file(
    folder: Path,
    golden_path: Path,
    *,
    settings_path: Path | None = None,
    profile: str | None = None,
    concepts: Path | None = None,
) -> Evaluation:
    """Asks the store in ``folder`` the questions of a golden file and judges the answers.

    The file's settings count unless ``settings_path`` is given; a case's own are laid over
    them. Raises GoldenError, SettingsError and NoIndexError.
    """
    golden = read_golden(golden_path)
    settings = _settings(golden, golden_path, settings_path)
    over: dict[str, Any] = {}
    if profile is not None:
        over["profile"] = profile
    if concepts is not None:
        over["concepts"] = str(concepts.resolve())
    settings = settings.overlaid(over)
    with open_store(folder, settings) as store:

        def ask(case: Case) -> Judged:
            looked_at = max(case.k or 0, len(case.expected), golden.k if not case.mode else 0)
            own = settings.overlaid(case.settings, golden_path.parent)
            count = max(own.take.count, looked_at)
            answer = store.answer(case.question, take=count, **case.settings)
            return Judged(
                ids=tuple(piece.id for piece in answer.pieces),
                confidence=answer.confidence,
                concepts=answer.concepts,
            )

        return evaluate_golden(golden, ask)


def _settings(golden: Golden, golden_path: Path, settings_path: Path | None) -> Settings:
    if settings_path is not None:
        return Settings.load(settings_path)
    if isinstance(golden.settings, Mapping):
        return Settings.of(golden.settings, golden_path.parent)
    return Settings.load(golden_path.parent / golden.settings)
