"""What a golden file says, as records; or everything that is wrong with it."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, get_args

from steadyrank.measure.golden import NOTHING, Case, Golden, GoldenError, Judgment, Mode
from steadyrank.measure.places import Fault, Place, in_order

_MODES: tuple[str, ...] = get_args(Mode)
_LEVELS = ("high", "medium", "low")
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
    "grades": "grades",
}
_HEADER_KEYS = ("version", "schemaVersion", "k", "settings", "thresholds", "qrels", "cases")
_THRESHOLDS = ("success", "success_at_1", "refused")


def golden_of(
    content: Any,
    name: str = "golden",
    *,
    lines: Mapping[Place, int] | None = None,
    faults: Sequence[Fault] = (),
    qrels: Sequence[Judgment] = (),
) -> Golden:
    """A golden file's content (a mapping with ``cases``, or a list of cases) as records.

    ``lines`` says where each part of it stands, and ``faults`` what its reader found already.
    ``qrels`` are the judgments of the file that the header names.

    Raises GoldenError that lists every fault, with its line and the number of its case, from 1.
    """
    lines = lines or {}
    found = list(faults)
    bare = isinstance(content, Sequence) and not isinstance(content, str | bytes)
    header = {"cases": content} if bare else content
    if not isinstance(header, Mapping):
        found.append(Fault((), "a golden file is a mapping with cases, or a list of cases"))
        raise GoldenError(*in_order(found, lines), name=name)
    found += _header_faults(header)
    raw = header.get("cases")
    if not isinstance(raw, Sequence) or isinstance(raw, str | bytes):
        found.append(Fault(("cases",), "there is no list of cases"))
        raw = []
    grades, wrong = _grades_by_case(raw, qrels, header.get("qrels"))
    found += wrong
    root: Place = () if bare else ("cases",)
    told = {fault.place for fault in faults}
    cases = []
    for number, entry in enumerate(raw, start=1):
        place = (*root, number - 1)
        if entry is None and place in told:
            continue
        wrong = list(_case_faults(entry, place, bool(grades.get(number))))
        found += [Fault(one.place, f"case {number}: {one.said}") for one in wrong]
        if not wrong:
            cases.append(_case(number, entry, grades.get(number, {}), lines.get(place)))
    if found:
        raise GoldenError(*in_order(found, lines), name=name)
    return Golden(
        cases=tuple(cases),
        k=header.get("k", 4),
        settings=header.get("settings") or NOTHING,
        thresholds=dict(header.get("thresholds") or NOTHING),
    )


def _header_faults(header: Mapping[Any, Any]) -> Iterator[Fault]:
    for key, value in header.items():
        if key not in _HEADER_KEYS:
            yield Fault((key,), _unknown(key, _HEADER_KEYS))
        elif key in ("version", "schemaVersion") and (isinstance(value, bool) or value != 1):
            yield Fault((key,), f"{key} {value!r} is not known; this reads version 1")
    if not _is_count(header.get("k", 4)):
        wrong = header["k"]
        yield Fault(("k",), f"k is how many pieces are looked at, 1 or more, not {wrong!r}")
    settings = header.get("settings")
    if settings is not None and not isinstance(settings, Mapping | str):
        yield Fault(("settings",), f"settings are values or the path of a file, not {settings!r}")
    qrels = header.get("qrels")
    if qrels is not None and not isinstance(qrels, str):
        yield Fault(("qrels",), f"qrels is the path of a file, not {qrels!r}")
    thresholds = header.get("thresholds")
    if thresholds is None:
        return
    if not isinstance(thresholds, Mapping):
        yield Fault(("thresholds",), f"thresholds are shares by name, not {thresholds!r}")
        return
    for key, value in thresholds.items():
        place = ("thresholds", key)
        if key not in _THRESHOLDS:
            yield Fault(place, "thresholds: " + _unknown(key, _THRESHOLDS))
        elif not _is_number(value) or not 0 <= value <= 1:
            yield Fault(place, f"thresholds: {key} is a share from 0 to 1, not {value!r}")


def _case_faults(entry: Any, place: Place, graded: bool) -> Iterator[Fault]:
    if not isinstance(entry, Mapping):
        yield Fault(place, f"it is {entry!r}, not a mapping")
        return
    known = {key: value for key, value in entry.items() if key in _CASE_KEYS}
    for key in entry:
        if key not in _CASE_KEYS:
            yield Fault((*place, key), _unknown(key, tuple(_CASE_KEYS)))
    values: dict[str, Any] = {}
    for key, value in known.items():
        if _CASE_KEYS[key] in values:
            other = next(one for one in known if _CASE_KEYS[one] == _CASE_KEYS[key])
            yield Fault((*place, key), f"{key} and {other} say the same thing; keep one")
        values[_CASE_KEYS[key]] = value

    def at(key: str) -> Place:
        return (*place, next((one for one in known if _CASE_KEYS[one] == key), key))

    question = values.get("question")
    if question is None:
        yield Fault(place, "it has no question")
    elif not isinstance(question, str):
        yield Fault(at("question"), f"question is a text, not {question!r}: put it in quotes")
    elif not question.strip():
        yield Fault(
            at("question"), "question is empty: nothing is asked, and nothing can be judged"
        )
    mode = values.get("mode")
    if mode is not None and mode not in _MODES:
        near = difflib.get_close_matches(str(mode), _MODES, n=1)
        hint = f"; did you mean {near[0]!r}?" if near else f" (one of {', '.join(_MODES)})"
        yield Fault(at("mode"), f"mode {mode!r} is not known{hint}")
    for key in ("expected", "right"):
        for said in _ids_faults(key, values.get(key, ())):
            yield Fault(at(key), said)
    expected = values.get("expected", ())
    if mode is not None and not expected:
        yield Fault(at("expected"), f"mode {mode!r} needs expected ids")
    elif mode is None and expected:
        yield Fault(at("expected"), "expected needs a mode that says how; or call them right")
    elif mode is None and "right" not in values and "grades" not in values and not graded:
        yield Fault(
            place, "it has neither a mode with expected ids nor right ids ([] for none) nor grades"
        )
    if mode == "rank-one" and isinstance(expected, list | tuple) and len(expected) > 1:
        yield Fault(at("expected"), "rank-one expects one id, the first piece")
    k = values.get("k")
    if k is not None and not _is_count(k):
        yield Fault(at("k"), f"k is 1 or more, not {k!r}")
    elif (
        k is not None
        and mode in ("exact", "required-set", "contains")
        and isinstance(expected, list | tuple)
        and k < len(expected)
    ):
        yield Fault(at("k"), f"k {k} is less than the {len(expected)} ids that {mode} expects")
    level = values.get("confidence")
    if level is not None and level not in _LEVELS:
        yield Fault(at("confidence"), f"confidence is high, medium or low, not {level!r}")
    axis = values.get("axis")
    if axis is not None and not isinstance(axis, str):
        yield Fault(at("axis"), f"axis is a word, not {axis!r}")
    settings = values.get("settings")
    if settings is not None and not isinstance(settings, Mapping):
        yield Fault(at("settings"), f"settings of a case are a mapping, not {settings!r}")
    yield from _grade_faults(values.get("grades"), at("grades"))


def _ids_faults(key: str, ids: Any) -> Iterator[str]:
    if not isinstance(ids, list | tuple):
        yield f"{key} is a list of ids, not {ids!r}"
        return
    wrong = [id for id in ids if not isinstance(id, str)]
    if wrong:
        yield f"{key} is a list of ids, and {wrong[0]!r} is no text: put it in quotes"
        return
    if "" in ids:
        yield f"{key} has an empty id"
    twice = sorted({id for id in ids if ids.count(id) > 1})
    if twice:
        yield f"{key} names {', '.join(twice)} more than once"


def _grade_faults(grades: Any, place: Place) -> Iterator[Fault]:
    if grades is None:
        return
    if not isinstance(grades, Mapping) or not grades:
        yield Fault(place, f"grades are numbers by id, as in {{some-id: 2}}, not {grades!r}")
        return
    for id, grade in grades.items():
        if not isinstance(id, str) or not id:
            yield Fault((*place, id), f"grades: {id!r} is no id: put it in quotes")
        elif isinstance(grade, bool) or not isinstance(grade, int):
            yield Fault((*place, id), f"grades: that of {id} is a whole number, not {grade!r}")


def _case(number: int, entry: Mapping[str, Any], judged: Mapping[str, int], line: Any) -> Case:
    values = {_CASE_KEYS[key]: value for key, value in entry.items() if value is not None}
    for key in ("expected", "right"):
        values[key] = tuple(values.get(key, ()))
    grades = {**judged, **values.pop("grades", {})}
    if not values.get("mode") and not values["right"]:
        values["right"] = tuple(id for id, grade in grades.items() if grade > 0)
    return Case(number, grades=grades, line=line, **values)


def _grades_by_case(
    raw: Sequence[Any], qrels: Sequence[Judgment], path: Any
) -> tuple[dict[int, dict[str, int]], list[Fault]]:
    # Judgments name a case by its question, every case that asks it; or by its number.
    by_name: dict[str, list[int]] = {str(number): [number] for number in range(1, len(raw) + 1)}
    asked: dict[str, list[int]] = {}
    for number, entry in enumerate(raw, start=1):
        question = isinstance(entry, Mapping) and entry.get("question", entry.get("intent"))
        if isinstance(question, str):
            asked.setdefault(" ".join(question.split()), []).append(number)
    by_name.update(asked)
    found: dict[int, dict[str, int]] = {}
    faults = []
    for one in qrels:
        where = f"{path} line {one.line}: "
        numbers = by_name.get(" ".join(one.query.split()))
        if numbers is None:
            said = f"{where}no case has the question or the number {one.query!r}"
            faults.append(Fault(("qrels",), said))
        for number in numbers or ():
            if one.id in found.setdefault(number, {}):
                faults.append(Fault(("qrels",), f"{where}{one.id} is judged twice for {one.query}"))
            found[number][one.id] = one.grade
    return found, faults


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 1


def _unknown(key: Any, known: Sequence[str]) -> str:
    near = difflib.get_close_matches(str(key), known, n=1)
    return f"unknown key {key!r}" + (f"; did you mean {near[0]!r}?" if near else "")
