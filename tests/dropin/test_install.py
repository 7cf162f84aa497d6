"""install and uninstall: every searcher of the process, and back."""

from __future__ import annotations

import json
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from whoosh import collectors as c
from whoosh import fields, index
from whoosh import query as q
from whoosh.searching import Searcher

import steadyrank
from support_dropin import SALE, WORDS_QUERY, Host, found, ids
from support_layouts import schema

pytestmark = pytest.mark.whoosh


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = dict(vars(Searcher))
    yield
    steadyrank.uninstall()
    assert dict(vars(Searcher)) == before, "identical function objects, nothing left behind"


def test_installed_searchers_are_steady(host: Host) -> None:
    """Stock's own classes, searchers that exist already included, give the steady answers."""
    with host.steady().searcher() as steady, host.index.searcher() as early:
        stock = found(early.search(WORDS_QUERY, limit=None))
        expected = found(steady.search(WORDS_QUERY, limit=None))
        assert stock != expected
        steadyrank.install(id_field="id", statistics="whoosh")
        with host.index.searcher() as late:
            for searcher in (early, late):
                assert type(searcher) is Searcher
                assert found(searcher.search(WORDS_QUERY, limit=None)) == expected
                assert found(searcher.search_page(WORDS_QUERY, 2, pagelen=5)) == expected[5:10]
                assert found(searcher.search(WORDS_QUERY, filter=set())) == []
                assert searcher.search(WORDS_QUERY).placements
                top = c.TopCollector(4)
                searcher.search_with_collector(WORDS_QUERY, c.FilterCollector(top, SALE))
                assert found(top.results()) == found(
                    steady.search(WORDS_QUERY, filter=SALE, limit=4)
                )
            steadyrank.uninstall()
            assert found(late.search(WORDS_QUERY, limit=None)) == stock


def test_installing_again_replaces_the_policy_and_uninstalling_twice_is_harmless(
    host: Host,
) -> None:
    steadyrank.install(id_field="id", statistics="whoosh")
    steadyrank.install(id_field="id", statistics="whoosh", gap=0.5)
    with host.index.searcher() as searcher, host.steady(gap=0.5).searcher() as banded:
        assert found(searcher.search(WORDS_QUERY)) == found(banded.search(WORDS_QUERY))
    steadyrank.uninstall()
    steadyrank.uninstall()


def test_a_wrong_policy_installs_nothing(host: Host) -> None:
    with pytest.raises(steadyrank.PolicyError):
        steadyrank.install(gap=-1)
    with pytest.raises(steadyrank.PolicyError, match="not both"):
        steadyrank.install(policy=steadyrank.Policy(), gap=1)
    with host.index.searcher() as searcher:
        assert not hasattr(searcher.search(WORDS_QUERY), "placements")


def test_a_steady_views_own_policy_goes_before_the_installed_one(host: Host) -> None:
    """stabilize, a policy for one searcher, shadow and refresh all work while installed."""
    with host.steady(gap=0.5).searcher() as banded:
        expected = found(banded.search(WORDS_QUERY))
    steadyrank.install(id_field="id", statistics="whoosh")
    with host.steady(gap=0.5).searcher() as banded:
        assert found(banded.search(WORDS_QUERY)) == expected
        assert all(leaf.policy.gap == 0.5 for leaf, _ in banded.leaf_searchers())
    with host.index.searcher() as plain:
        assert found(plain.search(WORDS_QUERY)) != expected


def test_shadow_mode_answers_as_stock_while_installed(host: Host) -> None:
    lines: list[dict[str, Any]] = []
    with host.index.searcher() as searcher:
        stock = found(searcher.search(WORDS_QUERY))
    steadyrank.install(id_field="id", statistics="whoosh")
    view = host.steady(shadow=lambda text: lines.append(json.loads(text)))
    with view.searcher() as shadow:
        assert found(shadow.search(WORDS_QUERY)) == stock
    assert lines[0]["stock"] == ids(stock)
    assert lines[0]["changed"] is True


def test_an_index_without_the_id_field_is_ordered_by_its_stored_fields(tmp_path: Path) -> None:
    """With one warning, which names the fields that there are."""
    steadyrank.install(id_field="id")
    ix = index.create_in(
        str(tmp_path), fields.Schema(name=fields.ID(stored=True), text=fields.TEXT)
    )
    for name in "cab":
        with ix.writer() as writer:
            writer.add_document(name=name, text="same")
            writer.merge = False
    with ix.searcher() as searcher:
        with pytest.warns(steadyrank.SteadyRankWarning, match=r"no readable field .id.*name, text"):
            results = searcher.search(q.Term("text", "same"))
        assert [hit["name"] for hit in results] == ["a", "b", "c"]
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            searcher.search(q.Term("text", "same"))


def test_writers_and_refresh_while_installed(tmp_path: Path, host: Host) -> None:
    """update_document, delete_by_query and refresh go on as ever."""
    steadyrank.install(id_field="id")
    ix = index.create_in(str(tmp_path), schema())
    with ix.writer() as writer:
        for record in list(host.records.values())[:20]:
            writer.add_document(**record.stored())
    searcher = ix.searcher()
    with ix.writer() as writer:
        writer.delete_by_query(q.Term("tag", "sale"))
        kept = next(record for record in host.records.values() if record.tag == "new")
        writer.update_document(**kept.stored())
    searcher = searcher.refresh()
    assert type(searcher) is Searcher
    left = ids(found(searcher.search(q.Every(), limit=None)))
    assert left == sorted(left)
    assert len(left) == len(set(left))
    assert {host.records[id].tag for id in left} <= {"new", "outlet"}
    searcher.close()


def test_a_stored_filter_collector_of_before_works_after(host: Host) -> None:
    """A collector used while installed, then without: each answers for its own time."""
    steadyrank.install(id_field="id", statistics="whoosh")
    with host.index.searcher() as searcher:
        first: Any = c.FilterCollector(c.TopCollector(4), SALE)
        searcher.search_with_collector(WORDS_QUERY, first)
        kept = found(first.results())
        steadyrank.uninstall()
        second = c.FilterCollector(c.TopCollector(4), SALE)
        searcher.search_with_collector(WORDS_QUERY, second)
        assert len(found(second.results())) == len(kept) == 4
