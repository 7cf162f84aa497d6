"""The terms that a query tree looks for."""

from __future__ import annotations

from typing import Any

from whoosh import query as q

from steadyrank.scoring.evaluator import Evaluator, clauses
from steadyrank.scoring.rules.patterns import expansions


def leaf_terms(evaluator: Evaluator, query: Any) -> list[tuple[str, bytes]]:
    """The indexed terms of the tree, (field, bytes), in its order, once each.

    Expansions of patterns count; so do the terms of excluded clauses, which no match contains.
    """
    found: dict[tuple[str, bytes], None] = {}

    def visit(node: Any) -> None:
        if isinstance(node, q.Term):
            pairs = [(node.fieldname, node.text)]
        elif isinstance(node, q.Phrase):
            pairs = [(node.fieldname, word) for word in node.words]
        elif isinstance(node, q.MultiTerm):
            pairs = [(node.field(), term) for term in expansions(evaluator, node)]
        else:
            for clause in clauses(node):
                visit(clause)
            return
        for field, text in pairs:
            term = evaluator.term_bytes(field, text)
            if term is not None:
                found[field, term] = None

    visit(query)
    return list(found)
