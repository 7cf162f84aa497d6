"""Guidance: sections of documentation ranked by BM25, points for titles and headings, and links.

A profile of the same machinery: it gives scores and routes; who is fetched, how bands form, what
is taken and how sure the answer is are decided where they are for every weighting. It works on
the stored fields of any index that ``steadyrank build`` wrote.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from steadyrank.answering.concepts import Active, activated, plain
from steadyrank.answering.settings import Guidance, Settings
from steadyrank.answering.weighing import Contribution, Weighed
from steadyrank.arithmetic import exact_log, snap
from steadyrank.postings import IndexView
from steadyrank.scoring import Hits

_WORD = re.compile(r"[^\W_]+")


def stem(word: str) -> str:
    """A light stem: ``ing`` off words of six letters and more, ``ed`` or ``s`` of five."""
    if len(word) > 5 and word.endswith("ing"):
        return word[:-3]
    if len(word) > 4 and word.endswith("ed"):
        return word[:-2]
    if len(word) > 4 and word.endswith("s"):
        return word[:-1]
    return word


def located(text: str) -> list[tuple[str, int, int]]:
    """Runs of letters and digits, lower case and stemmed, with where they stand in the text."""
    found = []
    for match in _WORD.finditer(text):
        token = stem(match.group().lower())
        if len(token) > 1:
            found.append((token, match.start(), match.end()))
    return found


def tokens(text: str) -> list[str]:
    """The tokens of a text, in order."""
    return [token for token, _, _ in located(text)]


@dataclass(frozen=True, slots=True)
class _Section:
    doc: int
    id: str
    title: tuple[str, ...]
    heading: tuple[str, ...]
    counts: Counter[str]
    title_counts: Counter[str]
    heading_counts: Counter[str]
    id_counts: Counter[str]
    length: int
    level: int
    plain: str
    links: tuple[str, ...]


class Sections:
    """All live documents of a reader as sections with their tokens; made once for a reader."""

    def __init__(self, view: IndexView) -> None:
        self.sections = [
            _section(doc, view.reader.stored_fields(doc)) for doc in view.live_docs().tolist()
        ]
        self.having: dict[str, list[int]] = defaultdict(list)
        for place, section in enumerate(self.sections):
            for token in section.counts:
                self.having[token].append(place)
        self.place_of = {section.id: place for place, section in enumerate(self.sections)}
        self.place_of_doc = {section.doc: place for place, section in enumerate(self.sections)}
        total = sum(section.length for section in self.sections)
        self.average = total / len(self.sections) if self.sections else 0.0

    def idf(self, token: str) -> float:
        """ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N sections (BM25 as Lucene has it)."""
        n = len(self.having.get(token, ()))
        return exact_log(1 + (len(self.sections) - n + 0.5) / (n + 0.5))


def _section(doc: int, stored: Mapping[str, Any]) -> _Section:
    id = str(stored["id"])
    attributes = json.loads(stored.get("attributes") or "{}")
    document, _, anchor = id.rpartition("#")
    document = str(stored.get("document") or document or id)
    section = str(attributes.get("section", anchor if document != id else ""))
    title = str(stored.get("title") or "")
    heading = str(stored.get("heading") or "")
    text = str(stored.get("text") or "")
    title_tokens, heading_tokens = tokens(title), tokens(heading)
    id_tokens = tokens(document) + tokens(section)
    everything = Counter(title_tokens + heading_tokens + id_tokens + tokens(text))
    return _Section(
        doc=doc,
        id=id,
        title=tuple(title_tokens),
        heading=tuple(heading_tokens),
        counts=everything,
        title_counts=Counter(title_tokens),
        heading_counts=Counter(heading_tokens),
        id_counts=Counter(id_tokens),
        length=everything.total(),
        level=int(attributes.get("level", 0) or 0),
        plain=plain(f"{title} {heading} {text}"),
        links=tuple(target for target, _ in json.loads(stored.get("links") or "[]")),
    )


class GuidanceWeighing:
    """Scores sections for a question by the guidance rules."""

    def __init__(self, sections: Sections, settings: Settings) -> None:
        self._sections = sections
        self._settings = settings
        self._rules: Guidance = settings.guidance
        self._stop_words = {token for word in settings.stop_words for token in tokens(word)}

    def words_of(self, text: str) -> list[tuple[str, int, int]]:
        return located(text)

    def weigh(self, question: str) -> Weighed:
        active = activated(question, self._settings.concepts, tokens)
        words = active.terms or tuple(dict.fromkeys(tokens(question)))
        telling = tuple(word for word in words if word not in self._stop_words)
        terms = telling or words
        scores = self._scores(question, terms, active)
        self._add_links(scores)
        places = sorted(scores)
        sections = [self._sections.sections[place] for place in places]
        routes = None
        if active.routes:
            routes = np.array(
                [active.route_of(s.id, s.title, s.heading) for s in sections], np.int64
            )
        return Weighed(
            hits=Hits(
                np.array([section.doc for section in sections], np.int64),
                snap(np.array([scores[place] for place in places], np.float64)),
            ),
            routes=routes,
            terms=terms,
            unseen=tuple(term for term in terms if term not in self._sections.having),
            concepts=active.names,
            reachable=None,
            common=self._only_common(terms),
        )

    def _scores(self, question: str, terms: tuple[str, ...], active: Active) -> dict[int, float]:
        sections = self._sections.sections
        asked = plain(question)
        reached = {place for term in terms for place in self._sections.having.get(term, ())}
        if len(asked) >= 4 and self._rules.phrase_bonus:
            reached.update(p for p, section in enumerate(sections) if asked in section.plain)
        scores = {}
        for place in reached:
            section = sections[place]
            if active.concepts and (section.level == 1 or not _supported(section, active)):
                continue
            score = sum_exactly(earned.score for earned in self._earned(section, terms))
            score += self._bonuses(section, asked, active)
            if score > 0:
                scores[place] = score
        return scores

    def _earned(self, section: _Section, terms: tuple[str, ...]) -> list[Contribution]:
        rules = self._rules
        found = []
        for term in terms:
            times = section.counts.get(term, 0)
            if not times:
                continue
            norm = 1 - rules.b + rules.b * section.length / self._sections.average
            weight = self._sections.idf(term) * times * (rules.k1 + 1) / (times + rules.k1 * norm)
            found.append(Contribution(term, "text", snap(weight)))
            for where, counts, points in (
                ("title", section.title_counts, rules.title_points),
                ("heading", section.heading_counts, rules.heading_points),
                ("id", section.id_counts, rules.id_points),
            ):
                if counts.get(term) and points:
                    found.append(Contribution(term, where, float(points * counts[term])))
        return found

    def _bonuses(self, section: _Section, asked: str, active: Active) -> float:
        bonus = 0.0
        if len(asked) >= 4 and asked in section.plain:
            bonus += self._rules.phrase_bonus
        for required, words in zip(active.required, active.words, strict=True):
            if _has_any(section, required):
                present = [word for word in words if section.counts.get(word)]
                bonus += self._rules.concept_bonus * len(present)
        return bonus

    def _add_links(self, scores: dict[int, float]) -> None:
        # Ranked is who scored before links; a link from a ranked section lifts its target.
        ranked = set(scores)
        lifted: set[int] = set()
        for place in sorted(ranked):
            for target in self._sections.sections[place].links:
                aim = self._sections.place_of.get(target)
                if aim in ranked and not (self._rules.link_bonus_once and aim in lifted):
                    scores[aim] += self._rules.link_bonus
                    lifted.add(aim)

    def _only_common(self, terms: tuple[str, ...]) -> bool:
        count = len(self._sections.sections)
        shares = [
            len(self._sections.having[term]) / count
            for term in terms
            if self._sections.having.get(term)
        ]
        return bool(shares) and min(shares) > self._rules.common_share

    def contributions(self, doc: int, weighed: Weighed) -> list[Contribution]:
        section = self._sections.sections[self._sections.place_of_doc[doc]]
        return self._earned(section, weighed.terms)


def _supported(section: _Section, active: Active) -> bool:
    return any(_has_any(section, required) for required in active.required)


def _has_any(section: _Section, required: tuple[tuple[str, ...], ...]) -> bool:
    # A concept that requires nothing is supported everywhere.
    return not required or any(
        all(section.counts.get(token) for token in needed) for needed in required
    )


def sum_exactly(scores: Any) -> float:
    """The sum of scores on the grid, which does not depend on their order."""
    total = 0.0
    for score in scores:
        total += score
    return total
