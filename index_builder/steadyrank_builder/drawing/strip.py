"""The strip at the top of every page: what was asked of which index, under what."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from steadyrank.measure import Ranking, Run


@dataclass(frozen=True, slots=True)
class Fact:
    """One entry: what it is, and its value."""

    name: str
    value: str


def strip_of(run: Run, name: str = "") -> tuple[Fact, ...]:
    """Questions, index, statistics, gap and versions of a run."""
    head = f"{name} " if name else ""
    return (
        Fact(f"{head}questions", f"n = {len(run.rankings)}"),
        *index_facts(
            run.origin.generation,
            run.origin.documents,
            run.origin.digest,
            run.origin.versions,
            head,
        ),
        Fact(f"{head}statistics", _distinct(ranking.statistics for ranking in run.rankings)),
        Fact(f"{head}gap", _distinct(_gap(ranking) for ranking in run.rankings)),
    )


def index_facts(
    generation: int,
    documents: int,
    digest: str | None,
    versions: Mapping[str, str],
    head: str = "",
) -> Iterable[Fact]:
    """Which index it was, and which distribution of Whoosh read it."""
    name = digest or "none (not written by steadyrank build)"
    yield Fact(f"{head}index", f"generation {generation}, {documents} documents")
    yield Fact(f"{head}digest", name if len(name) < 40 else name[:23] + "…")
    distribution = f"{versions.get('whoosh_distribution', 'unknown')} "
    yield Fact(f"{head}distribution", (distribution + versions.get("whoosh_version", "")).strip())


def _gap(ranking: Ranking) -> str:
    if not ranking.gap:
        return "none"
    return f"{ranking.gap:g}" + (" (select=score)" if ranking.select == "score" else "")


def _distinct(values: Iterable[str]) -> str:
    return ", ".join(sorted(set(values))) or "none"
