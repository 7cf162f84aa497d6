"""What was put in otherwise: settings, statistics, versions, documents and their contents."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from steadyrank.measure.drift_reason import Reason
from steadyrank.measure.drift_shelf import Shelf
from steadyrank.measure.drift_sides import Side
from steadyrank.measure.run import Origin, Ranking


def origin_changes(base: Origin, fresh: Origin) -> Iterator[Reason]:
    """What differs between two indexes and what read them."""
    if (base.digest, base.documents) != (fresh.digest, fresh.documents) or (
        base.digest is None and base.generation != fresh.generation
    ):
        yield Reason("index", was=_index(base), now=_index(fresh))
    yield from version_changes(base, fresh)


def version_changes(base: Origin, fresh: Origin) -> Iterator[Reason]:
    """One reason that names all versions that differ, or none."""
    names = sorted(base.versions.keys() | fresh.versions.keys())
    differing = [name for name in names if base.versions.get(name) != fresh.versions.get(name)]
    if differing:
        yield Reason("versions", was=_said(base, differing), now=_said(fresh, differing))


def _index(origin: Origin) -> str:
    digest = "" if origin.digest is None else f", {origin.digest.removeprefix('sha256:')[:12]}"
    return f"generation {origin.generation} ({origin.documents} documents{digest})"


def _said(origin: Origin, names: list[str]) -> str:
    return ", ".join(f"{name} {origin.versions.get(name, 'unknown')}" for name in names)


def settings_changes(base: Ranking, fresh: Ranking) -> Iterator[Reason]:
    """Settings that differ: by name where a run has their values, else by their hash."""
    named = [
        ("k", str(base.k), str(fresh.k)),
        ("gap", f"{base.gap:g}", f"{fresh.gap:g}"),
        ("select", base.select, fresh.select),
    ]
    differing = [entry for entry in named if entry[1] != entry[2]]
    for name, was, now in differing:
        yield Reason("settings", was=f"{name} {was}", now=f"{name} {now}")
    # The hash covers all these and the statistics, so that it says something new only alone.
    if base.settings != fresh.settings and not differing and base.statistics == fresh.statistics:
        yield Reason("settings", was=base.settings, now=fresh.settings)


@dataclass(frozen=True, slots=True)
class Inputs:
    """What one question's two rankings were made from.

    ``same_index``: the digests are equal, so that no document differs.
    """

    base: Side
    fresh: Side
    base_shelf: Shelf
    fresh_shelf: Shelf
    settings: tuple[Reason, ...]
    statistics: tuple[Reason, ...]
    versions: tuple[Reason, ...]
    same_index: bool

    def rewritten(self, id: str) -> Reason | None:
        """Whether what is stored of the document changed; its scores where they are known."""
        contents = [shelf.contents.get(id) for shelf in (self.base_shelf, self.fresh_shelf)]
        if not all(contents) or contents[0] == contents[1]:
            return None
        one, other = self.base.places.get(id), self.fresh.places.get(id)
        if one is None or other is None:
            return Reason("content", id)
        return Reason("content", id, base=one.score, fresh=other.score)

    def rescored(self, id: str) -> tuple[Reason, ...]:
        """Why the score of a record moved; empty where it did not, or is not known twice."""
        one, other = self.base.places.get(id), self.fresh.places.get(id)
        if one is None or other is None or one.score == other.score:
            return ()
        rewritten = self.rewritten(id)
        if rewritten is not None:
            return (rewritten,)
        if self.statistics:
            return self.statistics
        name = self.fresh.ranking.statistics
        moved = Reason("statistics", id, "", one.score, other.score, was=name, now=name)
        fixed = self.same_index or name.startswith("pinned")
        # Another length or gap moves no score; settings of which only a hash is known may.
        unknown = any(reason.was == self.base.ranking.settings for reason in self.settings)
        if not fixed and not unknown:
            return (moved,)
        if self.settings or self.versions:
            return self.settings or self.versions
        if name == "whoosh":  # its statistics follow the layout
            return (moved,)
        return (Reason("unexplained", id, "", one.score, other.score),)
