"""A search that never ends, ends."""

from __future__ import annotations

import signal
import threading
import time
from pathlib import Path

import pytest
from whoosh import fields

from steadyrank_builder.auditing import AuditOptions, audit_index
from steadyrank_builder.churning import Plan, measure_churn
from steadyrank_builder.provenance import whoosh_distribution
from steadyrank_builder.runs import Way
from steadyrank_builder.runs import deadline as runs_deadline
from steadyrank_builder.runs.deadline import DeadlineError, deadline
from support_audit import log, write

pytestmark = pytest.mark.whoosh

WORDS = ["red", "blue", "cup", "mug", "boot", "rain", "tent", "gas", "sock", "hat"]


def test_a_loop_is_left_and_one_that_swallows_the_first_alarm_too() -> None:
    began = time.monotonic()
    with pytest.raises(DeadlineError, match="too long"), deadline(0.02, "too long"):
        while True:
            try:
                while True:
                    pass
            except DeadlineError:
                break
        time.sleep(5)
    assert time.monotonic() - began < 4


def test_what_ends_in_time_is_left_alone_and_a_timer_before_goes_on() -> None:
    before = signal.getsignal(signal.SIGALRM)
    old = signal.setitimer(signal.ITIMER_REAL, 1000, 7)
    try:
        with deadline(0.05, "too long"):
            pass
        time.sleep(0.1)
        delay, interval = signal.getitimer(signal.ITIMER_REAL)
        assert (990 < delay <= 1000, interval) == (True, 7)
    finally:
        signal.setitimer(signal.ITIMER_REAL, *old)
    assert signal.getsignal(signal.SIGALRM) == before


def test_in_another_thread_there_is_none() -> None:
    done = []

    def run() -> None:
        with deadline(0.001, "too long"):
            time.sleep(0.02)
            done.append(True)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert done == [True]


def test_a_question_that_whoosh_loops_on_is_listed_and_the_others_are_judged(
    tmp_path: Path,
) -> None:
    """One word in two fields and a limit of 1: Whoosh 2.7.4 does not come back."""
    schema = fields.Schema(title=fields.TEXT(stored=True), content=fields.TEXT(stored=True))
    documents = [{"title": f"{word} hat", "content": word} for word in WORDS] * 2
    write(tmp_path / "a", schema, documents)
    options = AuditOptions(no_id=True, k=1, timeout=0.5, redact=True)
    audit = audit_index(tmp_path / "a", log(*WORDS), options)
    hangs = whoosh_distribution()[0] == "Whoosh"
    assert [failed.number for failed in audit.failed] == ([10] if hangs else [])
    assert audit.answers.distinct == (9 if hangs else 10)
    if hangs:
        said = "stock Whoosh gave no answer with limit=1 in 0.5 seconds"
        assert (audit.failed[0].stage, audit.failed[0].error) == ("search", said)


def test_churn_leaves_out_a_question_that_whoosh_loops_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so, and measures the others, where it would never end."""
    schema = fields.Schema(
        id=fields.ID(stored=True, unique=True),
        title=fields.TEXT(stored=True),
        content=fields.TEXT(stored=True),
    )
    documents = [
        {"id": str(number), "title": f"{word} hat", "content": word}
        for number, word in enumerate(WORDS * 2)
    ]
    write(tmp_path / "a", schema, documents)
    monkeypatch.setattr(runs_deadline, "STOCK_SECONDS", 0.5)
    plan = Plan(k=1, draws=1, groups=("layout",))
    churn = measure_churn(tmp_path / "a", [(1, "hat"), (2, "red")], Way(), plan)
    hangs = whoosh_distribution()[0] == "Whoosh"
    assert churn.questions == (1 if hangs else 2)
    assert any("no answer to 'hat'" in said for said in churn.skipped) == hangs
