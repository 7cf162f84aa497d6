"""Every figure of a measurement, counted again from whole searches of the same folders."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path

import pytest
from whoosh.index import open_dir

from steadyrank import Statistics
from steadyrank.measure import Churn, Perturbation
from steadyrank_builder.churning import Plan, measure_churn
from steadyrank_builder.churning.layouts import shuffled
from steadyrank_builder.runs import Way
from support_churn import (
    QUESTIONS,
    Oracle,
    kept_folders,
    pairs_turned,
    records,
    shares,
    written,
)

pytestmark = [pytest.mark.whoosh, pytest.mark.slow]

PLAN = Plan(k=3, gaps=(0.2, 0.5), counts=(6, 25), draws=2, depth=20, seed=7)
WEIGHTS = {"title": 1.0, "text": 1.0}


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Churn, list[Path]]]:
    folder = tmp_path_factory.mktemp("churn")
    live = written(folder / "live", records())
    with pytest.MonkeyPatch.context() as patch, kept_folders(patch, folder) as folders:
        churn = measure_churn(live, QUESTIONS, Way(id_field="id", fields=WEIGHTS), PLAN)
    yield churn, folders


@pytest.fixture(scope="module")
def oracles(measured: tuple[Churn, list[Path]]) -> Iterator[list[Oracle]]:
    pinned = Statistics.pin(open_dir(str(measured[1][0])))
    opened = [Oracle(folder, pinned) for folder in measured[1]]
    yield opened
    for oracle in opened:
        oracle.close()


def folders_of(churn: Churn, oracles: list[Oracle]) -> Iterator[tuple[Perturbation, list[Oracle]]]:
    """Each perturbation that writes, with the folders of its draws; 3 before are the base's."""
    place = 3
    for one in churn.perturbations:
        if one.group != "request":
            yield one, oracles[place : place + one.draws]
            place += one.draws
    assert place == len(oracles)


def test_layouts_and_changes_of_the_corpus(
    measured: tuple[Churn, list[Path]], oracles: list[Oracle]
) -> None:
    churn, base = measured[0], oracles[2]
    for perturbation, drawn in folders_of(churn, oracles):
        for ordering in churn.orderings:
            changes, turned, compared, with_turned, moved = [], 0, 0, 0, set()
            for other in drawn:
                old = base.ids & other.ids
                for number, question in QUESTIONS:
                    before = base.answer(ordering, question, PLAN.k, old)
                    after = other.answer(ordering, question, PLAN.k, old)
                    changes.append((before, after))
                    moved |= {number} if before != after else set()
                    if perturbation.group == "corpus" and ordering.select == "band":
                        top = [id for id in base.whole(ordering, question) if id in old]
                        top = top[: PLAN.depth]
                        pairs = pairs_turned(top, other.whole(ordering, question))
                        turned, compared = turned + pairs[0], compared + pairs[1]
                        with_turned += pairs[0] > 0
            cell = churn.cell(ordering.name, perturbation.name)
            order, same, first = shares(changes)
            trials = len(QUESTIONS) * perturbation.draws
            for share, expected in ((cell.order, order), (cell.set, same), (cell.first, first)):
                assert share.trials == trials
                assert Fraction(share.changed, trials) == expected, (ordering, perturbation)
                assert share.share == float(expected)
            assert cell.moved == tuple(sorted(moved))
            if cell.pairs is None:
                assert perturbation.group != "corpus" or ordering.select == "score"
            else:
                pairs_found = (cell.pairs.changed, cell.pairs.compared)
                assert pairs_found == (turned, compared), (ordering, perturbation)
                assert cell.pairs.questions.changed == with_turned


def test_requests(measured: tuple[Churn, list[Path]], oracles: list[Oracle]) -> None:
    churn, base, k = measured[0], oracles[2], PLAN.k
    for ordering in churn.orderings:
        for name, draws in _requests(churn).items():
            changes = []
            for limit, seed, request in draws:
                for _, question in QUESTIONS:
                    before = base.whole(ordering, question, limit=k)
                    words = question.split()
                    if seed is not None:
                        words = shuffled(words, random.Random(f"{seed}/{question}"))
                    after = base.whole(ordering, " ".join(words), limit=limit, **request)
                    changes.append((before, after[:k]))
            cell = churn.cell(ordering.name, name)
            found = (cell.order.share, cell.set.share, cell.first.share)
            assert found == tuple(map(float, shares(changes))), (ordering, name)


def _requests(churn: Churn) -> dict[str, list[tuple[int | None, str | None, dict[str, bool]]]]:
    k = PLAN.k
    return {
        "limit": [(2 * k, None, {}), (10 * k, None, {}), (None, None, {})],
        "word order": [(k, f"{PLAN.seed}/words/{draw}", {}) for draw in range(PLAN.draws)],
        "terms": [(k, None, {"terms": True})],
    }


