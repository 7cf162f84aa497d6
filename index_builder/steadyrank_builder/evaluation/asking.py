"""The questions of a golden file, asked of an index."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from steadyrank.answering import Settings, SettingsError, Store
from steadyrank.index import SteadyIndex
from steadyrank.measure import Case, Golden, GoldenError, Ranking, Run
from steadyrank_builder.evaluation.unreadable import reading
from steadyrank_builder.runs import AFTER, IndexAsker, StoreAsker, Way, open_asker, opened_store

Progress = Callable[[Sequence[Case]], Iterable[Case]]

# What settings a search has in common with an answer.
_OF_SEARCHES = ("gap", "select", "statistics", "tiebreak", "fields")


@dataclass(frozen=True, slots=True)
class Base:
    """Whose settings count where a case has none: the golden file's, with options laid over.

    ``folder`` is what paths in the file are relative to. ``settings`` stand in for those that
    the file names; ``over`` are laid over either.
    """

    golden: Golden
    folder: Path
    settings: Settings | None = None
    over: Mapping[str, Any] | None = None


class GoldenAsker:
    """Asks an index the questions of a golden file; closed when it is no longer needed.

    An answer has as many pieces as the settings say, and at least as many as its case looks at.
    Raises NoIndexError, SettingsError, and GoldenError for settings of cases that cannot be used.
    """

    def __init__(self, folder: Path, base: Base, way: Way, after: int = AFTER) -> None:
        self.golden = base.golden
        self.folder = folder
        self._ask: _Stores | _Searches
        with reading(folder):
            store = None if way.searches else opened_store(folder)
            if store is not None:
                self._ask = _Stores(store, base, way, after)
            else:
                self._ask = _Searches(folder, base, way, after)

    def ask(self, case: Case) -> Ranking:
        """What the case's question gets under the case's settings."""
        with reading(self.folder):
            return self._ask.ranking(case, _wanted(case, self.golden))

    def run(self, progress: Progress = iter) -> Run:
        """All cases; ``progress`` sees them go by."""
        rankings = tuple(self.ask(case) for case in progress(self.golden.cases))
        with reading(self.folder):
            return Run(self._ask.first.origin(), rankings)

    def unknown(self) -> tuple[str, ...]:
        """The ids that cases name and no live document has, in the order of the file."""
        named = [id for case in self.golden.cases for id in case.named]
        with reading(self.folder):
            return tuple(self._ask.first.missing(list(dict.fromkeys(named))))

    def close(self) -> None:
        """Closes the files."""
        self._ask.close()

    def __enter__(self) -> GoldenAsker:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()


class _Stores:
    """By answers: one store, under the settings of each case."""

    def __init__(self, index: SteadyIndex, base: Base, way: Way, after: int) -> None:
        settings = _file_settings(base).overlaid(base.over or {})
        settings = settings.overlaid(way.policy)
        self._own = _by_case(base, lambda own: settings.overlaid(own, base.folder))
        self._counted: dict[tuple[int, int], Settings] = {}
        self.first = StoreAsker(Store(index, settings), after)

    def ranking(self, case: Case, wanted: int) -> Ranking:
        own = self._own[case.number]
        count = max(own.take.count, wanted)
        # Equal settings are one object, which a store prepares once.
        chosen = self._counted.get((id(own), count))
        if chosen is None:
            chosen = own if count == own.take.count else own.overlaid({"take": {"count": count}})
            self._counted[id(own), count] = chosen
        return self.first.ask(case.number, case.question, count, chosen)

    def close(self) -> None:
        self.first.close()


class _Searches:
    """By search: one searcher for each way that cases ask for."""

    def __init__(self, folder: Path, base: Base, way: Way, after: int) -> None:
        given = base.golden.settings
        if isinstance(given, str) or base.settings is not None:
            raise SettingsError(f"a file of settings is for answers, and {folder} is searched")
        try:
            general = _searching(way, {**given, **(base.over or {})}, base.folder)
        except SettingsError as error:
            raise error.within("settings") from None
        general = replace(general, policy={**general.policy, **way.policy})
        ways = _by_case(base, lambda own: _searching(general, own, base.folder))
        self._k = base.golden.k
        self._open = contextlib.ExitStack()
        self._askers: dict[int, IndexAsker | StoreAsker] = {}
        with contextlib.ExitStack() as undo:
            undo.push(self._open)
            self.first = self._opened(folder, general, after)
            opened = {id(general): self.first}
            for case in base.golden.cases:
                own = ways[case.number]
                if id(own) not in opened:
                    opened[id(own)] = self._opened(folder, own, after)
                self._askers[case.number] = opened[id(own)]
            undo.pop_all()

    def _opened(self, folder: Path, way: Way, after: int) -> IndexAsker | StoreAsker:
        return self._open.enter_context(contextlib.closing(open_asker(folder, way, after)))

    def ranking(self, case: Case, wanted: int) -> Ranking:
        return self._askers[case.number].ask(case.number, case.question, max(self._k, wanted))

    def close(self) -> None:
        self._open.close()


def _wanted(case: Case, golden: Golden) -> int:
    # Cases that are measured are looked at as far as the metrics are.
    return max(case.looked_at(golden.k), golden.k if case.judgments or not case.mode else 0)


def _file_settings(base: Base) -> Settings:
    if base.settings is not None:
        return base.settings
    if isinstance(base.golden.settings, str):
        return Settings.load(base.folder / base.golden.settings)
    try:
        return Settings.of(base.golden.settings, base.folder)
    except SettingsError as error:
        raise error.within("settings") from None


def _searching(way: Way, given: Mapping[str, Any], folder: Path) -> Way:
    if not given:
        return way
    wrong = [key for key in given if key not in _OF_SEARCHES]
    if wrong:
        raise SettingsError(
            f"{', '.join(map(repr, wrong))} is for answers, and this index is searched; "
            f"a search has {', '.join(_OF_SEARCHES)}"
        )
    values = Settings.of(given, folder).model_dump(include=set(given))
    fields = values.pop("fields", None) if way.fields is None else way.fields
    values.pop("fields", None)
    return replace(way, policy={**way.policy, **values}, fields=fields)


def _by_case(base: Base, made: Callable[[Mapping[str, Any]], Any]) -> dict[int, Any]:
    known: dict[str, Any] = {}
    faults: list[str] = []
    found: dict[int, Any] = {}
    for case in base.golden.cases:
        key = repr(sorted(case.settings.items(), key=repr))
        try:
            if key not in known:
                known[key] = made(case.settings)
            found[case.number] = known[key]
        except SettingsError as error:
            place = f"case {case.number}"
            if case.line is not None:
                place = f"line {case.line}: {place}"
            faults += error.within(place).faults
    if faults:
        raise GoldenError(*faults)
    return found
