"""Churn on a real catalogue, where its data is there."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from whoosh.index import create_in

from steadyrank.measure import Churn
from steadyrank.schema import store_schema
from steadyrank_builder.churning import Plan, measure_churn
from steadyrank_builder.runs import Way, read_questions

pytestmark = [pytest.mark.whoosh, pytest.mark.slow]

DATA = Path(__file__).resolve().parents[2] / "../shared/data/icecat"


@pytest.fixture(scope="module")
def churn(tmp_path_factory: pytest.TempPathFactory) -> Churn:
    if not DATA.is_dir():
        pytest.skip("no catalogue here")
    folder = tmp_path_factory.mktemp("catalogue")
    writer = create_in(str(folder), store_schema()).writer()
    for line in (DATA / "products.jsonl").read_text("utf-8").splitlines():
        product = json.loads(line)
        texts = {"title": product.get("title"), "text": product.get("short_description")}
        writer.add_document(
            id=product["id"], document=product["id"], kind="product",
            **{name: value for name, value in texts.items() if value},
        )  # fmt: skip
    writer.commit()
    plan = Plan(gaps=(0.5,), counts=(60, 300), draws=1, groups=("corpus",))
    questions = read_questions(DATA / "queries.txt")
    return measure_churn(folder, questions, Way(id_field="id"), plan)


def test_pinned_without_a_gap_no_two_old_documents_change_places(churn: Churn) -> None:
    assert churn.questions == 68 and churn.documents == 1417
    for one in churn.perturbations:
        cell = churn.cell("pinned", one.name)
        assert cell.pairs is not None
        assert (cell.pairs.changed, cell.order.changed) == (0, 0)
        assert cell.pairs.compared > 40_000
    live = churn.cell("score, then id", "300 removed").pairs
    assert live is not None and live.changed > 0, "which is no law without the pin"


def test_a_gap_of_half_a_point_moves_more_than_none(churn: Churn) -> None:
    """A measurement, not a law: with these products, questions and seed."""
    tests = {test.ordering: test for test in churn.tests}
    for name in ("gap 0.5", "gap 0.5, select=score", "pinned, gap 0.5"):
        assert tests[name].with_gap > tests[name].without
    assert churn.best is None
    assert churn.verdict[0] == "no gap is shown to help (n=68)"
