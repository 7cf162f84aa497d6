"""The questions of a golden file, asked when a test first needs them."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path

import click

from steadyrank.errors import SteadyRankError
from steadyrank.measure import Case, CaseResult, Golden, Ranking, Threshold, judge
from steadyrank.measure.evaluation import metrics_of
from steadyrank.measure.thresholds import thresholds_of
from steadyrank_builder.commands.ways import way_options
from steadyrank_builder.evaluation import GoldenAsker, golden_asker
from steadyrank_builder.runs import Way


class NoVerdictError(Exception):
    """The index could not be asked, or does not have what the cases name; the message says why."""


class Asking:
    """One golden file and one index. Nothing is opened before the first question, none is asked
    twice, and only those that somebody wants to know.
    """

    def __init__(self, folder: Path, golden_path: Path, options: Sequence[str]) -> None:
        self.folder = folder
        self.golden_path = golden_path
        self.options = options
        self._rankings: dict[int, Ranking] = {}
        self._open = contextlib.ExitStack()

    @cached_property
    def _asker(self) -> GoldenAsker:
        asker = golden_asker(self.folder, self.golden_path, way_of(self.options))
        self._open.callback(asker.close)
        return asker

    @cached_property
    def _unknown(self) -> frozenset[str]:
        return frozenset(self._asker.unknown())

    @property
    def golden(self) -> Golden:
        """The cases, as they were when the index was opened."""
        with _told():
            return self._asker.golden

    def result(self, number: int) -> CaseResult:
        """The verdict on a case. Raises NoVerdictError."""
        with _told():
            golden = self._asker.golden
            case = next(case for case in golden.cases if case.number == number)
            self._known([case])
            return judge(case, self._ranking(case), golden.k)

    def threshold(self, name: str) -> Threshold:
        """A threshold beside its metric; asks all cases. Raises NoVerdictError."""
        with _told():
            golden = self._asker.golden
            measured = [case for case in golden.cases if case.judgments or case.mode is None]
            self._known(measured)
            rankings = {case.number: self._ranking(case) for case in measured}
            results = [judge(case, rankings[case.number], golden.k) for case in measured]
            metrics = metrics_of(golden, results, rankings, lambda qrels, ids, k: {})
            found = thresholds_of(golden.thresholds, metrics)
            return next(one for one in found if one.name == name)

    def close(self) -> None:
        """Closes the index."""
        self._open.close()

    def _known(self, cases: Sequence[Case]) -> None:
        wrong = dict.fromkeys(id for case in cases for id in case.named if id in self._unknown)
        if wrong:
            raise NoVerdictError(f"the index does not have {', '.join(wrong)}")

    def _ranking(self, case: Case) -> Ranking:
        if case.number not in self._rankings:
            self._rankings[case.number] = self._asker.ask(case)
        return self._rankings[case.number]


def way_of(options: Sequence[str]) -> Way:
    """How ``steadyrank evaluate`` would ask with these options. Raises NoVerdictError."""

    @click.command(add_help_option=False)
    @way_options
    def read(way: Way) -> Way:
        return way

    try:
        way = read.main(list(options), prog_name="steadyrank_options", standalone_mode=False)
    except click.ClickException as error:
        raise NoVerdictError(f"steadyrank_options: {error.format_message()}") from error
    assert isinstance(way, Way)
    return way


@contextlib.contextmanager
def _told() -> Iterator[None]:
    # A suite that makes warnings errors means its own, and not those of Whoosh's sources.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        warnings.simplefilter("ignore", SyntaxWarning)
        try:
            yield
        except (SteadyRankError, OSError) as error:
            raise NoVerdictError(str(error)) from error
