"""Results as parts of the pages that tell of them: between marks, so that the rest stays."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from race.bounds import judged
from race.report import HOST, OURS, STOCK, Names, Results, markdown, verdict
from race.timing import Times, quantile

BEGIN, END = "<!-- measured: begin -->", "<!-- measured: end -->"

_OR, _AND = "OR, k = 10", "AND, k = 10"
_DRAWN = ("60000", "500000")


def publish(out: Path, names: Names, root: Path) -> None:
    """Writes benchmarks/README.md, race.md and plots, and docs/scaling.md from results in a folder.

    ValueError where a page has not the marks.
    """
    found = {path.stem: json.loads(path.read_text("utf-8")) for path in out.glob("*.json")}
    sizes = sorted((one for one in found.values() if "documents" in one), key=_documents)
    others = [found[what] for what in ("ties", "commits") if what in found]
    folder = root / "benchmarks"
    drawn = [what for what in _DRAWN if (out / f"{what}.svg").exists()]
    for what in drawn:
        shutil.copyfile(out / f"{what}.svg", folder / f"race-{what}.svg")
    _between(folder / "README.md", _summary(sizes, others, names, drawn))
    _between(root / "docs" / "scaling.md", _scaling(sizes, others, names))
    pages = [line for one in (*sizes, *others) for line in (*markdown(one, names), "")]
    says = "Written by `race.py --publish`. [README.md](README.md) says what is measured, and how."
    text = "\n".join(["# The race: every table", "", says, "", *pages])
    (folder / "race.md").write_text(text.rstrip() + "\n", "utf-8")


def _documents(found: Results) -> int:
    return int(found["documents"])


def _between(page: Path, lines: Iterator[str]) -> None:
    text = page.read_text("utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise ValueError(f"{page} wants one line {BEGIN} and after it one {END}")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    page.write_text("\n".join([before + BEGIN, "", *lines, END + after]), "utf-8")


def _summary(
    sizes: Sequence[Results], others: Sequence[Results], names: Names, drawn: Sequence[str]
) -> Iterator[str]:
    if sizes:
        yield sizes[-1]["machine"]
        yield ""
    for what in drawn:
        yield f"![Processor time of a question by engine](race-{what}.svg)"
        yield ""
    for title in (_OR, _AND):
        yield f"### {title}, hot: median µs (p95)"
        yield ""
        yield from _by_size(sizes, title, names)
    yield "### What was to be shown"
    yield ""
    yield "Ratios of one run, or the unit that is named. Every bound is here, also those missed."
    yield ""
    for one in (*sizes, *others):
        rows = list(judged(one))
        if rows:
            yield f"| {one['title']} | wanted | measured | |"
            yield "|---|---:|---:|---|"
            yield from (verdict(row) for row in rows)
            yield ""


def _by_size(sizes: Sequence[Results], title: str, names: Names) -> Iterator[str]:
    tables = {_documents(one): Times(one["hot"][title]) for one in sizes if "hot" in one}
    yield from _head("engine", [f"{size:,}" for size in tables])
    for name, shown in names.items():
        if any(times.known(name) for times in tables.values()):
            yield _row(shown, [_middle(times.known(name)) for times in tables.values()])
    yield ""


def _scaling(sizes: Sequence[Results], others: Sequence[Results], names: Names) -> Iterator[str]:
    if sizes:
        yield sizes[-1]["machine"]
        yield ""
    shown = [name for name in (STOCK, "tantivy-id-order", HOST, OURS) if name in names]
    timed = [one for one in sizes if "hot" in one]
    yield "### Documents"
    yield ""
    yield "Any of one to eight words, ten ids, hot: µs, median (p95)."
    yield ""
    yield from _head("documents", [names[name] for name in shown])
    for one in timed:
        times = Times(one["hot"][_OR])
        yield _row(f"{_documents(one):,}", [_middle(times.known(name)) for name in shown])
    yield ""
    for one in timed:
        if _documents(one) >= 60_000:
            yield from _by_words(one, shown, names)
    yield from _by_ties(others, shown, names)
    yield from _memory([one for one in sizes if "memory" in one])
    yield from _threads([one for one in sizes if "threads" in one], shown, names)
    yield from _building([one for one in sizes if "compiled" in one.get("built", {})])


def _by_words(found: Results, shown: Sequence[str], names: Names) -> Iterator[str]:
    # race.corpus.questions has one to eight words in turns.
    yield f"### Words, {_documents(found):,} documents"
    yield ""
    yield "The same questions by how many words they have: µs, median (p95)."
    yield ""
    yield from _head("words", [names[name] for name in shown])
    seconds = found["hot"][_OR]
    for words in range(1, 9):
        own = {name: seconds[name][words - 1 :: 8] for name in shown}
        times = Times(own)
        yield _row(str(words), [_middle(times.known(name)) for name in shown])
    yield ""


def _by_ties(others: Sequence[Results], shown: Sequence[str], names: Names) -> Iterator[str]:
    found = {what: one for other in others for what, one in other.get("ties", {}).items()}
    if not found:
        return
    columns = [*shown, f"{OURS}-gap"]
    yield "### Ties"
    yield ""
    yield "Documents of exactly one score, the first ten ids: µs, the best of several turns."
    yield ""
    yield from _head("question, documents", [names[name] for name in columns])
    for what, seconds in found.items():
        times = Times(seconds)
        yield _row(what, [_number(times.quantile(name, 0.5) * 1e6) for name in columns])
    yield ""


def _memory(sizes: Sequence[Results]) -> Iterator[str]:
    if not sizes:
        return
    columns = {
        STOCK: "Whoosh",
        OURS: "array call",
        f"{OURS}-compiled": "array call, compiled",
        f"{HOST}-compiled": "host calls, compiled",
    }
    yield "### Memory"
    yield ""
    yield "Four processes that serve one index: MB of all four together, mapped pages counted once."
    yield ""
    yield from _head("documents", list(columns.values()))
    for one in sizes:
        held = one["memory"]
        cells = [f"{held[name]['all'] / 1e6:,.0f}" if name in held else "" for name in columns]
        yield _row(f"{_documents(one):,}", cells)
    yield ""


def _threads(sizes: Sequence[Results], shown: Sequence[str], names: Names) -> Iterator[str]:
    if not sizes:
        return
    yield "### Threads"
    yield ""
    yield "Questions a second of wall time, by one thread and by eight of one process."
    yield ""
    columns = [(name, count) for name in shown for count in ("1", "8")]
    yield from _head("documents", [f"{names[name]}, {count}" for name, count in columns])
    for one in sizes:
        measured: Mapping[str, Any] = one["threads"]
        cells = [
            f"{1 / measured[name][count]['wall']:,.0f}" if name in measured else ""
            for name, count in columns
        ]
        yield _row(f"{_documents(one):,}", cells)
    yield ""


def _building(sizes: Sequence[Results]) -> Iterator[str]:
    if not sizes:
        return
    yield "### Building and compiling"
    yield ""
    heads = ["Whoosh writes it, s", "compiling, s", "compiling, MB", "index, MB", "compiled, MB"]
    yield from _head("documents", heads)
    for one in sizes:
        index, made = one["built"]["whoosh"], one["built"]["compiled"]
        seconds = [f"{part['seconds']:,.1f}" for part in (index, made)]
        sizes_of = [made["peak"], index["bytes"], made["bytes"]]
        yield _row(f"{_documents(one):,}", [*seconds, *(f"{size / 1e6:,.0f}" for size in sizes_of)])
    yield ""


def _middle(known: Sequence[float]) -> str:
    if not known:
        return ""
    return f"{_number(quantile(known, 0.5) * 1e6)} ({_number(quantile(known, 0.95) * 1e6)})"


def _number(value: float) -> str:
    return "" if value != value else f"{value:,.0f}"


def _head(first: str, others: Sequence[str]) -> Iterator[str]:
    yield f"| {first} | {' | '.join(others)} |"
    yield f"|---|{'---:|' * len(others)}"


def _row(first: str, cells: Sequence[str]) -> str:
    return f"| {first} | {' | '.join(cells)} |"
