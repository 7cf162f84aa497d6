"""Shows that a golden set can fail: by expectations and by implementations that are wrong."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from steadyrank.measure import Golden, Run
from steadyrank_builder.proving.expectations import perturbed
from steadyrank_builder.proving.mutants import MUTATIONS
from steadyrank_builder.proving.mutation import Mutation
from steadyrank_builder.proving.proof import Proof, Tried
from steadyrank_builder.proving.suggestions import suggested
from steadyrank_builder.proving.trial import Base, mutated
from steadyrank_builder.proving.verdicts import Ask, verdicts

Tick = Callable[[str], None]  # called with a mutation's name before it is tried


def prove(
    golden: Golden,
    ask: Ask,
    *,
    run: Run | None = None,
    fresh: Ask | None = None,
    mutations: Sequence[Mutation] = MUTATIONS,
    tick: Tick = lambda name: None,
) -> Proof:
    """Tries every perturbation and every mutation, and says which cases notice.

    ``ask`` asks the cases of a golden set through the library's own code, on an index that it
    opens anew each time, and ``fresh`` does so on a later index. ``run`` is what ``ask`` gives
    for ``golden``, where it is known. A case that fails anyway can notice nothing.
    """
    base = Base.of(golden, ask, run)
    later = None if fresh is None else Base.of(golden, fresh)
    tried = []
    for mutation in mutations:
        tick(mutation.name)
        chosen = later if mutation.fresh else base
        if chosen is None:
            tried.append(Tried(mutation, "not-applicable", why="it shows on a later index only"))
        else:
            tried.append(_tried(chosen, mutation, mutations))
    return Proof(
        cases=golden.cases,
        expectations=perturbed(golden, base.run),
        mutations=tuple(tried),
        failing=base.failing,
        failing_fresh=() if later is None else later.failing,
    )


def _tried(base: Base, mutation: Mutation, mutations: Sequence[Mutation]) -> Tried:
    run, occasions = mutated(mutation, base.golden, base.ask)
    noticed_by, missed = base.verdicts.lost(verdicts(base.golden, run))
    if noticed_by or missed:
        return Tried(mutation, "noticed", noticed_by, missed)
    if not occasions:
        return Tried(mutation, "not-applicable", why=mutation.occasion)
    others = [other for other in mutations if other is not mutation and not other.fresh]
    return Tried(
        mutation, "unnoticed", why=mutation.wanted, suggestion=suggested(base, mutation, others)
    )
