"""An answer: the pieces, what decided them, and how near that was to going otherwise."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any

from steadyrank.answering.certainty import Certainty
from steadyrank.answering.excerpts import sentences
from steadyrank.answering.weighing import Contribution
from steadyrank.order import Cut


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of the store's material in an answer.

    ``rank`` counts from 1. ``route`` to ``tie_size`` are as in :class:`steadyrank.Placement`, over
    all candidates that were fetched. ``why``: what each word of the question earned it.
    ``excerpt_matches`` are the (start, end) of the question's words in ``excerpt``. ``stage`` and
    ``code`` are for guidance: what a reader would do with it, and its code blocks.
    """

    rank: int
    id: str
    document: str
    kind: str
    title: str
    heading: str
    text: str
    url: str
    tags: tuple[str, ...]
    language: str
    attributes: Mapping[str, Any]
    excerpt: str
    excerpt_matches: tuple[tuple[int, int], ...]
    score: float
    route: int
    band: int | None
    decided_by: str
    headroom: float | None
    margin: float | None
    tie_size: int
    why: tuple[Contribution, ...]
    stage: str
    code: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Next:
    """A candidate that came after the last piece."""

    id: str
    document: str
    title: str
    score: float
    route: int
    band: int | None


@dataclass(frozen=True, slots=True)
class CutLine:
    """The line between the last piece and the first candidate left out.

    ``margin``: the last piece's score minus the first one's left out (negative where a band or
    a limit put a higher score out), None when nothing was left out. ``in_tie``: they have the
    same route and score; ``in_band``: they are in one band; ``by_limit``: a limit, and not the
    ranking, put the first one left out behind the last one in.
    """

    margin: float | None
    in_tie: bool
    in_band: bool
    by_limit: bool


@dataclass(frozen=True, slots=True)
class Related:
    """A document one link away from a piece."""

    id: str
    title: str
    relation: str
    linked_from: str


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """Short hashes by which a log tells what changed: the answer, or what it was made from.

    ``pieces``: ids, scores and texts; ``settings``; ``index``: its digest, or its generation
    where it has none; ``versions``: of steadyrank, Whoosh, Python and Unicode.
    """

    pieces: str
    settings: str
    index: str
    versions: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The pieces for a question, in their order, and everything that was decided on the way.

    ``terms``: the words that were searched; ``unseen``: the share of them that the statistics
    never saw; ``concepts``: those that the question named. ``fetched``: what each kind's quota
    did. ``next``: the first candidates after the pieces. ``fallback`` is a sentence when the
    confidence is low, else None.
    """

    question: str
    pieces: tuple[Piece, ...]
    confidence: str
    certainty: Certainty
    related: tuple[Related, ...]
    fallback: str | None
    fetched: tuple[Cut, ...]
    cut: CutLine
    next: tuple[Next, ...]
    terms: tuple[str, ...]
    unseen: float
    concepts: tuple[str, ...]
    warnings: tuple[str, ...]
    generation: int
    digest: str | None
    statistics: str
    gap: float
    fingerprint: Fingerprint

    def to_dict(self) -> dict[str, Any]:
        """For JSON; ``schema`` is the version of this shape."""
        content: dict[str, Any] = _plain(self)
        return {"schema": 1, **content}

    def explain(self) -> str:
        """What decided each place, in lines for people."""
        lines = [f"{self.question!r}: confidence {self.confidence}, {self.certainty.reason}"]
        for piece in self.pieces:
            lines.append(
                f"{piece.rank}. {piece.id}  {piece.score:.4f}  by {piece.decided_by}"
                + (f", {piece.tie_size} with this score" if piece.tie_size > 1 else "")
                + ("" if piece.margin is None else f", {piece.margin:.4f} above the next lower")
                + ("" if piece.band is None else f", band {piece.band}")
                + ("" if piece.headroom is None else f", {piece.headroom:.4f} to spare in it")
            )
            lines += [f"     {why.score:8.4f}  {why.word} in {why.where}" for why in piece.why]
        if self.cut.by_limit:
            lines.append("a limit decided who is in: the ranking alone would take others")
        elif self.cut.in_tie:
            lines.append("the cut runs through a tie: only the id decided who is in")
        elif self.cut.in_band:
            lines.append("the cut runs through a band: ids decided who is in")
        elif self.cut.margin is not None:
            lines.append(f"the first one left out is {self.cut.margin:.4f} below the last piece")
        return "\n".join(lines)

    def context(
        self,
        budget: int = 4000,
        count: Callable[[str], int] = len,
    ) -> str:
        """The pieces as numbered text for a prompt, each with its id to cite.

        At most ``budget`` as ``count`` measures a text (characters; give a tokenizer's count for
        tokens). A piece that does not fit whole is cut after a sentence; one of which not a
        sentence fits is left out with those after it. Nothing is ever longer than the budget.
        """
        parts: list[str] = []
        for piece in self.pieces:
            name = piece.title if not piece.heading else f"{piece.title}: {piece.heading}"
            head = f"[{piece.rank}] {piece.id}\n{' '.join(name.split())}".rstrip()
            block = ""
            for sentence in sentences(piece.text):
                longer = f"{block} {sentence}" if block else sentence
                if count("\n\n".join([*parts, f"{head}\n{longer}"])) > budget:
                    break
                block = longer
            whole = f"{head}\n{block}".rstrip()
            if (piece.text.strip() and not block) or count("\n\n".join([*parts, whole])) > budget:
                break
            parts.append(whole)
        return "\n\n".join(parts)


def _plain(value: Any) -> Any:
    """Records and mappings as dicts, tuples as lists; what JSON takes."""
    if is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(item) for item in value]
    return value
