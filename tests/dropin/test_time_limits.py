"""Time limits: complete, or raised and partial results that say so."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from whoosh import collectors as c
from whoosh import matching, sorting
from whoosh import query as q
from whoosh.searching import TimeLimit

from support_dropin import SALE, WORDS_QUERY, Host, found

pytestmark = pytest.mark.whoosh


class SlowMatcher(matching.ListMatcher):  # type: ignore[misc]
    def __init__(self, docs: list[int], pause: float) -> None:
        super().__init__(docs, [1.0] * len(docs))
        self.pause = pause

    def next(self) -> Any:
        time.sleep(self.pause)
        return super().next()


class SlowQuery(q.Query):  # type: ignore[misc]
    """A host's own query, whose every step takes its time."""

    def __init__(self, pause: float) -> None:
        self.pause = pause

    def matcher(self, searcher: Any, context: Any = None) -> Any:
        docs = [d for d in range(searcher.doc_count_all()) if not searcher.reader().is_deleted(d)]
        return SlowMatcher(docs, self.pause)


@pytest.fixture(autouse=True)
def _the_hosts_alarm() -> Iterator[None]:
    """After each test the process's alarm and timer are the host's again."""
    handler, timer = signal.getsignal(signal.SIGALRM), signal.setitimer(signal.ITIMER_REAL, 1000)
    yield
    assert signal.getsignal(signal.SIGALRM) is handler
    assert 900 < signal.getitimer(signal.ITIMER_REAL)[0] < 1000
    signal.setitimer(signal.ITIMER_REAL, *timer)


def run(searcher: Any, collector: Any, query: Any) -> tuple[bool, float]:
    """Whether the time limit was raised, and how long it took."""
    start = time.monotonic()
    try:
        searcher.search_with_collector(query, collector)
    except TimeLimit:
        return True, time.monotonic() - start
    return False, time.monotonic() - start


@pytest.mark.parametrize("use_alarm", [True, False])
def test_a_search_in_time_is_complete(host: Host, use_alarm: bool) -> None:
    with host.steady().searcher() as ours:
        collector = c.TimeLimitCollector(c.TopCollector(5), 60, use_alarm=use_alarm)
        raised, _ = run(ours, collector, WORDS_QUERY)
        assert not raised
        assert not collector.timedout
        results = collector.results()
        assert found(results) == found(ours.search(WORDS_QUERY, limit=5))
        assert results.partial is False


@pytest.mark.parametrize("use_alarm", [True, False])
def test_a_slow_query_is_cut_short_and_says_so(host: Host, use_alarm: bool) -> None:
    """TimeLimit is raised in time; the results are then partial, right as far as they go."""
    with host.steady().searcher() as ours:
        collector = c.TimeLimitCollector(c.TopCollector(50), 0.12, use_alarm=use_alarm)
        raised, seconds = run(ours, collector, SlowQuery(0.05))
        assert raised
        assert seconds < 1.5  # all of it takes 3
        assert collector.timedout
        results = collector.results()
        assert results.partial is True
        assert 0 < len(results) == len(found(results)) < 60
        assert {score for _, score in found(results)} == {1.0}


def test_one_long_step_is_interrupted(host: Host) -> None:
    """A step that sleeps is interrupted by the alarm, as in stock."""
    with host.steady().searcher() as ours:
        collector = c.TimeLimitCollector(ours.collector(limit=5), 0.05)
        raised, seconds = run(ours, collector, SlowQuery(30))
        assert raised
        assert seconds < 5
        assert len(collector.results()) == 1


@pytest.mark.parametrize("use_alarm", [True, False])
def test_in_a_thread(host: Host, use_alarm: bool) -> None:
    """Signals are for the main thread; elsewhere time is looked at between steps."""
    answers: list[Any] = []

    def work() -> None:
        with host.steady().searcher() as ours:
            collector = c.TimeLimitCollector(c.TopCollector(5), 0.12, use_alarm=use_alarm)
            answers.append(run(ours, collector, SlowQuery(0.05)))
            answers.append(collector.results().partial)

    thread = threading.Thread(target=work)
    thread.start()
    thread.join(10)
    assert answers[0][0] is True
    assert answers[0][1] < 1.5
    assert answers[1] is True


def test_partial_results_keep_to_the_filter(host: Host) -> None:
    """What a filter hides stays hidden when time is over; facets and terms can be asked."""
    with host.steady().searcher() as ours:
        chain = c.TermsCollector(
            c.FacetCollector(c.CollapseCollector(c.TopCollector(50), "tag"), "tag")
        )
        collector = c.TimeLimitCollector(c.FilterCollector(chain, SALE), 0.1)
        raised, _ = run(ours, collector, SlowQuery(0.01))
        assert raised
        results = collector.results()
        assert results.partial
        assert {host.records[id].tag for id, _ in found(results)} == {"sale"}
        assert results.groups() == {}
        assert results.matched_terms() == set()


