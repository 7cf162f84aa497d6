"""Every stage has a tie rule of its own, and a test that notices when it is broken.

On an index whose document numbers run against the ids: there a rule that falls back to the
order of writing shows. On one written in id order it does not, which is shown too.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from steadyrank import Store, open_store
from steadyrank.answering import fetching, stages, store
from steadyrank.answering.indexed import IndexedWeighing
from steadyrank.order import ranking
from support_answers import ids_in, piece, write

pytestmark = pytest.mark.whoosh

PRODUCTS = [f"product:{n}" for n in range(8)]
DOCUMENTS = sorted(
    [
        *(piece(id, "rope", title="cord") for id in PRODUCTS),
        *(piece(f"faq:{n}", "rope", kind="faq", title="cord") for n in range(3)),
        # Near-ties: the shorter text scores a little higher, and its id sorts later.
        piece("page:1", "lamp and other words", kind="page"),
        piece("page:2", "lamp", kind="page"),
        # A route that two sections are on, with equal scores, and one that is on none.
        piece("page:a#x", "kettle", kind="page", heading="Boil water"),
        piece("page:b#x", "kettle", kind="page", heading="Boil water"),
        piece("page:c#x", "kettle kettle kettle", kind="page", heading="kettle"),
    ],
    key=lambda document: str(document["id"]),
)
POINTS = {"weighting": "keyword-points"}
CONCEPT = {
    "name": "hot",
    "aliases": ["hot drink"],
    "terms": ["kettle"],
    "routes": [{"heading": "boil water"}],
}

Ids = list[str]


def asked(store: Store, question: str, **settings: Any) -> Ids:
    return [piece.id for piece in store.answer(question, **settings).pieces]


def check_fetch(store: Store) -> bool:
    """Of eight equal products the three first ids are fetched."""
    quotas = {"quotas": {"product": 3, "faq": 0}}
    return asked(store, "rope", take=9, fetch=quotas, **POINTS) == PRODUCTS[:3]


def check_rank(store: Store) -> bool:
    """Eleven equal candidates of two kinds stand by id."""
    expected = ["faq:0", "faq:1", "faq:2", *PRODUCTS]
    return asked(store, "rope", take=11, **POINTS) == expected


def check_band(store: Store) -> bool:
    """A near-tie stands by id in a band, and by score without one."""
    banded = asked(store, "lamp", gap=5.0)
    return banded == ["page:1", "page:2"] and asked(store, "lamp") == ["page:2", "page:1"]


def check_route(store: Store) -> bool:
    """Sections on one route stand by score and id, before a better one that is on none."""
    got = asked(store, "a hot drink", concepts=[CONCEPT])
    return got == ["page:a#x", "page:b#x", "page:c#x"]


def check_take(store: Store) -> bool:
    """One FAQ entry and the first two products, in that order."""
    limits = {"count": 3, "at_most": {"faq": 1}}
    chosen = store.settings.overlaid({**POINTS, "take": limits})
    return asked(store, "rope", settings=chosen) == ["faq:0", *PRODUCTS[:2]]


CHECKS: dict[str, Callable[[Store], bool]] = {
    "fetch": check_fetch,
    "route": check_route,
    "band": check_band,
    "rank": check_rank,
    "take": check_take,
}


def by_number(contender: Any) -> tuple[int, float, int]:
    return (contender.route, -contender.score, contender.doc)


def break_fetch(patch: pytest.MonkeyPatch) -> None:
    right = fetching.cut
    patch.setattr(
        fetching,
        "cut",
        lambda kind, ordered, quota, count: right(
            kind, sorted(ordered, key=by_number), quota, count
        ),
    )


def break_route(patch: pytest.MonkeyPatch) -> None:
    right = IndexedWeighing._routes

    def routes(self: Any, hits: Any, active: Any) -> Any:
        found = right(self, hits, active)
        return None if found is None else found * 1000 + range(found.size)

    patch.setattr(IndexedWeighing, "_routes", routes)


def break_band(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(ranking, "in_band", by_number)


def break_rank(patch: pytest.MonkeyPatch) -> None:
    right = store.ranked

    def ranked(contenders: Any, identity: Any, settings: Any) -> Any:
        found = right(contenders, identity, settings)
        return found if settings.gap else sorted(found, key=by_number)

    patch.setattr(store, "ranked", ranked)


def break_take(patch: pytest.MonkeyPatch) -> None:
    right = stages.take

    def take(ranking: Any, count: int, limits: Any) -> Any:
        return right(sorted(ranking, key=by_number) if limits else ranking, count, limits)

    patch.setattr(stages, "take", take)


MUTATIONS: dict[str, Callable[[pytest.MonkeyPatch], None]] = {
    "fetch": break_fetch,
    "route": break_route,
    "band": break_band,
    "rank": break_rank,
    "take": break_take,
}


def red(folder: Path) -> set[str]:
    """The names of the checks that fail."""
    with open_store(folder) as opened:
        return {name for name, check in CHECKS.items() if not check(opened)}


@pytest.fixture(scope="module")
def against(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = write(tmp_path_factory.mktemp("stages") / "against", reversed(DOCUMENTS))
    assert ids_in(folder) == sorted(ids_in(folder), reverse=True)
    return folder


def test_all_checks_are_green(against: Path) -> None:
    """The rules as they are."""
    assert red(against) == set()


@pytest.mark.parametrize("stage", MUTATIONS)
def test_a_broken_stage_is_noticed(
    stage: str, against: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each mutation turns the check of its own stage red."""
    MUTATIONS[stage](monkeypatch)
    assert stage in red(against)


def test_an_index_in_id_order_would_hide_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where numbers and ids agree, broken tie rules of fetch, route and rank go unnoticed."""
    folder = write(tmp_path / "with", DOCUMENTS)
    for stage in ("fetch", "route", "rank", "take"):
        with monkeypatch.context() as patch:
            MUTATIONS[stage](patch)
            assert red(folder) == set(), stage
