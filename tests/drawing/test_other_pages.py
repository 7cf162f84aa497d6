"""The pages of drift, churn and audits in a real browser, counted against their records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from steadyrank.measure import Entry, Origin, Ranking, Run
from steadyrank.measure.audit import Audit, Column, Example, Layout, Margins, Subject
from steadyrank.measure.audit import Share as Counted
from steadyrank.measure.churned import Cell, Churn, GapTest, Ordering, Pairs, Perturbation, Share
from steadyrank.measure.drift_runs import drift_of
from steadyrank_builder.drawing import audit_page, churn_page, drift_page
from support_browser import chromium, keep_screenshot, open_page, overlaps

pytest.importorskip("jinja2")

HOSTILE = "<script>document.title='run'</script>\u202e\" onload=\"document.title='run'\" {{ 7 }}"
ORIGIN = Origin(1, None, 9, {"whoosh_distribution": "Whoosh", "whoosh_version": "2.7.4"})


def ranking(*scored: tuple[str, float, int], k: int = 3, gap: float = 0.5) -> Ranking:
    """Entries as (id, score, band), in order; titles are hostile."""
    entries = tuple(
        Entry(id, score, id, band=band if gap else None, title=f"{id} {HOSTILE}", content="c")
        for id, score, band in scored
    )
    return Ranking(1, HOSTILE, k, entries[:k], entries[k:], gap=gap)


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


def look(driver: Any, path: Path, html: str, name: str, width: int, scheme: str) -> None:
    """Opens the page; nothing has run, nothing is reported, nothing overlaps or sticks out."""
    path.write_text(html, "utf-8")
    open_page(driver, path, width, scheme)
    keep_screenshot(driver, f"{name}-{width}-{scheme}")
    assert driver.get_log("browser") == []
    assert "run" not in driver.title
    assert driver.execute_script("return document.querySelectorAll('script, img').length") == 0
    assert overlaps(driver) == []
    assert driver.execute_script("return document.documentElement.scrollWidth") <= width


def count(driver: Any, selector: str) -> int:
    found = driver.execute_script("return document.querySelectorAll(arguments[0]).length", selector)
    return int(found)


SIZES = pytest.mark.parametrize(("width", "scheme"), [(1000, "light"), (360, "dark")])


@SIZES
def test_drift(driver: Any, tmp_path: Path, width: int, scheme: str) -> None:
    """b passes a inside their band, d comes in for c across bands."""
    base = ranking(("a", 10.0, 1), ("b", 9.8, 1), ("c", 8.0, 2), ("d", 7.0, 3))
    fresh = ranking(("b", 9.9, 1), ("a", 10.0, 1), ("d", 8.5, 2), ("c", 7.5, 3), ("e", 1.0, 4))
    drift = drift_of(Run(ORIGIN, (base,)), Run(ORIGIN, (fresh,)))
    look(driver, tmp_path / "drift.html", drift_page(drift), "drift", width, scheme)

    (question,) = drift.questions
    assert count(driver, ".slope") == len(question.moves) == 4
    assert count(driver, ".move.across") == 2
    assert count(driver, ".move.inside") + count(driver, ".move.still") == 2
    assert count(driver, ".hit") == 5
    assert count(driver, ".band") == 4
    spans = [slack for slack in question.slacks if slack.kind == "span"]
    assert count(driver, ".bar") == len(spans) > 0


@SIZES
def test_churn(driver: Any, tmp_path: Path, width: int, scheme: str) -> None:
    """A bar for each ordering under each change, and a row for each in its table."""
    orderings = (Ordering("stock Whoosh", "whoosh"), Ordering("gap 0.5", gap=0.5))
    tried = (
        Perturbation("shuffled", "layout", HOSTILE, 2),
        Perturbation("60 added", "corpus", "60 other documents added", 2, 60),
    )
    some, none = Share.of(3, 10, 2), Share.of(0, 10, 2)
    cells = tuple(
        Cell(o.name, p.name, some, none, none, Pairs(1, 9, 50, none) if p.documents else None)
        for p in tried
        for o in orderings
    )
    test = GapTest("gap 0.5", "score, then id", 0.0, 0.15, 0, 3, 7, 0.25, 0.25, True, "not shown")
    churn = Churn(10, 4, 2, 1, 9, orderings, tried, cells, (test,), None, (HOSTILE,))
    look(driver, tmp_path / "churn.html", churn_page(churn), "churn", width, scheme)

    assert count(driver, ".bar") == 4
    assert count(driver, "details") == 2
    assert count(driver, "details tbody tr") == 4
    assert "no gap" not in driver.title


@SIZES
def test_audit(driver: Any, tmp_path: Path, width: int, scheme: str) -> None:
    """Both answers of an example stand side by side, the places that differ are marked."""
    before = ranking(("a", 2.0, 1), ("b", 1.0, 1), ("c", 1.0, 1), ("d", 1.0, 1), gap=0.0)
    after = ranking(("a", 2.0, 1), ("d", 1.0, 1), ("c", 1.0, 1), ("b", 1.0, 1), gap=0.0)
    audit = Audit(
        subject=Subject("store.idx", ORIGIN, 1, 0, "id", {"text": 1.0}, "words"),
        k=3,
        questions=Counted(2, 3),
        sampled=Counted(2, 3),
        answers=Counted(2, 3),
        empty=Counted(),
        failed=(),
        layouts=(Layout("reversed", 1),),
        not_rebuilt=None,
        stock=Column(Counted(1, 2)),
        steady=Column(),
        ties=_ties(),
        lost=Counted(),
        cut=Margins(1, (0.1,) * 7),
        inside=Margins(),
        moved=0.0,
        near=Counted(),
        examples=(Example(2, "cut", "reversed", (2,), before, after),),
    )
    look(driver, tmp_path / "audit.html", audit_page(audit), "audit", width, scheme)

    assert count(driver, "details tbody tr") == 3
    assert count(driver, "tr.differs") == 1
    # Of the answers' four records b left and d came in.
    assert count(driver, ".slope") == 4
    assert count(driver, ".move.across") == 2


def _ties() -> Any:
    from steadyrank.measure.audit import Ties

    return Ties(cut=Counted(1, 2), inside=Counted(1, 2), any=Counted(1, 2))
