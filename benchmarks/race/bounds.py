"""What the race is to show, as ratios of one run; a file of results says whether it did."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from race.timing import Times

Results = Mapping[str, Any]
_OR, _AND = "OR, k = 10", "AND, k = 10"


@dataclass(frozen=True, slots=True)
class Judged:
    """A ratio beside its bound, which is a lower one unless ``most``."""

    what: str
    bound: float
    measured: float
    most: bool = False

    @property
    def wanted(self) -> str:
        return f"{'at most' if self.most else 'at least'} {self.bound:g}"

    @property
    def held(self) -> bool:
        if self.most:
            return self.measured <= self.bound
        return self.measured >= self.bound


# Lower bounds by documents; a size between two has the bound of the smaller.
_ARRAY = {0: 10.0, 60_000: 40.0, 400_000: 80.0}
_TANTIVY = {0: 0.0, 60_000: 1.0, 400_000: 1.3}


def judged(found: Results) -> Iterator[Judged]:
    """The bounds that these results can be held against."""
    yield from (row for row in _judged(found) if not math.isnan(row.measured))


def _judged(found: Results) -> Iterator[Judged]:
    size = found.get("documents", 0)
    if _OR in found.get("hot", {}):
        yield from _hot(found, size)
    if "cold" in found:
        cold = Times(found["cold"])
        for name in ("array", "host"):
            ratio = cold.median_ratio("whoosh", f"steadyrank-{name}")
            yield Judged(f"OR, cold, stock over {name} call", 3.0, ratio)
        worst = cold.worst_ratio("whoosh", "steadyrank-array")
        yield Judged("OR, cold, the slowest question, stock over array call", 1.0, worst)
    yield from _slowest(found)
    for what, seconds in found.get("ties", {}).items():
        if not what.endswith(" 100,000"):
            continue
        tied = Times(seconds)
        for name in ("array", "host"):
            ours, gapped = f"steadyrank-{name}", f"steadyrank-{name}-gap"
            ratio = tied.median_ratio("whoosh", ours)
            yield Judged(f"{what} ties, stock over {name} call", 30.0, ratio)
            ratio = tied.median_ratio(gapped, ours)
            yield Judged(f"{what} ties, {name} call, gap 0.5 over no gap", 2.0, ratio, most=True)
    for what, seconds in found.get("commits", {}).items():
        times = Times(seconds)
        for name in ("array", "host"):
            ratio = times.median_ratio(f"steadyrank-{name}", "whoosh")
            yield Judged(f"after a commit, {what}, {name} call over stock", 3.0, ratio, most=True)
    yield from _compiled(found, size)
    yield from _served(found, size)


def _compiled(found: Results, size: int) -> Iterator[Judged]:
    made, index = found.get("built", {}).get("compiled"), found.get("built", {}).get("whoosh")
    if not (made and index) or size < 10_000:
        return  # starting up is most of it
    share = made["seconds"] / index["seconds"] * 100
    yield Judged("compiling, % of stock's time to build", 8.0, share, most=True)
    share = made["bytes"] / made["of"] * 100
    yield Judged("compiled files, % of the segments' size", 30.0, share, most=True)
    yield Judged("compiling, MB at the most", 400.0, made["peak"] / 1e6, most=True)


def _served(found: Results, size: int) -> Iterator[Judged]:
    held = found.get("memory", {})
    ours = [name for name in held if name.startswith("steadyrank-")]
    if size >= 400_000 and "whoosh" in held:
        for name in ours:
            ratio = held[name]["share"] / held["whoosh"]["share"]
            yield Judged(f"memory of a process, {name} over stock", 0.5, ratio, most=True)
    for name, started in found.get("starts", {}).items():
        if name in ours:
            middle = statistics.median(one["open"] for one in started) * 1e3
            yield Judged(f"opening, {name}, ms", 10.0, middle, most=True)
    if "imports" in found:
        middle = statistics.median(found["imports"]) * 1e3
        yield Judged("import steadyrank, ms", 150.0, middle, most=True)


def _hot(found: Results, size: int) -> Iterator[Judged]:
    either = Times(found["hot"][_OR])
    yield Judged(
        "OR, stock over array call",
        _at(_ARRAY, size),
        either.median_ratio("whoosh", "steadyrank-array"),
    )
    if size >= 30_000:
        ratio = either.median_ratio("whoosh", "steadyrank-host")
        yield Judged("OR, stock over host call", 15.0, ratio)
    for name, bound in (
        ("sqlite-fts5", 20.0),
        ("bm25s", 6.0),
        ("tantivy-id-order", _at(_TANTIVY, size)),
    ):
        if name in either.seconds and size >= 60_000:
            ratio = either.median_ratio(name, "steadyrank-array")
            yield Judged(f"OR, {name} over array call", bound, ratio)
    for name in ("array", "host"):
        ratio = either.median_ratio(f"steadyrank-{name}-gap", f"steadyrank-{name}")
        yield Judged(f"OR, {name} call, gap 0.5 over no gap", 2.0, ratio, most=True)
    if size >= 60_000 and "tantivy-id-order" in either.seconds:
        yield from _beside_tantivy(found)


def _slowest(found: Results) -> Iterator[Judged]:
    # Over every question that was asked hot.
    tables = {**found.get("hot", {}), **found.get("mixed", {})}
    for name in ("array", "host"):
        ratios = {
            title: Times(seconds).worst_ratio("whoosh", f"steadyrank-{name}")
            for title, seconds in tables.items()
        }
        known = {title: ratio for title, ratio in ratios.items() if not math.isnan(ratio)}
        if known:
            title = min(known, key=known.__getitem__)
            what = f"the slowest of all hot questions ({title}), stock over {name} call"
            yield Judged(what, 1.0, known[title])


def _beside_tantivy(found: Results) -> Iterator[Judged]:
    for title in (_OR, _AND):
        if title not in found["hot"]:
            continue
        times = Times(found["hot"][title])
        middle = times.median_ratio("tantivy-id-order", "steadyrank-array")
        high = times.quantile("tantivy-id-order", 0.95) / times.quantile("steadyrank-array", 0.95)
        if title == _AND:
            yield Judged("AND, tantivy-id-order over array call", 0.7, middle)
        yield Judged(f"{title}, p95 of tantivy-id-order over array call's", 0.7, high)


def _at(bounds: Mapping[int, float], size: int) -> float:
    return bounds[max(least for least in bounds if least <= size)]
