"""What is in a page before any browser opens it."""

from __future__ import annotations

import re
from html import unescape
from pathlib import Path

import pytest

from steadyrank.measure import Entry, Origin, Ranking, Run
from steadyrank_builder import drawing
from steadyrank_builder.drawing.ladder import CAPTION, EDGE, ROW, ladder_of
from steadyrank_builder.drawing.text import clipped, number, shown

CSS = Path(drawing.__file__).with_name("templates").joinpath("page.css").read_text("utf-8")


def entry(id: str, score: float, band: int | None = None) -> Entry:
    return Entry(id, score, id, band=band)


def test_a_ladder_by_hand() -> None:
    """Two bands of gap 0.5: 10.0 and 9.5, and 9.0; a scale from 8.5, the reach of the last."""
    got = ladder_of(
        Ranking(
            1, "q", 2, (entry("b", 9.5, 1), entry("a", 10.0, 1)), (entry("c", 9.0, 2),), gap=0.5
        ),
        "it",
        expected=("a",),
    )
    assert [(rung.x, rung.leader, rung.expected, rung.left_out) for rung in got.rungs] == [
        (65.667, False, False, False),  # 3 + 94 * (9.5 - 8.5) / 1.5
        (97.0, True, True, False),
        (34.333, True, False, True),
    ]
    assert [(band.x, band.width) for band in got.bands] == [(65.667, 31.333), (3.0, 31.333)]
    assert got.bands[0].caption == "band 1: leader 10.000, span 0.500, headroom 0.000"
    assert [rung.y for rung in got.rungs] == [
        EDGE + CAPTION,
        EDGE + CAPTION + ROW,
        EDGE + CAPTION + 2 * ROW + EDGE + CAPTION,
    ]
    assert got.cut == got.rungs[2].y
    assert (got.low, got.high) == ("8.50", "10.00")


def test_equal_scores_stand_in_the_middle() -> None:
    """A scale of one score has no ends."""
    got = ladder_of(Ranking(1, "q", 2, (entry("a", 1.0), entry("b", 1.0))), "it")
    assert [rung.x for rung in got.rungs] == [50.0, 50.0]
    assert all(rung.tied for rung in got.rungs)
    assert got.cut is None


def test_numbers_and_texts() -> None:
    """A minus is a minus, nothing is a dash, a clipped text says so."""
    assert number(-0.302, 3) == "\N{MINUS SIGN}0.302"
    assert number(-0.00001, 2) == "0.00"
    assert number(None) == "–"
    assert shown("a\n b\tc") == "a b c"
    assert clipped("abcdef", 6) == "abcdef"
    assert clipped("abcdefg", 6) == "abcde…"
    assert clipped("漢字漢字", 6) == "漢字…"


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize("ink", ["ink", "muted", "across", "good", "bad", "mark"])
@pytest.mark.parametrize("ground", ["paper", "shade", "band"])
def test_every_text_can_be_read(scheme: int, ink: str, ground: str) -> None:
    """Contrast of at least 4.5 (3 for ink that only draws), by WCAG 2's formula."""
    block = re.findall(r":root \{([^}]*)\}", CSS)[scheme]
    colours = dict(re.findall(r"--(\w+): (#\w{6})", block))
    light, dark = sorted((luminance(colours[ink]), luminance(colours[ground])), reverse=True)
    assert (light + 0.05) / (dark + 0.05) >= (3.0 if ink in ("across", "mark") else 4.5)


def luminance(colour: str) -> float:
    """Relative luminance: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance"""
    parts = [int(colour[n : n + 2], 16) / 255 for n in (1, 3, 5)]
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def test_the_style_is_the_one_that_the_policy_allows() -> None:
    """Nothing else is: no script, no picture, no address."""
    pytest.importorskip("jinja2")
    from steadyrank.measure import Evaluation

    html = drawing.evaluation_page(Evaluation("no-verdict", 0, 0, (), {}, ()), Run(Origin(), ()))
    assert "default-src 'none'; style-src 'sha256-" in unescape(html)
    assert "http" not in html.replace("http-equiv", "")
    assert "style=" not in html
