"""A golden file, read and judged."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from steadyrank.answering import Settings, SettingsError, open_store
from steadyrank.measure import (
    Case,
    CaseResult,
    Evaluation,
    Golden,
    GoldenError,
    Judged,
    evaluate_golden,
)
from steadyrank.measure import golden_of as _golden_of
from steadyrank_builder.errors import MissingExtraError
from steadyrank_builder.evaluation.measures import means


def read_golden(path: Path) -> Golden:
    """A golden file in YAML, JSON or JSONL. Raises GoldenError that says what is wrong."""
    try:
        text = path.read_text("utf-8")
    except OSError as error:
        raise GoldenError(error.strerror or str(error), name=str(path)) from error
    except UnicodeDecodeError as error:
        raise GoldenError(f"not UTF-8: {error}", name=str(path)) from error
    return _golden_of(_parsed(path, text), str(path))


def _parsed(path: Path, text: str) -> Any:
    if path.suffix == ".jsonl":
        return _lines(path, text)
    if path.suffix == ".json":
        try:
            return json.loads(text)
        except ValueError as error:
            raise GoldenError(f"not JSON: {error}", name=str(path)) from error
    try:
        import yaml
    except ImportError as error:
        raise MissingExtraError("PyYAML", needed_for=f"{path}") from error
    try:
        return yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise GoldenError(f"not YAML: {error}", name=str(path)) from error


def _lines(path: Path, text: str) -> list[Any]:
    cases, faults = [], []
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            try:
                cases.append(json.loads(line))
            except ValueError as error:
                faults.append(f"line {number}: {error}")
    if faults:
        raise GoldenError(*faults, name=str(path))
    return cases


def evaluate_file(
    folder: Path,
    golden_path: Path,
    *,
    settings_path: Path | None = None,
    profile: str | None = None,
    concepts: Path | None = None,
    progress: Callable[[Sequence[Case]], Iterable[Case]] = iter,
) -> Evaluation:
    """Asks the store in ``folder`` the questions of a golden file and judges the answers.

    The file's settings count unless ``settings_path`` is given; a case's own are laid over
    them. ``progress`` sees the cases go by. Raises GoldenError with all that is wrong, the
    settings of cases included, SettingsError and NoIndexError.
    """
    golden = read_golden(golden_path)
    over: dict[str, Any] = {} if profile is None else {"profile": profile}
    if concepts is not None:
        over["concepts"] = str(concepts.resolve())
    settings = _settings(golden, golden_path, settings_path).overlaid(over)
    own = _of_cases(golden, golden_path, settings)
    with open_store(folder, settings) as store:
        runs: dict[int, tuple[str, ...]] = {}

        def ask(case: Case) -> Judged:
            chosen = own[case.number]
            looked_at = max(case.k or 0, len(case.expected), golden.k if not case.mode else 0)
            count = max(chosen.take.count, looked_at)
            answer = store.answer(case.question, take=count, settings=chosen)
            runs[case.number] = tuple(piece.id for piece in answer.pieces)
            return Judged(runs[case.number], answer.confidence, answer.concepts)

        def measure(results: Sequence[CaseResult]) -> Mapping[str, Any]:
            qrels = {str(r.number): dict.fromkeys(r.expected, 1) for r in results}
            ids = {str(r.number): runs[r.number] for r in results if runs[r.number]}
            return means(qrels, ids, golden.k)

        answers = {case.number: ask(case) for case in progress(golden.cases)}
        return evaluate_golden(golden, lambda case: answers[case.number], store.missing, measure)


def _settings(golden: Golden, golden_path: Path, settings_path: Path | None) -> Settings:
    if settings_path is not None:
        return Settings.load(settings_path)
    if isinstance(golden.settings, Mapping):
        try:
            return Settings.of(golden.settings, golden_path.parent)
        except SettingsError as error:
            raise error.within(f"{golden_path}: settings") from None
    return Settings.load(golden_path.parent / golden.settings)


def _of_cases(golden: Golden, golden_path: Path, settings: Settings) -> dict[int, Settings]:
    # Equal settings are one object, which a store prepares once.
    known: dict[str, Settings] = {}
    faults: list[str] = []
    found: dict[int, Settings] = {}
    for case in golden.cases:
        key = repr(sorted(case.settings.items(), key=repr))
        try:
            if key not in known:
                known[key] = settings.overlaid(case.settings, golden_path.parent)
            found[case.number] = known[key]
        except SettingsError as error:
            faults += error.within(f"case {case.number}").faults
    if faults:
        raise GoldenError(*faults, name=str(golden_path))
    return found
