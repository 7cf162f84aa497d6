"""Documents as the sections that guidance ranks, with their tokens."""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from steadyrank.answering.concepts import plain
from steadyrank.arithmetic import exact_log
from steadyrank.postings import IndexView

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
class Section:
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
    """All live documents of a reader as sections with their tokens; made once for a reader.

    ``having``: the places of the sections that have a token; only tokens that occur.
    """

    def __init__(self, view: IndexView) -> None:
        self.sections = [
            _section(doc, view.reader.stored_fields(doc)) for doc in view.live_docs().tolist()
        ]
        having: dict[str, list[int]] = defaultdict(list)
        for place, section in enumerate(self.sections):
            for token in section.counts:
                having[token].append(place)
        self.having = dict(having)
        self.place_of = {section.id: place for place, section in enumerate(self.sections)}
        self.place_of_doc = {section.doc: place for place, section in enumerate(self.sections)}
        total = sum(section.length for section in self.sections)
        self.average = total / len(self.sections) if self.sections else 0.0

    def idf(self, token: str) -> float:
        """ln(1 + (N - n + 0.5) / (n + 0.5)) for n of N sections (BM25 as Lucene has it)."""
        n = len(self.having.get(token, ()))
        return exact_log(1 + (len(self.sections) - n + 0.5) / (n + 0.5))


def _level(value: Any) -> int:
    # Of a heading, 1 to 6; material may call anything else a level, which is none then.
    return int(value) if str(value).isascii() and str(value).isdigit() else 0


def _section(doc: int, stored: Mapping[str, Any]) -> Section:
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
    return Section(
        doc=doc,
        id=id,
        title=tuple(title_tokens),
        heading=tuple(heading_tokens),
        counts=everything,
        title_counts=Counter(title_tokens),
        heading_counts=Counter(heading_tokens),
        id_counts=Counter(id_tokens),
        length=everything.total(),
        level=_level(attributes.get("level")),
        plain=plain(f"{title} {heading} {text}"),
        links=tuple(target for target, _ in json.loads(stored.get("links") or "[]")),
    )
