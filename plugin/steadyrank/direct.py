"""Words in, ids and scores out: the order of a search without its objects."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from contextlib import suppress
from itertools import chain
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from steadyrank.collecting.selection import select
from steadyrank.errors import PolicyError
from steadyrank.order import Policy, checked_limit
from steadyrank.pinned import provider
from steadyrank.postings import Identity, IndexView
from steadyrank.retrieval.question import default_fields
from steadyrank.scoring import Evaluator, Hits, KeywordPoints, evaluate
from steadyrank.scoring.evaluator import Leaf
from steadyrank.scoring.hits import intersection
from steadyrank.scoring.pruning import ScoredList, union_top
from steadyrank.scoring.reading import Group, groups_of

Operator = Literal["or", "and"]

# So many more hits than are wanted are sorted as they are; of more, ids are read for ties only.
_FEW = 200


def search_ids(
    searcher: Any,
    words: str | Iterable[str],
    k: int = 10,
    fields: Mapping[str, float] | None = None,
    *,
    operator: Operator = "or",
) -> tuple[list[str], NDArray[np.float64]]:
    """The ids of the best ``k`` records for some words, and their scores (float64), in order.

    The order, the scores and the ids are those of a search by the searcher's policy for the
    words in any of the fields; nothing but these is made, so that it takes a fraction of the
    time. ``words``: a text, or the words one by one; each field's own analyzer makes terms of
    them, and no character is syntax. ``fields`` maps names to weights (None: the builder's, else
    all text fields). ``operator="and"``: every word, each in any of the fields; a
    word of which no field makes a term is left out. A record without an id is called
    ``content:`` and a hash, as in ``steadyrank search``.

    Raises PolicyError for fields that cannot be searched, for a ``k`` below 1 and for another
    operator; TypeError for words that are no text.
    """
    if operator not in ("or", "and"):
        raise PolicyError(f'operator is "or" or "and", not {operator!r}')
    k = _checked_count(k)
    policy = getattr(searcher, "policy", None) or Policy()
    view = IndexView(searcher.reader())
    evaluator = Evaluator(searcher, None, provider(policy.statistics, view), view)
    groups = _groups(evaluator, words, fields, operator)
    found = _matches(evaluator, groups, operator, k, policy)
    if not found.docs.size:
        return [], np.empty(0, np.float64)
    return _first(found, Identity(view, policy), policy, k)


def _checked_count(k: int) -> int:
    with suppress(PolicyError):
        if (count := checked_limit(k)) > 0:
            return count
    raise PolicyError(f"k is how many ids are wanted, 1 or more, not {k!r}")


def _texts(words: str | Iterable[str]) -> list[str]:
    if isinstance(words, str):
        return [words]
    texts = list(words) if isinstance(words, Iterable) else [words]
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(f"words are a text, or texts one by one, not {words!r}")
    return texts


def _first(
    found: Hits, identity: Identity, policy: Policy, k: int
) -> tuple[list[str], NDArray[np.float64]]:
    # The ids and scores of the first k.
    if found.docs.size <= k + _FEW and not policy.gap and policy.route is None:
        plain = identity.plain(found.docs)
        if plain is not None:
            pairs = sorted(zip((-found.scores).tolist(), plain, strict=True))[:k]
            return [id_ for _, id_ in pairs], -np.array([score for score, _ in pairs])
    top = select(found, identity, policy, k).top
    docs = np.array([entry.doc for entry in top], np.int64)
    return identity.texts(docs), np.array([entry.score for entry in top], np.float64)


def _groups(
    evaluator: Evaluator,
    words: str | Iterable[str],
    fields: Mapping[str, float] | None,
    operator: Operator,
) -> list[Group]:
    # Under "and" a group for each word, of which one term must be there; else one for each term.
    named = default_fields(evaluator.schema) if fields is None else fields
    texts = _texts(words)
    if operator == "and":
        texts = [word for text in texts for word in text.split()]
        found = groups_of(evaluator, named, texts)
        return list(dict.fromkeys(tuple(chain(*groups)) for groups in found if groups is not None))
    seen: set[Leaf] = set()
    distinct = []
    for group in chain(*filter(None, groups_of(evaluator, named, texts))):
        if not seen.isdisjoint(group):  # two words can be one term in some of the fields
            group = tuple(leaf for leaf in group if leaf not in seen)
        seen.update(group)
        distinct.append(group)
    return distinct


def _matches(
    evaluator: Evaluator, groups: list[Group], operator: Operator, k: int, policy: Policy
) -> Hits:
    # All matches, or as many as decide the first k.
    model = evaluator.weighting
    if isinstance(model, KeywordPoints) or model.use_final:  # which look at the whole query
        return evaluate(evaluator, _query(groups, operator))
    lists = [evaluator.any_of(group) for group in groups]
    gap = math.inf if policy.route else policy.gap  # routes are not told from scores
    if operator == "and" and len(lists) > 1:
        lists = [ScoredList(intersection([each.hits() for each in lists]))]
    return union_top(lists, max(k, 2), gap)


def _query(groups: list[Group], operator: Operator) -> Any:
    from whoosh.query import And, NullQuery, Or, Term

    alternatives = [
        Or([Term(name, term, boost=weight) for name, term, weight in group]) for group in groups
    ]
    if not alternatives:
        return NullQuery
    return And(alternatives) if operator == "and" else Or(alternatives)
