"""A log's questions as query trees, and as they may be shown."""

from __future__ import annotations

import hashlib
import hmac
import random
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from typing import Any

from steadyrank.errors import PolicyError
from steadyrank.measure.audit import Failed
from steadyrank.retrieval import parsed
from steadyrank.words import words_query
from steadyrank_builder.auditing.options import AuditOptions
from steadyrank_builder.runs import Asked
from steadyrank_builder.runs.deadline import DeadlineError

Shown = Callable[[Asked], str]


@dataclass(frozen=True, slots=True)
class Query:
    """A question and its query tree."""

    asked: Asked
    tree: Any


def chosen(log: Sequence[Asked], options: AuditOptions) -> list[Asked]:
    """The questions to ask: all, or a sample of the different ones in their order."""
    if options.sample is None or options.sample >= len(log):
        return list(log)
    sample = random.Random(options.seed).sample(range(len(log)), options.sample)
    return [log[place] for place in sorted(sample)]


def shown_as(log: Sequence[Asked], redact: bool) -> Shown:
    """How a question is shown: itself, or a hash that only who has the log can make.

    A plain hash of a short question is found by hashing guesses; this one is keyed by the whole
    log, so it is the same in every audit of that log.
    """
    if not redact:
        return lambda asked: asked.question
    key = hashlib.sha256()
    for asked in log:
        key.update(asked.question.encode("utf-8", "surrogatepass") + b"\0")

    def shown(asked: Asked) -> str:
        text = asked.question.encode("utf-8", "surrogatepass")
        return "hash:" + hmac.new(key.digest(), text, "sha256").hexdigest()[:16]

    return shown


def failed(asked: Asked, stage: Any, error: Exception, shown: Shown, redact: bool) -> Failed:
    """The record of a question that cannot be asked; an error's text can quote the question."""
    if isinstance(error, DeadlineError):
        text = str(error)
    else:
        cause = error.__cause__ or error
        name = type(cause).__name__
        text = name if redact or not str(cause) else f"{name}: {cause}"
    return Failed(asked.number, shown(asked), asked.count, stage, text)


def queries(
    asked: Sequence[Asked], schema: Any, options: AuditOptions, shown: Shown
) -> tuple[list[Query], list[Failed]]:
    """The questions that parse, and those that do not. PolicyError for fields of no use."""
    words_query("", schema, dict(options.fields or {}))  # a wrong field fails each question
    good: list[Query] = []
    bad: list[Failed] = []
    for one in asked:
        try:
            good.append(Query(one, parsed(one.question, schema, options.fields, options.syntax)))
        except PolicyError as error:
            bad.append(failed(one, "parse", error, shown, options.redact))
    return good, bad


def searched_fields(trees: Collection[Query], reader: Any) -> set[str]:
    """The fields with postings that the queries look at; all where a query does not tell."""
    there = set(reader.indexed_field_names())
    names: set[str | None] = set()
    for query in trees:
        for leaf in query.tree.leaves():
            if not hasattr(leaf, "fieldname"):
                if type(leaf).__name__ == "_NullQuery":
                    continue
                return there
            names.add(leaf.fieldname)
    return there & names
