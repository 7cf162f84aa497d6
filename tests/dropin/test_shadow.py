"""Shadow mode: stock's answers, and a line that says what ours would have been."""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from whoosh import query as q

import steadyrank
from support_dropin import SALE, WORDS_QUERY, Host, found, ids, make_host

pytestmark = pytest.mark.whoosh


def shadowed(host: Host, **settings: Any) -> tuple[Any, list[dict[str, Any]]]:
    lines: list[dict[str, Any]] = []
    return host.steady(shadow=lambda text: lines.append(json.loads(text)), **settings), lines


def test_answers_are_stocks_and_lines_compare(host: Host) -> None:
    view, lines = shadowed(host)
    with (
        view.searcher() as shadow,
        host.index.searcher() as stock,
        host.steady().searcher() as ours,
    ):
        arguments: list[dict[str, Any]] = [
            {}, {"limit": 3}, {"limit": None}, {"filter": SALE}, {"sortedby": "price"},
            {"reverse": True}, {"collapse": "tag"}, {"groupedby": "tag", "terms": True},
        ]  # fmt: skip
        for extra in arguments:
            theirs, expected = stock.search(WORDS_QUERY, **extra), ours.search(WORDS_QUERY, **extra)
            assert found(shadow.search(WORDS_QUERY, **extra)) == found(theirs)
            line = lines.pop()
            assert line["schema"] == 1
            assert line["query"] == repr(WORDS_QUERY)
            assert line["limit"] == extra.get("limit", 10)
            assert line["stock"] == ids(found(theirs))
            assert line["steady"] == ids(found(expected))
            assert line["changed"] == (line["stock"] != line["steady"])
            if line["changed"]:
                at = line["first_difference"] - 1
                assert line["stock"][:at] == line["steady"][:at]
                assert line["stock"][at : at + 1] != line["steady"][at : at + 1]
                assert line["set_changed"] == (set(line["stock"]) != set(line["steady"]))
        assert lines == []
        page = shadow.search_page(WORDS_QUERY, 2, pagelen=4)
        assert found(page) == found(stock.search_page(WORDS_QUERY, 2, pagelen=4))
        assert len(lines) == 1


def test_both_kinds_of_line_are_met(host: Host) -> None:
    view, lines = shadowed(host)
    with view.searcher() as shadow:
        for query in (WORDS_QUERY, q.Term("id", "r0001")):
            shadow.search(query)
    assert [line["changed"] for line in lines] == [True, False]
    assert "first_difference" not in lines[1]


def test_what_steadyrank_refuses_is_a_line_and_no_error(host: Host) -> None:
    """Scores out of range, a gap with reverse, a failing key: the host has stock's answer."""
    view, lines = shadowed(host)
    huge = q.Term("text", "tent", boost=1e9)
    with view.searcher() as shadow, host.index.searcher() as stock:
        assert found(shadow.search(huge)) == found(stock.search(huge))
        assert lines.pop()["error"].startswith("ScoreError: a score of")
    view, lines = shadowed(host, gap=0.5)
    with view.searcher() as shadow:
        assert shadow.search(WORDS_QUERY, reverse=True)
        assert "no reverse" in lines.pop()["error"]
    view, lines = shadowed(host, route=lambda stored: 1 / 0)
    with view.searcher() as shadow:
        assert shadow.search(WORDS_QUERY)
        assert lines.pop()["error"].startswith("ZeroDivisionError")


def test_an_error_of_the_hosts_own_query_stays_the_hosts(host: Host) -> None:
    view, lines = shadowed(host)
    with view.searcher() as shadow, pytest.raises(ValueError, match="limit must be >= 1"):
        shadow.search(WORDS_QUERY, limit=0)
    assert lines == []


def test_a_log_that_fails_does_not_reach_the_host(host: Host) -> None:
    def broken(text: str) -> None:
        raise OSError("disk full")

    with host.steady(shadow=broken).searcher() as shadow, host.index.searcher() as stock:
        assert found(shadow.search(WORDS_QUERY)) == found(stock.search(WORDS_QUERY))


def test_a_logger_gets_lines_at_level_info(host: Host, caplog: pytest.LogCaptureFixture) -> None:
    logger = logging.getLogger("shop.search")
    with (
        caplog.at_level(logging.INFO, logger="shop.search"),
        host.steady(shadow=logger).searcher() as shadow,
    ):
        shadow.search(WORDS_QUERY)
    (record,) = caplog.records
    assert record.levelno == logging.INFO
    line = json.loads(record.getMessage())
    assert list(line) == sorted(line)


def test_refresh_goes_on_in_shadow(tmp_path: Path) -> None:
    own = make_host(tmp_path, seed=23, size=40)
    view, lines = shadowed(own)
    shadow = view.searcher()
    shadow.search(WORDS_QUERY)
    assert shadow.refresh() is shadow
    with view.writer() as writer:
        writer.add_document(id="fresh", title="lamp", text="tent", tag="new", price=1)
        writer.merge = False
    fresh = shadow.refresh()
    assert fresh is not shadow
    assert "fresh" in ids(found(fresh.search(WORDS_QUERY, limit=None)))
    assert "fresh" in lines[-1]["steady"]
    assert len(lines) == 2
    fresh.close()


def test_records_without_an_id_are_called_by_their_content(host: Host) -> None:
    view, lines = shadowed(host, id_field=None)
    with view.searcher() as shadow:
        shadow.search(WORDS_QUERY)
    assert all(id.startswith("content:") and len(id) == 24 for id in lines[0]["steady"])
    assert len(set(lines[0]["steady"])) > 1


def test_leaf_searchers_do_not_log(host: Host) -> None:
    view, lines = shadowed(host)
    with view.searcher() as shadow:
        for leaf, _ in shadow.leaf_searchers():
            leaf.search(WORDS_QUERY)
    assert lines == []
    assert isinstance(view, steadyrank.SteadyIndex)