def test_the_gap_tests_are_of_the_same_counts(
    measured: tuple[Churn, list[Path]], oracles: list[Oracle]
) -> None:
    """For each gap: in how many draws of the corpus each question moved, against none."""
    churn, base = measured[0], oracles[2]
    counts: dict[str, dict[int, int]] = {}
    draws = 0
    for perturbation, drawn in folders_of(churn, oracles):
        if perturbation.group != "corpus":
            continue
        draws += perturbation.draws
        for other in drawn:
            old = base.ids & other.ids
            for ordering in churn.orderings:
                own = counts.setdefault(ordering.name, dict.fromkeys(dict(QUESTIONS), 0))
                for number, question in QUESTIONS:
                    before = base.answer(ordering, question, PLAN.k, old)
                    own[number] += before != other.answer(ordering, question, PLAN.k, old)
    assert draws == 8
    assert len(churn.tests) == 6
    for test in churn.tests:
        plain, gap = counts[test.against], counts[test.ordering]
        assert test.without == sum(plain.values()) / (len(QUESTIONS) * draws)
        assert test.with_gap == sum(gap.values()) / (len(QUESTIONS) * draws)
        assert test.steadier == len([n for n in plain if gap[n] < plain[n]])
        assert test.less_steady == len([n for n in plain if gap[n] > plain[n]])
        assert test.steadier + test.less_steady + test.ties == len(QUESTIONS)


def test_the_small_case_has_what_it_is_to_show(measured: tuple[Churn, list[Path]]) -> None:
    """Stock Whoosh moves with the layout, scores with the corpus, bands even when pinned; where
    nothing may move nothing does.
    """
    churn = measured[0]
    assert churn.cell("stock Whoosh", "shuffled").order.changed > 0
    assert churn.cell("stock Whoosh", "saved again").order.changed > 0
    assert churn.cell("score, then id", "25 removed").order.changed > 0
    banded = churn.cell("pinned, gap 0.5", "25 added").pairs
    assert banded is not None and banded.changed > 0
    assert churn.cell("gap 0.5, select=score", "limit").order.changed > 0
    assert churn.unanswered == 1, "nobody sells a kayak"
    for perturbation in churn.perturbations:
        pinned = churn.cell("pinned", perturbation.name)
        assert pinned.order.changed == 0
        if perturbation.group == "corpus":
            assert pinned.pairs is not None and pinned.pairs.changed == 0 < pinned.pairs.compared
        if perturbation.group == "layout":
            for ordering in churn.orderings[1:]:
                assert churn.cell(ordering.name, perturbation.name).order.changed == 0


def test_layouts_are_what_they_are_called(measured: tuple[Churn, list[Path]]) -> None:
    churn, folders = measured
    expected = {"shuffled": (1, 0), "saved again": (2, 7), "segments": (5, 0), "merged": (1, 0),
                "leftovers": (2, 7)}  # fmt: skip
    live = {record["id"]: record for record in records()}
    orders = []
    for place, folder in enumerate(folders[3:13]):
        with open_dir(str(folder)).reader() as reader:
            name = churn.perturbations[3 + place // 2].name
            deleted = reader.doc_count_all() - reader.doc_count()
            leaves = 1 if reader.is_atomic() else len(reader.leaf_readers())
            assert (leaves, deleted) == expected[name]
            stored = [fields for _, fields in reader.iter_docs()]
            assert {fields["id"]: fields for fields in stored} == live
            assert len(stored) == len(live)
            orders.append([fields["id"] for fields in stored])
    assert orders[0] != orders[1] != list(live), "each draw is another one"


def test_the_same_seed_gives_the_same_measurement_and_another_does_not(tmp_path: Path) -> None:
    folder = written(tmp_path / "live", records(40))
    way = Way(id_field="id", fields=WEIGHTS)

    def once(seed: int) -> dict[str, object]:
        plan = Plan(k=3, gaps=(0.5,), counts=(9,), draws=1, seed=seed, groups=("corpus",))
        return measure_churn(folder, QUESTIONS, way, plan).to_dict()

    assert once(1) == once(1)
    assert once(1)["cells"] != once(2)["cells"]


@pytest.mark.own_files
def test_the_live_index_is_only_read(tmp_path: Path) -> None:
    folder = written(tmp_path / "live", records(30))
    files = {path.name: path.read_bytes() for path in folder.iterdir()}
    for path in [*folder.iterdir(), folder]:
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        plan = Plan(k=2, gaps=(0.5,), counts=(3,), draws=1)
        measure_churn(folder, QUESTIONS, Way(id_field="id"), plan)
    finally:
        folder.chmod(0o755)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == files
    assert sorted(path.name for path in tmp_path.iterdir()) == ["live"]
