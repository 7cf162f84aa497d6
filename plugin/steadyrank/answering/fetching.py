"""The first stage of an answer: of each kind the candidates that the ranking sees."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from steadyrank.answering.contender import Contender, ids_of
from steadyrank.answering.settings import Settings
from steadyrank.answering.weighing import Weighed
from steadyrank.arithmetic import Scores, largest_first
from steadyrank.order import Cut, arrange, cut
from steadyrank.postings import Identity
from steadyrank.postings.decode import Docs


def fetched(
    weighed: Weighed,
    kinds: tuple[NDArray[np.int64], Sequence[str]],
    identity: Identity,
    settings: Settings,
) -> tuple[list[Contender], tuple[Cut, ...]]:
    """Of each kind the first of its quota by (route, score, id), as ``order.fetch`` says.

    ``kinds``: a code for each hit, and the kinds that the codes stand for. Only candidates that a
    cut runs through have their ids read; the others keep ``()``, which nothing has looked at.
    """
    codes, names = kinds
    docs, scores, routes = weighed.hits.docs, weighed.hits.scores, weighed.routes
    quotas = {name: _quota(name, settings) for name in names}
    counts = np.bincount(codes, minlength=len(names)).tolist()
    high = None if routes is not None else _high(scores, quotas.values())
    contenders: list[Contender] = []
    lines: list[Cut] = []
    for kind, code in sorted((name, code) for code, name in enumerate(names)):
        if not counts[code]:
            continue
        quota = quotas[kind]
        places = None if high is None else high[codes[high] == code]
        if places is None or quota is None or places.size < min(quota, counts[code]):
            places = np.flatnonzero(codes == code)
        near, tied = _near_cut(places, scores, routes, quota)
        ids = documents = [()] * near.size
        if tied is not None:
            ids, documents = ids_of(identity, docs[near], tied, settings)
        pool = [
            Contender(*fields, kind)
            for fields in zip(
                scores[near].tolist(),
                ids,
                documents,
                [0] * near.size if routes is None else routes[near].tolist(),
                docs[near].tolist(),
                strict=True,
            )
        ]
        kept, line = cut(kind, arrange(pool, 0.0), quota, counts[code])
        contenders += kept
        lines.append(line)
    return contenders, tuple(lines)


def _quota(kind: str, settings: Settings) -> int | None:
    fetch = settings.fetch
    return None if fetch.unlimited else fetch.quotas.get(kind, fetch.other)


def _high(scores: Scores, quotas: Iterable[int | None]) -> NDArray[np.int64] | None:
    # The places of all scores from some bound on, where most kinds find what they need. The bound
    # is read off every eighth score and is a guess: a kind that finds too little looks at all of
    # its own. None where that saves nothing.
    sample, wanted = scores[::8], 0
    for quota in quotas:
        wanted += quota or 0
    if not 0 < wanted // 2 < sample.size:
        return None
    return np.flatnonzero(scores >= largest_first(sample, wanted // 2))


def _near_cut(
    places: NDArray[np.int64], scores: Scores, routes: Docs | None, quota: int | None
) -> tuple[NDArray[np.int64], NDArray[np.bool_] | None]:
    # Of one kind's places those that can be within the quota, with all that tie with the last of
    # them; and which these are, where there are more of them than the quota has room for.
    if quota is None or places.size <= quota:
        return places, None
    if not quota:
        return places[:0], None
    whole: list[NDArray[np.int64]] = []
    if routes is not None:  # the routes that are in as a whole, then the one that is cut
        own = routes[places]
        for route in np.unique(own):
            group = places[own == route]
            if group.size > quota:
                places = group
                break
            whole.append(group)
            quota -= group.size
            if not quota:
                return np.concatenate(whole), None
    left = scores[places]
    group = places[left >= largest_first(left, quota)]
    near = np.concatenate([*whole, group])
    if group.size == quota:
        return near, None
    return near, np.arange(near.size) >= near.size - group.size
