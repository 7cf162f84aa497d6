"""Laws of a drift, over rankings that the order itself makes of drawn candidates."""

from __future__ import annotations

from itertools import combinations

from hypothesis import assume, given
from hypothesis import strategies as st

from steadyrank import Candidate
from steadyrank.measure import QuestionDrift, Ranking, Reason, drift_of
from support_drift import ranked, run

IDS = "abcdefgh"
# In eighths, so that ties and distances of exactly the gap are common and all sums are exact.
SCORES = st.integers(16, 32).map(lambda eighths: eighths / 8)
GAPS = st.sampled_from([0.0, 0.25, 0.5, 1.0])


@st.composite
def rankings(draw: st.DrawFn, after: int = len(IDS)) -> tuple[Ranking, Ranking]:
    """Two answers to one question; every record keeps its document and its content."""
    documents = {id: draw(st.sampled_from([id, "d", "z"])) for id in IDS}
    routes = {id: draw(st.sampled_from([0, 0, 0, 1])) for id in IDS}
    gap = draw(GAPS)
    k = draw(st.integers(1, 5))

    def side() -> Ranking:
        ids = draw(st.sets(st.sampled_from(IDS), min_size=1))
        pool = [Candidate(id, draw(SCORES), documents[id], routes[id]) for id in sorted(ids)]
        return ranked(pool, gap, k, after)

    return side(), side()


def question(base: Ranking, fresh: Ranking) -> QuestionDrift:
    return drift_of(run(base), run(fresh)).questions[0]


@given(rankings())
def test_a_run_has_not_drifted_from_itself(both: tuple[Ranking, Ranking]) -> None:
    drift = drift_of(run(both[0]), run(both[0]))
    only = drift.questions[0]
    assert drift.outcome == "none"
    assert (only.changed, only.entered, only.left, only.moved) == ((), (), (), ())
    assert (only.events, only.causes, drift.changes, drift.nearest) == ((), (), (), ())
    assert all(slack.moved == 0 for slack in only.slacks)


@given(rankings())
def test_entered_left_moved_and_stayed_are_all_records_of_both_answers_once(
    both: tuple[Ranking, Ranking],
) -> None:
    base, fresh = both
    only = question(base, fresh)
    told = [move.id for move in only.moves]
    assert sorted(told) == sorted({*base.ids, *fresh.ids})
    assert set(only.entered) == set(fresh.ids) - set(base.ids)
    assert set(only.left) == set(base.ids) - set(fresh.ids)
    both_ids = set(base.ids) & set(fresh.ids)
    before = [id for id in base.ids if id in both_ids]
    now = [id for id in fresh.ids if id in both_ids]
    assert set(only.moved) == {id for id in both_ids if before.index(id) != now.index(id)}


@given(rankings())
def test_whoever_moved_has_a_reason_and_whoever_stayed_has_none(
    both: tuple[Ranking, Ranking],
) -> None:
    only = question(*both)
    assert all(bool(move.reasons) == (move.kind != "stayed") for move in only.moves)
    moved = any(move.kind != "stayed" for move in only.moves)
    assert moved == ("order" in only.changed)


@given(rankings())
def test_what_the_order_made_is_never_put_down_to_a_limit_or_a_key(
    both: tuple[Ranking, Ranking],
) -> None:
    """The order alone made both, so that scores, bands, and who matched explain all."""
    dominant = {move.dominant.cause for move in question(*both).moves if move.dominant}
    assert dominant <= {"score reversal", "band exit", "band entry", "leader", "out", "statistics"}


@given(rankings())
def test_every_figure_is_that_of_the_two_rankings(both: tuple[Ranking, Ranking]) -> None:
    base, fresh = both
    old = {entry.id: entry for entry in base.known}
    new = {entry.id: entry for entry in fresh.known}
    for move in question(base, fresh).moves:
        for reason in move.reasons:
            if reason.cause == "score reversal":
                upper, lower = sorted((reason.id, reason.other), key=list(old).index)
                assert reason.base == old[upper].score - old[lower].score
                assert reason.fresh == new[upper].score - new[lower].score
                assert reason.base >= 0 >= reason.fresh and reason.base != reason.fresh
            if reason.cause in ("band exit", "band entry"):
                inside, outside = (old, new) if reason.cause == "band exit" else (new, old)
                assert inside[reason.id].band == inside[reason.other].band
                assert outside[reason.id].band > outside[reason.other].band
                figures = (reason.base, reason.fresh)
                near, far = figures if reason.cause == "band exit" else figures[::-1]
                assert near is not None and far is not None and reason.limit is not None
                assert near <= reason.limit < far
                leader = max(
                    entry.score for entry in inside.values() if entry.band == inside[reason.id].band
                )
                assert near == leader - inside[reason.id].score


