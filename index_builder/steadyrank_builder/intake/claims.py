"""Which of several records with one id is in the index: the duplicate rule.

Within a source the first record of an id is that source's version. Later ones with the same
content are duplicates; later ones with other content are rejected, since a source that
contradicts itself has to be mended, and its first word stands meanwhile.

Across sources nobody is first, because the order of the arguments must not matter. If all
versions are the same, one is accepted and the others are duplicates. If not, all are rejected,
unless a preferred source has a version: then that one is accepted.
"""

from __future__ import annotations

from dataclasses import dataclass

from steadyrank_builder.document import Origin

Place = tuple[int, int]  # of a document on the shelf: offset and length in bytes
DUPLICATE_ID = "duplicate-id"


@dataclass(slots=True)
class Claim:
    """One source's version of an id. ``source`` is the source's number in name order.

    ``origins`` has the record's origin first and then those of its duplicates in this source.
    ``records`` is the number of records that the document was made of. ``place`` is where the
    shelf has it; what follows is known without getting it from there.
    """

    source: int
    digest: str
    origins: list[Origin]
    records: int
    place: Place
    kind: str
    language: str
    document: str
    page_path: str | None
    has_links: bool


@dataclass(frozen=True, slots=True)
class Verdict:
    """What becomes of the claims to one id: one accepted or none, the others by reason."""

    accepted: Claim | None
    duplicates: tuple[Claim, ...] = ()
    rejected: tuple[tuple[Claim, str], ...] = ()  # with the message


def decide(id_: str, claims: list[Claim], preferred: frozenset[int]) -> Verdict:
    """Apply the rule to ``claims``, one per source, in source order.

    ``preferred`` are the sources that decide; where several of them have different versions
    they do not.
    """
    if len(claims) == 1:
        return Verdict(claims[0])
    for candidates in (claims, [claim for claim in claims if claim.source in preferred]):
        if candidates and len({claim.digest for claim in candidates}) == 1:
            return _accept(id_, candidates[0], claims)
    return Verdict(None, (), tuple((claim, _contradiction(id_, claim, claims)) for claim in claims))


def _accept(id_: str, winner: Claim, claims: list[Claim]) -> Verdict:
    others = [claim for claim in claims if claim is not winner]
    message = (
        f"{id_} has other content in the preferred source, at {winner.origins[0]}, which is what "
        "the index has."
    )
    return Verdict(
        winner,
        tuple(claim for claim in others if claim.digest == winner.digest),
        tuple((claim, message) for claim in others if claim.digest != winner.digest),
    )


def _contradiction(id_: str, claim: Claim, claims: list[Claim]) -> str:
    places = ", ".join(str(other.origins[0]) for other in claims if other is not claim)
    return (
        f"{id_} is also at {places}, and not all have the same content, so none of them is in the "
        "index. Correct one of the files, or name the one to believe with --prefer SOURCE."
    )


def repeated(id_: str, first: Claim) -> str:
    """The message for a later record of a source that contradicts its own first one."""
    return (
        f"{id_} is also at {first.origins[0]} with other content. The first one is this source's "
        "version: remove or correct one of the two."
    )
