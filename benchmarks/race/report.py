"""The measurements as a Markdown table and a picture."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from race.timing import Times

_COLOURS = {"steadyrank": "#1f5fd1"}


def table(times: Times, names: Mapping[str, str], stock: str, ours: str) -> Iterator[str]:
    """A row per engine: microseconds per query, and by pairs against stock and against ours."""
    yield "| engine | p50 us | p95 us | p99 us | stock takes | against ours |"
    yield "|---|---:|---:|---:|---:|---:|"
    for name, shown in names.items():
        if name not in times.seconds or math.isnan(times.quantile(name, 0.5)):
            continue
        cells = [f"{times.quantile(name, share) * 1e6:,.0f}" for share in (0.5, 0.95, 0.99)]
        against = f"{times.median_ratio(stock, name):.1f} x"
        mine = f"{times.median_ratio(name, ours):.2f} x"
        yield f"| {shown} | {' | '.join(cells)} | {against} | {mine} |"


def picture(rows: Sequence[tuple[str, float]], title: str) -> str:
    """Bars of medians in microseconds on a scale of powers of ten, as SVG."""
    known = [(name, value) for name, value in rows if not math.isnan(value)]
    top = math.ceil(math.log10(max(value for _, value in known)))
    low = math.floor(math.log10(min(value for _, value in known)))
    left, width, step = 250, 420, 26
    height = 60 + step * len(known)

    def at(value: float) -> float:
        return left + width * (math.log10(value) - low) / (top - low)

    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="760" height="{height}" '
        f'viewBox="0 0 760 {height}" font-family="sans-serif" font-size="13" role="img">',
        f"<title>{escape(title)}</title>",
        f'<rect width="760" height="{height}" fill="#ffffff"/>',
        f'<text x="10" y="20" font-weight="bold">{escape(title)}</text>',
    ]
    for power in range(low, top + 1):
        x = at(10.0**power)
        lines.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="32" y2="{height - 22}" stroke="#d0d7de"/>'
            f'<text x="{x:.1f}" y="{height - 6}" text-anchor="middle" fill="#57606a">'
            f"{10**power:,} us</text>"
        )
    for row, (name, value) in enumerate(known):
        y = 36 + step * row
        colour = "#1f5fd1" if name.startswith("steadyrank") else "#8c959f"
        lines.append(
            f'<text x="{left - 8}" y="{y + 14}" text-anchor="end">{escape(name)}</text>'
            f'<rect x="{left}" y="{y + 2}" width="{at(value) - left:.1f}" height="16" '
            f'fill="{colour}"/>'
            f'<text x="{at(value) + 6:.1f}" y="{y + 14}">{value:,.0f}</text>'
        )
    return "\n".join([*lines, "</svg>", ""])
