"""The sample store: each flip that the audit finds is one, and it finds all."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from steadyrank.measure.audit import Audit
from steadyrank.measure.audit_words import details, headline, next_steps
from steadyrank_builder.auditing import AuditOptions, audit_index
from steadyrank_builder.runs import read_log
from support_audit import asked, rebuilt
from support_store import SAMPLE

pytestmark = [pytest.mark.whoosh, pytest.mark.slow]

LOG = read_log(SAMPLE / "golden.yaml")
QUESTIONS = [one.question for one in LOG]
Answers = dict[str, list[tuple[Any, float]]]
ALL = AuditOptions(k=4, examples=len(LOG))


@pytest.fixture(scope="module")
def audit(plain: Path) -> Audit:
    return audit_index(plain, LOG, ALL)


@pytest.fixture(scope="module")
def before(plain: Path) -> Answers:
    """What stock Whoosh answers to each question."""
    return asked(plain, QUESTIONS, 4)


@pytest.fixture(scope="module")
def after(
    audit: Audit, plain: Path, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Answers]:
    """The same of each layout, in an index that is analysed again."""
    folder = tmp_path_factory.mktemp("rebuilt")
    return {
        layout.name: asked(rebuilt(plain, layout, folder / layout.name), QUESTIONS, 4)
        for layout in audit.layouts
    }


def test_each_flip_is_confirmed_by_a_rebuild_of_the_layout_it_was_seen_in(
    audit: Audit, before: Answers, after: dict[str, Answers]
) -> None:
    """Ids and score bits of both lists."""
    assert len({example.layout for example in audit.examples}) > 1
    for example in audit.examples:
        was, now = before[example.question], after[example.layout][example.question]
        assert [(entry.id, entry.score) for entry in example.before.entries] == was
        assert [(entry.id, entry.score) for entry in example.after.entries] == now
        places = zip(was, now, strict=True)
        assert example.ranks == tuple(n for n, (a, b) in enumerate(places, 1) if a[0] != b[0])
        assert example.ranks


def test_no_flip_is_missed_and_each_layout_has_its_own(
    audit: Audit, before: Answers, after: dict[str, Answers]
) -> None:
    flipped = set()
    for name, answers in after.items():
        differ = {q for q in QUESTIONS if before[q] != answers[q]}
        assert audit.stock.layouts[name].distinct == len(differ) > 0
        flipped |= differ
    assert {example.question for example in audit.examples} == flipped
    assert audit.stock.flips.distinct == len(flipped)
    assert sum(share.distinct for share in audit.stock.causes.values()) == len(flipped)


def test_under_steadyrank_the_same_layouts_give_the_same_ids_and_bits(audit: Audit) -> None:
    assert audit.outcome == "flips"
    assert (audit.steady.flips.distinct, audit.steady.bits.distinct) == (0, 0)
    assert set(audit.steady.layouts) == {layout.name for layout in audit.layouts}


def test_equal_scores_are_what_decides_and_each_of_them_flips(audit: Audit) -> None:
    """One segment without deletions: the layouts change no score, and one is backwards."""
    assert audit.moved == 0.0
    assert audit.stock.causes["bits"].distinct == audit.stock.causes["lost"].distinct == 0
    assert audit.ties.any == audit.stock.flips
    assert audit.ties.cut == audit.stock.causes["cut"]
    assert audit.near.distinct == 0


def test_the_worst_come_first_and_no_more_than_are_wanted(audit: Audit, plain: Path) -> None:
    def exchanged(place: int) -> int:
        example = audit.examples[place]
        return len(set(example.before.ids) - set(example.after.ids))

    counts = [exchanged(place) for place in range(len(audit.examples))]
    assert counts == sorted(counts, reverse=True)
    assert counts[0] > 0 == counts[-1]
    few = audit_index(plain, LOG, replace(ALL, examples=2, layouts=0))
    assert len(few.examples) == 2


def test_one_of_ours_is_judged_in_its_own_order_and_has_no_flip(ours: Path) -> None:
    """What stock calls would do on it is told, and judged only when asked for."""
    audit = audit_index(ours, LOG, replace(ALL, layouts=1))
    assert audit.subject.ours
    assert (audit.outcome, audit.judged.flips.distinct, audit.examples) == ("none", 0, ())
    assert audit.steady.bits.distinct == 0
    assert audit.stock.flips.distinct > 0
    assert (
        headline(audit) == f"None of {audit.answers.distinct} answers is decided by storage order."
    )
    assert f"would flip {audit.stock.flips.distinct}; --stock" in " ".join(details(audit))
    stock = audit_index(ours, LOG, replace(ALL, stock=True, layouts=1))
    assert not stock.subject.ours
    assert (stock.outcome, stock.stock) == ("flips", audit.stock)
    assert len(stock.examples) == audit.stock.flips.distinct


def test_a_copy_of_ours_that_others_wrote_is_not_ours(plain: Path, audit: Audit) -> None:
    """The manifest makes it ours, and not the schema."""
    assert not audit.subject.ours
    assert audit.subject.fields == {"title": 1.5, "heading": 2.5, "text": 1.0, "tags": 0.5}


def test_the_sentence_says_how_many_and_the_code_names_their_field(audit: Audit) -> None:
    flips, answers = audit.stock.flips.distinct, audit.answers.distinct
    share = f"{100 * flips / answers:.0f} %"
    assert headline(audit) == (
        f"{flips} of {answers} answers ({share}) are decided by storage order."
    )
    assert '    ix = steadyrank.stabilize(ix, id_field="id")' in next_steps(audit)[2]
    assert any("over the same 3 layouts: 0" in sentence for sentence in details(audit))


def test_without_another_layout_ties_tell_the_same_flips(plain: Path, audit: Audit) -> None:
    """And it says that they were not seen to happen."""
    computed = audit_index(plain, LOG, replace(ALL, layouts=0))
    assert [layout.computed for layout in computed.layouts] == [True]
    assert computed.not_rebuilt is not None
    assert computed.stock.flips == audit.stock.flips == computed.ties.any
    assert computed.steady.layouts == {}
    assert "No other layout was written" in " ".join(details(computed))
    backwards = [one for one in audit.examples if one.layout == "reversed"]
    by_question = {example.question: example for example in computed.examples}
    assert backwards
    for example in backwards:
        assert by_question[example.question].after.ids == example.after.ids
