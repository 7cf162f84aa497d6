"""Guidance: sections of documentation ranked by BM25, points for titles and headings, and links.

A profile of the same machinery: it gives scores and routes; who is fetched, how bands form, what
is taken and how sure the answer is are decided where they are for every weighting. It works on
the stored fields of any index that ``steadyrank build`` wrote.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from steadyrank.answering.concepts import Active, activated, plain
from steadyrank.answering.sections import Section, Sections, located, tokens
from steadyrank.answering.settings import Settings
from steadyrank.answering.weighing import Contribution, Weighed
from steadyrank.arithmetic import snap
from steadyrank.postings.decode import Docs
from steadyrank.scoring import Hits


@dataclass(frozen=True, slots=True)
class _Asked:
    """A question as the rules see it: lower case, its terms, and the concepts it names."""

    text: str
    terms: tuple[str, ...]
    active: Active


class GuidanceWeighing:
    """Scores sections for a question by the guidance rules.

    All points are on the grid of exact sums, so a section's contributions add up to its score.
    """

    def __init__(self, sections: Sections, settings: Settings) -> None:
        self._sections = sections
        self._settings = settings
        self._rules = settings.guidance
        self._stop_words = {token for word in settings.stop_words for token in tokens(word)}

    def words_of(self, text: str) -> list[tuple[str, int, int]]:
        return located(text)

    def weigh(self, question: str) -> Weighed:
        active = activated(question, self._settings.concepts, tokens)
        words = active.terms or tuple(dict.fromkeys(tokens(question)))
        telling = tuple(word for word in words if word not in self._stop_words)
        asked = _Asked(plain(question), telling or words, active)
        scores = self._scores(asked)
        linked = self._links(set(scores))
        for place, sources in linked.items():
            for _ in sources:
                scores[place] += snap(self._rules.link_bonus)
        places = sorted(scores)
        sections = [self._sections.sections[place] for place in places]

        def earned(docs: Sequence[int]) -> list[list[Contribution]]:
            return [earned_by(doc) for doc in docs]

        def earned_by(doc: int) -> list[Contribution]:
            place = self._sections.place_of_doc[doc]
            found = list(self._earned(self._sections.sections[place], asked))
            bonus = snap(self._rules.link_bonus)
            return found + [Contribution(id, "link", bonus) for id in linked.get(place, ())]

        return Weighed(
            hits=Hits(
                np.array([section.doc for section in sections], np.int64),
                snap(np.array([scores[place] for place in places], np.float64)),
            ),
            earned=earned,
            routes=_routes(sections, active),
            terms=asked.terms,
            unseen=tuple(term for term in asked.terms if term not in self._sections.having),
            concepts=active.names,
            common=self._only_common(asked.terms),
        )

    def _scores(self, asked: _Asked) -> dict[int, float]:
        sections = self._sections.sections
        reached = {place for term in asked.terms for place in self._sections.having.get(term, ())}
        if self._rules.phrase_bonus:
            reached |= {p for p, section in enumerate(sections) if _has_phrase(section, asked)}
        scores = {}
        for place in reached:
            section = sections[place]
            if asked.active.concepts and (
                section.level == 1 or not _supported(section, asked.active)
            ):
                continue
            score = 0.0
            for contribution in self._earned(section, asked):
                score += contribution.score
            if score > 0:
                scores[place] = score
        return scores

    def _earned(self, section: Section, asked: _Asked) -> Iterator[Contribution]:
        rules = self._rules
        for term in asked.terms:
            times = section.counts.get(term, 0)
            if not times:
                continue
            norm = 1 - rules.b + rules.b * section.length / self._sections.average
            weight = self._sections.idf(term) * times * (rules.k1 + 1) / (times + rules.k1 * norm)
            yield Contribution(term, "text", snap(weight))
            for where, counts, points in (
                ("title", section.title_counts, rules.title_points),
                ("heading", section.heading_counts, rules.heading_points),
                ("id", section.id_counts, rules.id_points),
            ):
                if counts.get(term) and points:
                    yield Contribution(term, where, snap(float(points * counts[term])))
        if rules.phrase_bonus and _has_phrase(section, asked):
            yield Contribution(asked.text, "phrase", snap(rules.phrase_bonus))
        active = asked.active
        for name, required, words in zip(active.names, active.required, active.words, strict=True):
            if rules.concept_bonus and _has_any(section, required):
                for word in words:
                    if section.counts.get(word):
                        yield Contribution(word, f"concept {name}", snap(rules.concept_bonus))

    def _links(self, ranked: set[int]) -> dict[int, list[str]]:
        # Ranked is who scored before links; a link from a ranked section lifts its target.
        linked: dict[int, list[str]] = {}
        if not self._rules.link_bonus:
            return linked
        for place in sorted(ranked, key=lambda place: self._sections.sections[place].id):
            section = self._sections.sections[place]
            for target in section.links:
                aim = self._sections.place_of.get(target)
                if aim in ranked and not (self._rules.link_bonus_once and aim in linked):
                    linked.setdefault(aim, []).append(section.id)
        return linked

    def _only_common(self, terms: tuple[str, ...]) -> bool:
        count = len(self._sections.sections)
        having = [
            len(self._sections.having[term]) for term in terms if term in self._sections.having
        ]
        return bool(having) and min(having) > self._rules.common_share * count


def _routes(sections: list[Section], active: Active) -> Docs | None:
    if not active.routes:
        return None
    return np.array([active.route_of(s.id, s.title, s.heading) for s in sections], np.int64)


def _has_phrase(section: Section, asked: _Asked) -> bool:
    return len(asked.text) >= 4 and asked.text in section.plain


def _supported(section: Section, active: Active) -> bool:
    return any(_has_any(section, required) for required in active.required)


def _has_any(section: Section, required: tuple[tuple[str, ...], ...]) -> bool:
    # A concept that requires nothing is supported everywhere.
    return not required or any(
        all(section.counts.get(token) for token in needed) for needed in required
    )