def mirrored(reason: Reason) -> Reason:
    """What the same pair of rankings says with base and fresh exchanged."""
    cause = {"band exit": "band entry", "band entry": "band exit", "new": "gone", "gone": "new"}
    sides = {"base": "fresh", "fresh": "base"}
    base, fresh = reason.fresh, reason.base
    if reason.cause == "score reversal" and base is not None and fresh is not None:
        base, fresh = -base, -fresh  # of the other one over this one
    was, now = reason.now, reason.was
    if reason.cause == "out":
        was, now = sides.get(was, ""), sides.get(now, "")
    return Reason(
        cause.get(reason.cause, reason.cause),  # type: ignore[arg-type]
        reason.id, reason.other, base, fresh, reason.limit, was, now, reason.count,
    )  # fmt: skip


@given(rankings())
def test_base_and_fresh_exchanged_say_the_same_the_other_way_round(
    both: tuple[Ranking, Ranking],
) -> None:
    there, back = question(*both), question(*reversed(both))
    assert there.changed == back.changed
    assert (set(there.entered), set(there.left)) == (set(back.left), set(back.entered))
    assert set(there.moved) == set(back.moved)
    returned = {move.id: move for move in back.moves}
    for move in there.moves:
        other = returned[move.id]
        assert (move.base, move.fresh, move.within) == (other.fresh, other.base, other.within)
        assert {mirrored(reason) for reason in move.reasons} == set(other.reasons)
    assert {mirrored(event) for event in there.events} == set(back.events)
    assert {(s.kind, s.base, s.fresh) for s in there.slacks if s.kind == "span"} == {
        (s.kind, s.fresh, s.base) for s in back.slacks if s.kind == "span"
    }


@given(rankings())
def test_what_is_left_is_what_one_more_step_would_use_up(both: tuple[Ranking, Ranking]) -> None:
    """A lowest member that falls by what is left is still in; a grid step more and it is out."""
    fresh = both[1]
    assume(fresh.gap > 0)
    spans = [slack for slack in question(*both).slacks if slack.kind == "span" and slack.flips]
    scores = {entry.id: entry for entry in fresh.known}
    for slack in spans:
        for step, held in ((0.0, True), (2.0**-20, False)):
            pool = [
                Candidate(
                    entry.id,
                    entry.score - (slack.left + step if entry.id == slack.lower else 0.0),
                    entry.document,
                    entry.route,
                )
                for entry in scores.values()
            ]
            moved = ranked(pool, fresh.gap, fresh.k, len(IDS))
            bands = {entry.id: entry.band for entry in moved.known}
            assert (bands[slack.upper] == bands[slack.lower]) is held
            assert held or moved.ids != fresh.ids


@given(rankings(after=2))
def test_short_lists_are_explained_too(both: tuple[Ranking, Ranking]) -> None:
    """Where a run kept little, who is out is said to be out, and nobody is without a reason."""
    only = question(*both)
    assert all(move.reasons for move in only.moves if move.kind != "stayed")
    assert "unexplained" not in {r.cause for move in only.moves for r in move.reasons}


@given(rankings())
def test_any_two_that_flipped_are_among_those_that_moved_or_passed(
    both: tuple[Ranking, Ranking],
) -> None:
    base, fresh = both
    only = question(base, fresh)
    common = set(base.ids) & set(fresh.ids)
    flipped = [
        pair
        for pair in combinations(sorted(common), 2)
        if (base.ids.index(pair[0]) < base.ids.index(pair[1]))
        != (fresh.ids.index(pair[0]) < fresh.ids.index(pair[1]))
    ]
    assert bool(flipped) == bool(only.moved)
