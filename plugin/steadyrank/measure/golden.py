"""Golden questions: what a question should bring, and under which settings."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, get_args

from steadyrank.errors import SteadyRankError

Mode = Literal["exact", "required-set", "rank-one", "contains", "excludes"]

_MODES: tuple[str, ...] = get_args(Mode)
_NOTHING: Mapping[str, Any] = MappingProxyType({})
_CASE_KEYS = {
    "question": "question",
    "intent": "question",
    "mode": "mode",
    "expected": "expected",
    "right": "right",
    "k": "k",
    "axis": "axis",
    "rankingAxis": "axis",
    "confidence": "confidence",
    "settings": "settings",
}
_HEADER_KEYS = ("version", "schemaVersion", "k", "settings", "thresholds", "cases")
_THRESHOLDS = ("success", "success_at_1", "refused")


class GoldenError(SteadyRankError, ValueError):
    """A golden file that cannot be judged by. The message lists all that is wrong; ``faults``
    has each.
    """

    def __init__(self, *faults: str, name: str = "") -> None:
        super().__init__((f"{name}: " if name else "") + "; ".join(faults))
        self.faults = faults


@dataclass(frozen=True, slots=True)
class Case:
    """One question and what it should bring.

    With a ``mode`` it passes or fails by ``expected``: ``exact`` (these ids in this order come
    first), ``required-set`` (the first k are these, in any order), ``rank-one`` (the first is the
    first of them), ``contains`` (all within k), ``excludes`` (none within k). Without one it
    counts in the metrics: ``right`` are the ids that would be a right answer, none for a
    question that the material does not answer. ``k`` None: as many as expected, or the
    header's. ``axis="score"``: no concept or route may have fired. ``confidence``: the level
    that the answer must have. ``settings`` override the file's.
    """

    number: int
    question: str
    mode: Mode | None = None
    expected: tuple[str, ...] = ()
    right: tuple[str, ...] = ()
    k: int | None = None
    axis: str | None = None
    confidence: str | None = None
    settings: Mapping[str, Any] = field(default_factory=lambda: _NOTHING)


@dataclass(frozen=True, slots=True)
class Golden:
    """A golden file: its cases, the settings it is judged under, ``k`` and ``thresholds``.

    ``settings``: inline values, or the path of a settings file. Thresholds, each a share from 0
    to 1: ``success`` (a right piece within k), ``success_at_1`` (a right piece first),
    ``refused`` (questions without an answer that got none, or low confidence).
    """

    cases: tuple[Case, ...]
    k: int = 4
    settings: Mapping[str, Any] | str = field(default_factory=lambda: _NOTHING)
    thresholds: Mapping[str, float] = field(default_factory=lambda: _NOTHING)


def golden_of(content: Any, name: str = "golden") -> Golden:
    """A golden file's content (a mapping with ``cases``, or a list of cases) as records.

    Raises GoldenError that lists every fault with the number of its case, from 1.
    """
    if isinstance(content, Sequence) and not isinstance(content, str):
        content = {"cases": content}
    if not isinstance(content, Mapping):
        raise GoldenError("a golden file is a mapping with cases, or a list of cases", name=name)
    faults = [_unknown(key, _HEADER_KEYS) for key in content if key not in _HEADER_KEYS]
    thresholds, wrong = _thresholds(content.get("thresholds"))
    faults += wrong
    k = content.get("k", 4)
    if not _is_count(k):
        faults.append(f"k is how many pieces are looked at, 1 or more, not {k!r}")
    settings = content.get("settings") or _NOTHING
    if not isinstance(settings, Mapping | str):
        faults.append(f"settings are values or the path of a file, not {settings!r}")
    raw = content.get("cases")
    if not isinstance(raw, Sequence) or isinstance(raw, str):
        faults.append("there is no list of cases")
        raw = []
    cases = []
    for number, entry in enumerate(raw, start=1):
        case, wrong = _case(number, entry)
        faults += [f"case {number}: {fault}" for fault in wrong]
        if case is not None:
            cases.append(case)
    if faults:
        raise GoldenError(*faults, name=name)
    return Golden(tuple(cases), k, settings, thresholds)


def _thresholds(given: Any) -> tuple[dict[str, float], list[str]]:
    if given is None:
        return {}, []
    if not isinstance(given, Mapping):
        return {}, [f"thresholds are shares by name, not {given!r}"]
    faults = []
    for key, value in given.items():
        if key not in _THRESHOLDS:
            faults.append("thresholds: " + _unknown(key, _THRESHOLDS))
        elif isinstance(value, bool) or not (isinstance(value, int | float) and 0 <= value <= 1):
            faults.append(f"thresholds: {key} is a share from 0 to 1, not {value!r}")
    return dict(given), faults


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _case(number: int, entry: Any) -> tuple[Case | None, list[str]]:
    if not isinstance(entry, Mapping):
        return None, [f"it is {entry!r}, not a mapping"]
    faults = [_unknown(key, tuple(_CASE_KEYS)) for key in entry if key not in _CASE_KEYS]
    values = {_CASE_KEYS[key]: value for key, value in entry.items() if key in _CASE_KEYS}
    question = values.get("question")
    if not isinstance(question, str):
        faults.append("it has no question")
    mode = values.get("mode")
    if mode is not None and mode not in _MODES:
        near = difflib.get_close_matches(str(mode), _MODES, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else f" (one of {', '.join(_MODES)})"
        faults.append(f"mode {mode!r} is not known{hint}")
    for key in ("axis", "confidence", "mode", "k"):
        if values.get(key, 0) is None:
            del values[key]
    for key in ("expected", "right"):
        ids = values.get(key, ())
        if not isinstance(ids, list | tuple) or any(not isinstance(id, str) for id in ids):
            faults.append(f"{key} is a list of ids, not {ids!r}")
            values[key] = ()
    if mode is not None and not values.get("expected"):
        faults.append(f"mode {mode!r} needs expected ids")
    if mode is None and "right" not in values:
        faults.append("it has neither a mode with expected ids nor right ids ([] for none)")
    k = values.get("k")
    if isinstance(k, int) and mode == "exact" and 1 <= k < len(values.get("expected", ())):
        faults.append(f"k {k} is less than the ids that exact expects")
    if k is not None and not _is_count(k):
        faults.append(f"k is 1 or more, not {k!r}")
    if values.get("confidence") not in (None, "high", "medium", "low"):
        faults.append(f"confidence is high, medium or low, not {values['confidence']!r}")
    if not isinstance(values.get("axis", ""), str):
        faults.append(f"axis is a word, not {values['axis']!r}")
    if not isinstance(values.get("settings", {}), Mapping):
        faults.append("settings of a case are a mapping")
    if faults:
        return None, faults
    for key in ("expected", "right"):
        values[key] = tuple(values.get(key, ()))
    return Case(number, **values), []


def _unknown(key: Any, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(str(key), known, n=1)
    return f"unknown key {key!r}" + (f"; did you mean {near[0]!r}?" if near else "")
