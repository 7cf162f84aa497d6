"""Runs written by hand, runs made of candidates by the order itself, and small indexes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from whoosh.fields import ID, TEXT, Schema
from whoosh.index import create_in

from steadyrank import Candidate, bands, rank
from steadyrank.measure import Entry, Origin, Ranking, Run

VERSIONS = {"steadyrank": "0", "python": "3"}


def entry(id: str, score: float, band: int | None = None, **more: Any) -> Entry:
    """A record that is its own document, with the same content everywhere unless told."""
    values: dict[str, Any] = {"document": id, "title": id.upper(), "content": f"c-{id}", **more}
    return Entry(id=id, score=score, band=band, **values)


def ranking(*entries: Entry, after: Sequence[Entry] = (), **more: Any) -> Ranking:
    """The answer to one question; k is how many there are unless told."""
    values: dict[str, Any] = {"number": 1, "question": "copper slate", "k": len(entries), **more}
    return Ranking(entries=entries, after=tuple(after), **values)


def run(*rankings: Ranking, **origin: Any) -> Run:
    """A run of an index without a digest, unless told."""
    values: dict[str, Any] = {"generation": 1, "documents": 9, "versions": VERSIONS, **origin}
    return Run(Origin(**values), rankings)


def ranked(pool: Iterable[Candidate], gap: float, k: int, after: int, **more: Any) -> Ranking:
    """The answer that the order itself gives for the pool, with its bands."""
    ordered = rank(pool, gap)
    number = {
        member.id: place
        for place, band in enumerate(bands(ordered, gap), start=1)
        for member in band.members
    }
    entries = tuple(
        entry(one.id, one.score, number.get(one.id), document=one.document, route=one.route)
        for one in ordered
    )
    return ranking(*entries[:k], after=entries[k : k + after], k=k, gap=gap, **more)


def write_index(folder: Path, texts: Mapping[str, str]) -> Path:
    """A plain Whoosh index of texts by id."""
    folder.mkdir()
    index = create_in(str(folder), Schema(id=ID(stored=True, unique=True), text=TEXT(stored=True)))
    writer = index.writer()
    for id, text in texts.items():
        writer.add_document(id=id, text=text)
    writer.commit()
    index.close()
    return folder


# Two documents that other documents turn round. Every text has ten words, so that every length is
# the average one and BM25F (K1 1.2, B 0.75) weighs a word that occurs t times by
# t * 2.2 / (t + 1.2): 1.375 for two times, 1 for once. With idf = ln(N / (n + 1)) + 1 the gap of
# "a" (twice copper) over "b" (twice slate) is
#     1.375 * (idf(copper) - idf(slate)) = 1.375 * ln((slate + 1) / (copper + 1))
# whatever N is, for words in that many documents. The counts are the smallest that round to the
# two gaps: found by trying all up to 140.
BASE = {"copper": 48, "slate": 51, "documents": 200}
FRESH = {"copper": 65, "slate": 52, "documents": 218}
BASE_GAP = 0.081707203  # 1.375 * ln(52 / 49)
FRESH_GAP = -0.301623889  # 1.375 * ln(53 / 66)


def turning(counts: Mapping[str, int]) -> dict[str, str]:
    """The texts of one side, "a" and "b" and so many others; those of BASE are among FRESH's."""
    texts = {
        "a": "copper copper " + "kettle " * 8,
        "b": "slate slate " + "kettle " * 8,
    }
    for word in ("copper", "slate"):
        for number in range(counts[word] - 1):
            texts[f"{word}-{number:03}"] = f"{word} " + "ledger " * 9
    for number in range(200 - 48 - 51):
        texts[f"other-{number:03}"] = "ledger " * 10
    assert len(texts) == counts["documents"]
    return texts
