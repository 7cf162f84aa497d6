"""The guidance profile against the measured orders of a documentation server."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from steadyrank import Settings, open_store
from steadyrank_builder.evaluation import evaluate_file
from support_answers import GUIDANCE, ids_in, piece, write

pytestmark = pytest.mark.whoosh


def settings() -> Settings:
    return Settings.of({"profile": "guidance", "concepts": str(GUIDANCE / "concepts.json")})


def test_all_golden_cases_pass(guidance_store: Path) -> None:
    """The eight cases, in the shape they come in, under the profile and nothing else."""
    evaluation = evaluate_file(
        guidance_store,
        GUIDANCE / "golden.json",
        profile="guidance",
        concepts=GUIDANCE / "concepts.json",
    )
    assert (evaluation.outcome, evaluation.passed, evaluation.failed) == ("passed", 8, 0)


def test_the_whole_order_scores_routes_and_confidence_come_out(guidance_store: Path) -> None:
    """For all twenty intents: every id in its place, every score within 1e-6."""
    cases = json.loads((GUIDANCE / "orders.json").read_text("utf-8"))["cases"]
    levels = set()
    with open_store(guidance_store, settings()) as store:
        for case in cases:
            answer = store.answer(case["intent"], take=1000)
            assert [piece.id for piece in answer.pieces] == case["order"], case["intent"]
            expected = {c["id"]: c for c in case["candidates"]}
            hints = max(
                (c["route"] for c in case["candidates"] if c["route"] is not None), default=-1
            )
            for got in answer.pieces:
                assert abs(got.score - expected[got.id]["score"]) < 1e-6
                route = expected[got.id]["route"]
                assert got.route == route if route is not None else got.route > hints or hints < 0
            assert answer.confidence == case["confidence"], case["intent"]
            assert answer.concepts == tuple(case["concepts"])
            assert answer.terms == tuple(case["query_terms"])
            levels.add(answer.confidence)
    assert len(cases) == 20
    assert levels == {"high", "medium", "low"}


def test_what_earned_a_piece_adds_up_to_its_score(guidance_store: Path) -> None:
    """Phrase, concept and link bonuses are among the reasons, so nothing is unexplained."""
    cases = json.loads((GUIDANCE / "orders.json").read_text("utf-8"))["cases"]
    where = set()
    with open_store(guidance_store, settings()) as store:
        for case in cases[:6]:
            for got in store.answer(case["intent"]).pieces:
                total = 0.0
                for why in got.why:
                    total += why.score
                    where.add(why.where.split(" ")[0])
                assert total == got.score
    assert {"text", "heading", "concept", "link"} <= where


CONCEPT = {
    "name": "freshness",
    "aliases": ["every render"],
    "terms": ["cache", "refresh"],
}
SECTIONS = [
    piece("z#best", "cache refresh " * 8, heading="cache refresh", title="Cache", document="z"),
    piece("a#start", "a cache of things " * 4, heading="Where to begin", title="T", document="a"),
    *(piece(f"m#{n}", "unrelated words here", heading="Other", document="m") for n in range(9)),
]


def test_a_route_that_promotes_a_lower_scorer_lowers_the_confidence(tmp_path: Path) -> None:
    """Without the route the best scorer is first and high; with it the promoted one is medium."""
    folder = write(tmp_path / "i", SECTIONS)
    by_score = Settings.of({"profile": "guidance", "concepts": [CONCEPT]})
    routed = Settings.of(
        {
            "profile": "guidance",
            "concepts": [{**CONCEPT, "routes": [{"heading": "where to begin"}]}],
        }
    )
    with open_store(folder) as store:
        first = store.answer("avoid it every render", settings=by_score)
        second = store.answer("avoid it every render", settings=routed)
    assert [p.id for p in first.pieces] == ["z#best", "a#start"]
    assert [p.id for p in second.pieces] == ["a#start", "z#best"]
    assert {p.id: p.score for p in first.pieces} == {p.id: p.score for p in second.pieces}
    assert first.pieces[0].score >= 24 > second.pieces[0].score >= 8
    assert (first.confidence, second.confidence) == ("high", "medium")
    assert second.pieces[0].decided_by == "route"


def test_an_alias_of_nothing_names_nothing(tmp_path: Path) -> None:
    """A blank alias stands in every question, and must not count."""
    blank = [{**CONCEPT, "aliases": ["  ", "Every\n  RENDER"]}]
    with open_store(write(tmp_path / "i", SECTIONS), {"concepts": blank}) as store:
        assert store.answer("cache").concepts == ()
        assert store.answer("at  every render?").concepts == ("freshness",)


def test_links_lift_their_target_each_or_once(tmp_path: Path) -> None:
    """Two points for each internal link from a ranked section, or once for each target."""
    linked = piece("t", "cache", heading="x")
    sources = [piece(f"s{n}", "cache", links=[("t", "related")]) for n in range(3)]
    unranked = piece("u", "nothing", links=[("t", "related")])
    folder = write(tmp_path / "i", [unranked, *sources, linked])

    def score(**guidance: object) -> float:
        with open_store(folder, {"profile": "guidance", "guidance": guidance}) as store:
            return next(p.score for p in store.answer("cache").pieces if p.id == "t")

    without = score(link_bonus=0)
    assert score() == without + 6
    assert score(link_bonus_once=True) == without + 2


def test_only_very_common_words_are_of_low_confidence(tmp_path: Path) -> None:
    """With a share of sections as bound, a question of words beyond it is low."""
    texts = [piece(f"s{n}", "render render render", heading="render render") for n in range(9)]
    folder = write(tmp_path / "i", [*texts, piece("z", "rare")])
    with open_store(folder, {"profile": "guidance"}) as store:
        assert store.answer("render").confidence == "medium"
        capped = store.answer("render", guidance={"common_share": 0.5})
        rare = store.answer("render rare", guidance={"common_share": 0.5})
    assert (capped.confidence, capped.certainty.reason) == ("low", "only very common words matched")
    assert rare.certainty.reason != capped.certainty.reason


def test_it_warns_that_its_thresholds_drift(guidance_store: Path) -> None:
    """Score points against fixed thresholds, under live statistics."""
    with open_store(guidance_store, settings()) as store:
        assert "drift" in store.answer("anything").warnings[0]


def test_stages_code_and_related_are_given(guidance_store: Path) -> None:
    """What a reader would do with a section, its code blocks, and what it links to."""
    with open_store(guidance_store, settings()) as store:
        answer = store.answer("add a capability NetScript does not ship")
        linked = store.answer("queue", take=40, related=100)
    assert answer.pieces[0].stage == "prerequisite"
    assert any(got.code for got in answer.pieces)
    shown = {got.id for got in linked.pieces}
    assert linked.related
    assert all(related.id not in shown for related in linked.related)
    assert all(related.linked_from in shown for related in linked.related)


def test_document_numbers_play_no_part(guidance_store: Path, tmp_path: Path) -> None:
    """Copied by a plain writer in reverse, every answer is the same to the bit."""
    from support_answers import stored_in

    copy = write(tmp_path / "copy", list(reversed(stored_in(guidance_store))), segments=3)
    assert ids_in(copy) != ids_in(guidance_store)
    cases = json.loads((GUIDANCE / "orders.json").read_text("utf-8"))["cases"]
    with open_store(guidance_store, settings()) as one, open_store(copy, settings()) as other:
        for case in cases[::3]:
            answers = [store.answer(case["intent"], take=50) for store in (one, other)]
            assert answers[0].pieces == answers[1].pieces
        assert answers[1].digest is None
