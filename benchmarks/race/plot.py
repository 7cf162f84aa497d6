"""Medians on a logarithmic scale with a whisker to the 95th percentile, as SVG written by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

_LEFT, _WIDTH, _RIGHT = 262, 430, 108
_STEP, _TOP, _HEAD, _FOOT = 26, 44, 30, 34

_STYLE = """
text { font: 13px system-ui, "DejaVu Sans", Arial, sans-serif; fill: #1f2328 }
.ground { fill: #ffffff }
.title { font-weight: 600; font-size: 15px }
.head { font-weight: 600 }
.small { fill: #59636e; font-size: 12px }
.line { stroke: #d1d9e0 }
.other { fill: #8c959f; stroke: #8c959f }
.ours { fill: #0969da; stroke: #0969da }
.mine { font-weight: 600 }
.value { paint-order: stroke; stroke: #ffffff; stroke-width: 5px }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .ground { fill: #0d1117 }
  .value { stroke: #0d1117 }
  .small { fill: #9198a1 }
  .line { stroke: #3d444d }
  .other { fill: #9198a1; stroke: #9198a1 }
  .ours { fill: #4493f8; stroke: #4493f8 }
}
"""


@dataclass(frozen=True, slots=True)
class Row:
    """An engine's median and 95th percentile in microseconds."""

    name: str
    middle: float
    high: float
    ours: bool = False


@dataclass(frozen=True, slots=True)
class Panel:
    """Rows under one heading; all panels of a plot share one scale."""

    heading: str
    rows: Sequence[Row]


def plot(title: str, panels: Sequence[Panel], note: str) -> str:
    """The panels one below the other. Rows without a number are left out."""
    kept = [
        Panel(panel.heading, [row for row in panel.rows if math.isfinite(row.middle)])
        for panel in panels
    ]
    values = [value for panel in kept for row in panel.rows for value in (row.middle, row.high)]
    if not values:
        raise ValueError("a plot needs at least one row with a number")
    low, high = scale(values)

    def at(value: float) -> float:
        share = (math.log10(value) - low) / (high - low)
        return _LEFT + _WIDTH * share

    height = _TOP + sum(_HEAD + _STEP * len(panel.rows) for panel in kept) + _FOOT
    width = _LEFT + _WIDTH + _RIGHT
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="0 0 {width} {height}" role="img" aria-label="{escape(title)}">',
        f"<title>{escape(title)}</title>",
        f"<style>{_STYLE}</style>",
        f'<rect class="ground" width="{width}" height="{height}" rx="6"/>',
        f'<text class="title" x="14" y="24">{escape(title)}</text>',
        f'<text class="small" x="{width - 14}" y="24" text-anchor="end">{escape(note)}</text>',
    ]
    for power in range(low, high + 1):
        x = at(10.0**power)
        lines += [
            f'<line class="line" x1="{x:.1f}" x2="{x:.1f}" y1="{_TOP}" y2="{height - _FOOT + 6}"/>',
            f'<text class="small" x="{x:.1f}" y="{height - 10}" text-anchor="middle">'
            f"{duration(10.0**power)}</text>",
        ]
    top = _TOP
    for panel in kept:
        lines.append(f'<text class="head" x="14" y="{top + 19}">{escape(panel.heading)}</text>')
        top += _HEAD
        for row in panel.rows:
            lines += _drawn(row, top + _STEP / 2, at)
            top += _STEP
    return "\n".join([*lines, "</svg>", ""])


def _drawn(row: Row, y: float, at: Callable[[float], float]) -> list[str]:
    kind = "ours" if row.ours else "other"
    mine = " mine" if row.ours else ""
    middle, high = at(row.middle), at(max(row.high, row.middle))
    return [
        f'<text class="name{mine}" x="{_LEFT - 12}" y="{y + 4.5:.1f}" text-anchor="end">'
        f"{escape(row.name)}</text>",
        f'<line class="{kind}" stroke-width="2" x1="{middle:.1f}" x2="{high:.1f}" '
        f'y1="{y:.1f}" y2="{y:.1f}"/>',
        f'<line class="{kind}" stroke-width="2" x1="{high:.1f}" x2="{high:.1f}" '
        f'y1="{y - 5:.1f}" y2="{y + 5:.1f}"/>',
        f'<circle class="{kind}" cx="{middle:.1f}" cy="{y:.1f}" r="5"/>',
        f'<text class="value{mine}" x="{high + 10:.1f}" y="{y + 4.5:.1f}">'
        f"{duration(row.middle)}</text>",
    ]


def scale(values: Sequence[float]) -> tuple[int, int]:
    """The powers of ten that all values lie between."""
    low = math.floor(math.log10(min(values)))
    return low, max(math.ceil(math.log10(max(values))), low + 1)


def duration(microseconds: float) -> str:
    """Microseconds with two or three digits and the unit that suits them."""
    unit, size = next(
        (pair for pair in (("s", 1e6), ("ms", 1e3)) if microseconds >= pair[1]), ("µs", 1.0)
    )
    value = microseconds / size
    whole = value >= 10 or value == round(value)
    return f"{value:.0f} {unit}" if whole else f"{value:.1f} {unit}"
