"""Subjects that a question names, and where they lead."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from steadyrank.answering.tables import Concept

Tokens = Callable[[str], list[str]]

_SPACES = re.compile(r"\s+")


def plain(text: str) -> str:
    """Lower case, single-spaced: the form in which phrases and aliases are looked for."""
    return _SPACES.sub(" ", text.lower()).strip()


@dataclass(frozen=True, slots=True)
class Active:
    """The concepts that a question activates, with their words as tokens.

    ``terms`` of all of them, in order, once each; empty when no concept is active. ``required``
    and ``words``: for each concept its required tokens (each a list that must be there whole)
    and its terms.
    """

    concepts: tuple[Concept, ...]
    terms: tuple[str, ...]
    required: tuple[tuple[tuple[str, ...], ...], ...]
    words: tuple[tuple[str, ...], ...]
    routes: tuple[_RouteTokens, ...]

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(concept.name for concept in self.concepts)

    def route_of(self, id: str, title: Sequence[str], heading: Sequence[str]) -> int:
        """The place of a section in the ordered routes; their number for one on none of them."""
        for place, route in enumerate(self.routes):
            if route.leads_to(id, tuple(title), tuple(heading)):
                return place
        return len(self.routes)


@dataclass(frozen=True, slots=True)
class _RouteTokens:
    id: str | None
    heading: tuple[str, ...] | None
    title: tuple[str, ...] | None

    def leads_to(self, id: str, title: tuple[str, ...], heading: tuple[str, ...]) -> bool:
        return (
            (self.id is None or self.id == id)
            and (self.heading is None or self.heading == heading)
            and (self.title is None or self.title == title)
        )


def activated(question: str, concepts: Sequence[Concept], tokens: Tokens) -> Active:
    """The concepts one of whose aliases stands in the question."""
    asked = plain(question)
    active = tuple(
        concept
        for concept in concepts
        if any((said := plain(alias)) and said in asked for alias in concept.aliases)
    )
    words = tuple(
        tuple(dict.fromkeys(token for term in concept.terms for token in tokens(term)))
        for concept in active
    )
    return Active(
        concepts=active,
        terms=tuple(dict.fromkeys(token for own in words for token in own)),
        required=tuple(
            tuple(tuple(tokens(term)) for term in concept.required_any_terms) for concept in active
        ),
        words=words,
        routes=tuple(
            _RouteTokens(
                route.id,
                None if route.heading is None else tuple(tokens(route.heading)),
                None if route.title is None else tuple(tokens(route.title)),
            )
            for concept in active
            for route in concept.routes
        ),
    )
