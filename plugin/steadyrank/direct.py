"""Words in, ids and scores out: the order of a search without its objects."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
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
from steadyrank.scoring.hits import intersection, union, union_top
from steadyrank.words import field_terms, searchable

Operator = Literal["or", "and"]

# A term as the index spells it, with its field and the field's weight.
Leaf = tuple[str, bytes, float]


def search_ids(
    searcher: Any,
    words: str | Sequence[str],
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
    operator.
    """
    if operator not in ("or", "and"):
        raise PolicyError(f'operator is "or" or "and", not {operator!r}')
    if not checked_limit(k):
        raise PolicyError(f"k is how many ids are wanted, 1 or more, not {k!r}")
    policy = getattr(searcher, "policy", None) or Policy()
    view = IndexView(searcher.reader())
    evaluator = Evaluator(searcher, None, provider(policy.statistics, view), view)
    found = _matches(evaluator, _leaves(evaluator, words, fields, operator), operator, k, policy)
    if not found.docs.size:
        return [], np.empty(0, np.float64)
    identity = Identity(view, policy)
    top = select(found, identity, policy, k).top
    docs = np.array([entry.doc for entry in top], np.int64)
    return identity.texts(docs), np.array([entry.score for entry in top], np.float64)


def _leaves(
    evaluator: Evaluator,
    words: str | Sequence[str],
    fields: Mapping[str, float] | None,
    operator: Operator,
) -> list[list[Leaf]]:
    # For each thing that is looked for its terms, once each: a word under "and", else all words.
    named = default_fields(evaluator.schema) if fields is None else fields
    chosen = searchable(evaluator.schema, named)
    texts = [words] if isinstance(words, str) else list(words)
    if operator == "and":
        texts = [word for text in texts for word in text.split()]
    groups = [
        {
            (name, evaluator.term_bytes(name, term), weight): None
            for name, (field, weight) in chosen.items()
            for term in field_terms(field, text)
        }
        for text in texts
    ]
    if operator == "or":
        groups = [{leaf: None for group in groups for leaf in group}]
    return [
        [(name, term, weight) for name, term, weight in group if term is not None]
        for group in groups
        if group
    ]


def _matches(
    evaluator: Evaluator, groups: list[list[Leaf]], operator: Operator, k: int, policy: Policy
) -> Hits:
    # All matches, or as many as decide the first k.
    model = evaluator.weighting
    if isinstance(model, KeywordPoints) or model.use_final:  # which look at the whole query
        return evaluate(evaluator, _query(groups, operator))
    if len(groups) == 1 and policy.route is None:
        return union_top(_hits(evaluator, groups[0]), max(k, 2), policy.gap)
    return intersection([union(_hits(evaluator, group)) for group in groups])


def _hits(evaluator: Evaluator, group: Iterable[Leaf]) -> list[Hits]:
    return [evaluator.leaf(name, term, weight) for name, term, weight in group]


def _query(groups: list[list[Leaf]], operator: Operator) -> Any:
    from whoosh.query import And, NullQuery, Or, Term

    alternatives = [
        Or([Term(name, term, boost=weight) for name, term, weight in group]) for group in groups
    ]
    if not alternatives:
        return NullQuery
    return And(alternatives) if operator == "and" else alternatives[0]
