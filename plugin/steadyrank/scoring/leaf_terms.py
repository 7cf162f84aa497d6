"""The terms that a query tree looks for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from whoosh import query as q

from steadyrank.scoring.evaluator import Evaluator, clauses
from steadyrank.scoring.rules.patterns import expansions


def leaf_terms(evaluator: Evaluator, query: Any) -> list[tuple[str, bytes]]:
    """The indexed terms of the tree, (field, bytes), in its order, once each.

    Expansions of patterns count; so do the terms of excluded clauses.
    """
    return _terms(evaluator, query, clauses)


def wanted_terms(evaluator: Evaluator, query: Any) -> list[tuple[str, bytes]]:
    """The same without the terms of clauses that exclude, and of those that are not used."""

    def wanted(node: Any) -> list[Any]:
        if isinstance(node, q.Not):
            return []
        if isinstance(node, q.AndNot | q.SpanNot):
            return [node.a]
        if isinstance(node, q.Otherwise):
            return [node.a if evaluator.docs(node.a).size else node.b]
        return clauses(node)

    return _terms(evaluator, query, wanted)


def _terms(
    evaluator: Evaluator, query: Any, parts: Callable[[Any], list[Any]]
) -> list[tuple[str, bytes]]:
    found: dict[tuple[str, bytes], None] = {}

    def visit(node: Any) -> None:
        if isinstance(node, q.Term):
            pairs = [(node.fieldname, node.text)]
        elif isinstance(node, q.Phrase):
            pairs = [(node.fieldname, word) for word in node.words]
        elif isinstance(node, q.MultiTerm):
            pairs = [(node.field(), term) for term in expansions(evaluator, node)]
        else:
            for clause in parts(node):
                visit(clause)
            return
        for field, text in pairs:
            term = evaluator.term_bytes(field, text)
            if term is not None:
                found[field, term] = None

    visit(query)
    return list(found)
