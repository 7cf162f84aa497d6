"""What was measured as Markdown."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator, Mapping
from typing import Any

from race.bounds import Judged, judged
from race.engines import ELSEWHERE
from race.plot import Panel, Row, plot
from race.timing import Times, quantile

STOCK, OURS, HOST = "whoosh", "steadyrank-array", "steadyrank-host"

Names = Mapping[str, str]
Results = Mapping[str, Any]


def markdown(found: Results, names: Names) -> Iterator[str]:
    """Everything that a file of results holds."""
    yield f"## {found['title']}"
    yield ""
    yield found["machine"]
    yield ""
    if "checked" in found:
        yield (
            f"Ids and score bits of {found['checked']} questions were first compared with a plain "
            "evaluation of the documents' words."
        )
        yield ""
    for title, seconds in found.get("hot", {}).items():
        if title not in found.get("first", {}):
            continue  # those with another k share the table of other questions
        yield from _section(f"{title}, hot", Times(seconds), names)
        yield from _first(Times(found["first"][title]), Times(seconds))
    if "cold" in found:
        yield from _section(
            "OR, k = 10, words that the process never touched", Times(found["cold"]), names
        )
    yield from _mixed(found, names)
    for part, title in (
        ("ties", "Documents of one score, the first ten ids"),
        ("commits", "The first question after a commit"),
        ("writer", "A writer at work in another process"),
    ):
        for what, seconds in found.get(part, {}).items():
            yield from _section(f"{title}: {what}", Times(seconds), names)
    yield from _threads(found, names)
    yield from _serving(found, names)
    yield from _built(found)
    yield from bounds(found)


def _section(title: str, times: Times, names: Names) -> Iterator[str]:
    yield f"### {title}"
    yield ""
    yield from table(times, names)
    yield ""


def table(times: Times, names: Names) -> Iterator[str]:
    """A row per engine: microseconds a question, and by pairs against stock and array call."""
    yield (
        "| engine | questions | p50 µs | p95 µs | p99 µs | stock takes, median | worst "
        "| against ours, median | worst |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|---:|"
    ours = OURS if times.seconds.get(OURS) and times.known(OURS) else HOST
    for name, shown in names.items():
        if name not in times.seconds or not times.known(name):
            continue
        cells = [f"{times.quantile(name, share) * 1e6:,.0f}" for share in (0.5, 0.95, 0.99)]
        for slow, fast in ((STOCK, name), (name, ours)):
            ratios = times.ratios(slow, fast) if slow in times.seconds else []
            cells += (
                [times_as_long(statistics.median(ratios)), times_as_long(min(ratios))]
                if ratios
                else ["", ""]
            )
        yield f"| {shown} | {len(times.known(name))} | {' | '.join(cells)} |"


def times_as_long(ratio: float) -> str:
    """A ratio with as many digits as say something."""
    return (
        f"{ratio:,.0f} x" if ratio >= 100 else f"{ratio:.1f} x" if ratio >= 10 else f"{ratio:.2f} x"
    )


def _first(first: Times, again: Times) -> Iterator[str]:
    ratio = first.median_ratio_to(again, OURS)
    if not math.isnan(ratio):
        yield (
            "The array call's first answer to each of these questions, all words of which were "
            f"searched before one by one, took {ratio:.2f} times as long."
        )
        yield ""


def _mixed(found: Results, names: Names) -> Iterator[str]:
    headed = found.get("first", {})
    other = {title: one for title, one in found.get("hot", {}).items() if title not in headed}
    tables = {title: Times(one) for title, one in {**other, **found.get("mixed", {})}.items()}
    if not tables:
        return
    shown = [
        name
        for name in names
        if not name.endswith(("-gap", "sortedby", "-compiled", *ELSEWHERE))
        and any(times.known(name) for times in tables.values())
    ]
    yield "### Other questions, hot: p50 µs (p95), and stock's time over ours: median (worst)"
    yield ""
    heads = " | ".join(names[name] for name in shown)
    yield f"| question | {heads} | stock over host | stock over array |"
    yield f"|---|{'---:|' * (len(shown) + 2)}"
    for title, times in tables.items():
        cells = [_middle_and_high(times, name) for name in shown]
        for ours in (HOST, OURS):
            ratios = times.ratios(STOCK, ours)
            cells.append(
                f"{times_as_long(statistics.median(ratios))} ({times_as_long(min(ratios))})"
                if ratios
                else ""
            )
        yield f"| {title} | {' | '.join(cells)} |"
    yield ""


def _middle_and_high(times: Times, name: str) -> str:
    if not times.known(name):
        return ""
    return f"{times.quantile(name, 0.5) * 1e6:,.0f} ({times.quantile(name, 0.95) * 1e6:,.0f})"


def _threads(found: Results, names: Names) -> Iterator[str]:
    measured = found.get("threads", {})
    if not measured:
        return
    counts = list(next(iter(measured.values())))
    yield "### Threads of one process, OR, k = 10, hot: µs a question"
    yield ""
    heads = [f"{count} {unit}" for count in counts for unit in ("wall", "processor")]
    yield f"| threads | {' | '.join(heads)} |"
    yield f"|---|{'---:|' * (2 * len(counts))}"
    for name, by_count in measured.items():
        seconds = [by_count[count][part] for count in counts for part in ("wall", "processor")]
        cells = [f"{value * 1e6:,.0f}" for value in seconds]
        yield f"| {names[name]} | {' | '.join(cells)} |"
    yield ""


def _serving(found: Results, names: Names) -> Iterator[str]:
    started, held = found.get("starts", {}), found.get("memory", {})
    if not (started or held):
        return
    yield "### A process that serves"
    yield ""
    yield (
        "| engine | import ms | open ms | first question ms | resident MB | its share MB "
        "| private MB | four MB |"
    )
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for name in {**started, **held}:
        cells = [
            f"{statistics.median(one[part] for one in started[name]) * 1e3:,.1f}"
            if name in started
            else ""
            for part in ("import", "open", "first")
        ]
        cells += [
            f"{held[name][part] / 1e6:,.0f}" if name in held else ""
            for part in ("resident", "share", "private", "all")
        ]
        yield f"| {names[name]} | {' | '.join(cells)} |"
    yield ""
    yield (
        "Processor time of new processes, the files in the page cache. Memory is that of a process "
        "which has answered questions, with three more of its kind beside it: its share counts a "
        "page that n of them map as 1/n of it. The last column is of all four together."
    )
    yield ""


def _built(found: Results) -> Iterator[str]:
    if "built" not in found:
        return
    yield "### Building"
    yield ""
    yield "| index | processor s | wall s | peak MB over the documents | on disk MB |"
    yield "|---|---:|---:|---:|---:|"
    for index, made in found["built"].items():
        shown = "whoosh, compiling it (the peak is of the whole process)"
        index = shown if index == "compiled" else index
        yield (
            f"| {index} | {made['seconds']:,.1f} | {made['wall']:,.1f} | {made['peak'] / 1e6:,.0f} "
            f"| {made['bytes'] / 1e6:,.1f} |"
        )
    yield ""


def bounds(found: Results) -> Iterator[str]:
    """What the race is to show, and whether it did."""
    rows = list(judged(found))
    if not rows:
        return
    yield "### Bounds"
    yield ""
    yield "| | wanted | measured | |"
    yield "|---|---:|---:|---|"
    yield from (verdict(row) for row in rows)
    yield ""


def verdict(row: Judged) -> str:
    """A row of the table of bounds."""
    said = "held" if row.held else "**missed**"
    return f"| {row.what} | {row.wanted} | {row.measured:.2f} | {said} |"


def picture(found: Results, names: Names) -> str:
    """The tables of OR and AND as one plot."""
    panels = []
    for title, heading in (("OR, k = 10", "any of the words"), ("AND, k = 10", "all of the words")):
        times = Times(found["hot"][title])
        rows = []
        for name, shown in names.items():
            left_out = name.endswith(("-gap", "-compiled", *ELSEWHERE))
            known = [] if left_out else times.known(name)
            middle, high = quantile(known, 0.5) * 1e6, quantile(known, 0.95) * 1e6
            rows.append(Row(shown, middle, high, name.startswith("steadyrank")))
        panels.append(Panel(f"Ten ids, {heading}", rows))
    title = f"Processor time of a question, {found['documents']:,} documents"
    return plot(title, panels, "median, whisker to p95")