def test_no_time_at_all(host: Host) -> None:
    """A limit of nothing: raised, and nothing or all is found, in order."""
    with host.steady().searcher() as ours:
        collector = c.TimeLimitCollector(c.TopCollector(5), 0.0)
        raised, _ = run(ours, collector, WORDS_QUERY)
        assert raised
        results = collector.results()
        assert results.partial
        assert found(results) == found(ours.search(WORDS_QUERY, limit=5))[: len(found(results))]


def test_asking_after_the_time_is_over_is_no_error(host: Host) -> None:
    """A sorted, grouped search that was in time can be asked later than its limit."""
    with host.steady().searcher() as ours:
        sorting_first = c.SortingCollector("price", limit=5)
        collector = c.TimeLimitCollector(c.FacetCollector(sorting_first, "tag"), 0.5)
        raised, _ = run(ours, collector, WORDS_QUERY)
        assert not raised
        time.sleep(0.55)
        results = collector.results()
        expected = found(ours.search(WORDS_QUERY, sortedby="price", limit=5))
        assert found(results) == expected
        assert results.groups()
        own = c.WrappingCollector(c.SortingCollector("price", limit=5))
        own.__class__ = type("Own", (c.WrappingCollector,), {})
        collector = c.TimeLimitCollector(own, 0.5, use_alarm=False)
        assert not run(ours, collector, WORDS_QUERY)[0]
        time.sleep(0.55)
        assert found(collector.results()) == expected


def test_slow_keys_count(host: Host) -> None:
    """Sorting and grouping by a host's slow function are in the limit too."""

    def slow(searcher: Any, doc: int) -> int:
        time.sleep(0.02)
        return doc % 2

    facet = sorting.FunctionFacet(slow)
    with host.steady().searcher() as ours:
        for chain in (
            c.SortingCollector(facet, limit=5),
            c.FacetCollector(c.TopCollector(5), facet),
            c.CollapseCollector(c.TopCollector(5), facet),
        ):
            collector = c.TimeLimitCollector(chain, 0.1)
            raised, seconds = run(ours, collector, WORDS_QUERY)
            assert raised
            assert seconds < 0.9  # all of it takes 1.2
        assert run(ours, c.TimeLimitCollector(c.TopCollector(5), 60), WORDS_QUERY)[0] is False


def test_a_collector_that_timed_out_can_be_used_again(host: Host) -> None:
    with host.steady().searcher() as ours:
        collector = c.TimeLimitCollector(c.TopCollector(5), 0.05)
        assert run(ours, collector, SlowQuery(0.02))[0]
        collector.timelimit = 60
        assert not run(ours, collector, WORDS_QUERY)[0]
        assert not collector.timedout
        assert collector.results().partial is False
        assert found(collector.results()) == found(ours.search(WORDS_QUERY, limit=5))


def test_a_wrapper_of_the_hosts_own_inside_a_time_limit(host: Host) -> None:
    """Whoosh's own timer runs then; results are partial and the filter holds."""

    class Slow(c.WrappingCollector):  # type: ignore[misc]
        def collect(self, sub_docnum: int) -> Any:
            time.sleep(0.01)
            return self.child.collect(sub_docnum)

    before = signal.getsignal(signal.SIGALRM)
    with host.steady().searcher() as ours:
        collector = c.TimeLimitCollector(
            c.FilterCollector(Slow(c.TopCollector(50)), SALE), 0.05, use_alarm=False
        )
        raised, _ = run(ours, collector, WORDS_QUERY)
        assert raised
        results = collector.results()
        assert results.partial is True
        assert {host.records[id].tag for id, _ in found(results)} == {"sale"}
    signal.signal(signal.SIGALRM, before)


def test_a_timer_of_the_hosts_that_is_due_first_goes_off(host: Host) -> None:
    """It is the host's, and raises the host's exception."""

    class OwnError(Exception):
        pass

    def own(signum: int, frame: Any) -> None:
        raise OwnError

    before = signal.signal(signal.SIGALRM, own)
    rest = (0.0, 0.0)
    try:
        with host.steady().searcher() as ours, pytest.raises(OwnError):
            start = time.monotonic()
            rest = signal.setitimer(signal.ITIMER_REAL, 0.03)
            run(ours, c.TimeLimitCollector(c.TopCollector(5), 5), SlowQuery(0.05))
        assert time.monotonic() - start < 2  # all of it takes 3
    finally:
        signal.setitimer(signal.ITIMER_REAL, *rest)
        signal.signal(signal.SIGALRM, before)


def test_the_alarm_of_the_host_comes_back(host: Host) -> None:
    def own(signum: int, frame: Any) -> None:
        raise AssertionError

    before = signal.signal(signal.SIGALRM, own)
    try:
        with host.steady().searcher() as ours:
            assert run(ours, c.TimeLimitCollector(c.TopCollector(5), 0.05), SlowQuery(0.02))[0]
        assert signal.getsignal(signal.SIGALRM) is own
    finally:
        signal.signal(signal.SIGALRM, before)
