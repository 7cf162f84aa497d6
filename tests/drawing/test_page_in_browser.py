"""Pages opened in a real browser: nothing runs, nothing overlaps, hostile text stays text."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from steadyrank.measure import CaseResult, Entry, Evaluation, Origin, Ranking, Run
from steadyrank_builder.drawing import evaluation_page
from support_browser import chromium, keep_screenshot, open_page, overlaps

pytest.importorskip("jinja2")

HOSTILE = (
    "<script>document.title='run'</script>",
    '"><img src=x onerror="document.title=\'run\'">',
    "\u202egnp.exe \u2066isolated",
    "'; </style><svg onload=document.title='run'>",
    "a title much longer than any drawing has room for beside its score, and then some more",
    "漢字の長い題名は幅が二倍になるので早く切られます、そしてまだ続きます、もう少し",
    "{{ 7 * 7 }} {% raw %} &amp; &lt;b&gt; \x00\x1b[31m",
)
GAP = 0.5


def ranking(number: int, scores: list[float], gap: float, k: int) -> Ranking:
    """A ranking whose bands are those of its descending scores, leaders at 20, 19, 18, ..."""
    entries = tuple(
        Entry(
            id=f"product:{place}-{HOSTILE[place % len(HOSTILE)]}",
            score=score,
            document=f"product:{place}",
            band=21 - int(score + 0.5) if gap else None,
            title=HOSTILE[place % len(HOSTILE)],
        )
        for place, score in enumerate(scores)
    )
    return Ranking(number, HOSTILE[number], k, entries[:k], entries[k:], gap=gap)


# 40 hits in ten bands of four: two ties at the leader's score, one at the edge, one between.
FORTY = [leader - less for leader in range(20, 10, -1) for less in (0.0, 0.0, 0.25, 0.5)]
RUN = Run(
    Origin(3, "sha256:" + "0" * 64, 40, {"whoosh_distribution": "Whoosh", "whoosh_version": "2"}),
    (
        ranking(1, FORTY, GAP, 30),
        ranking(2, [3.0, 3.0, 1.0], 0.0, 2),
        ranking(3, [0.0], 0.0, 4),
        ranking(4, [], GAP, 4),
    ),
)
EVALUATION = Evaluation(
    outcome="failed",
    passed=1,
    failed=1,
    cases=tuple(
        CaseResult(r.number, r.question, mode, passed, r.ids, r.ids[:1], "high", why)
        for r, mode, passed, why in zip(
            RUN.rankings,
            ("exact", "rank-one", None, None),
            (False, True, None, None),
            (f"at rank 1 stands {HOSTILE[0]}, not x", "", "none is within 4", ""),
            strict=True,
        )
    ),
    metrics={"success": 0.5, "questions": 4},
    missed=(f"success is 50.0%, {HOSTILE[1]}",),
    unknown=(HOSTILE[0],),
)


@pytest.fixture(scope="module")
def driver() -> Iterator[Any]:
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("page") / "evaluation.html"
    path.write_text(evaluation_page(EVALUATION, RUN), "utf-8")
    return path


@pytest.mark.parametrize(
    ("width", "scheme"), [(1000, "light"), (1000, "dark"), (360, "light"), (360, "dark")]
)
def test_a_page_in_a_browser(driver: Any, page: Path, width: int, scheme: str) -> None:
    """No script, no message, as many hits and bands as there are; texts keep apart and inside."""
    open_page(driver, page, width, scheme)
    script = driver.execute_script
    keep_screenshot(driver, f"evaluation-{width}-{scheme}")

    assert driver.get_log("browser") == []
    assert driver.title == "Golden questions"  # no title above has run
    assert script("return document.querySelectorAll('script, img, link, iframe').length") == 0
    assert (
        script(
            "return [...document.querySelectorAll('*')].filter("
            "e => [...e.attributes].some(a => a.name.startsWith('on'))).length"
        )
        == 0
    )
    for number, hits, bands in ((1, 40, 10), (2, 3, 0), (3, 1, 0), (4, 0, 0)):
        inside = f"#case-{number}"
        count = "return document.querySelectorAll(arguments[0]).length"
        assert script(count, f"{inside} .hit") == hits
        assert script(count, f"{inside} .band") == bands
        assert script(count, f"{inside} tbody tr") == hits
    assert script("return document.querySelectorAll('#case-1 .equal').length") == 20
    assert script("return document.querySelectorAll('#case-1 .hit.out').length") == 10
    assert overlaps(driver) == []
    assert script("return document.documentElement.scrollWidth") <= width
    dark = script("return getComputedStyle(document.body).backgroundColor") == "rgb(20, 23, 26)"
    assert dark == (scheme == "dark")


def test_hostile_titles_are_text(driver: Any, page: Path) -> None:
    """What a title says is what is read, but for characters that move the reading direction."""
    open_page(driver, page, 1000, "light")
    cells = driver.execute_script(
        "return [...document.querySelectorAll('#case-1 tbody tr')].map("
        "r => r.children[2].textContent)"
    )
    assert cells[0] == HOSTILE[0]
    assert cells[1] == HOSTILE[1]
    assert cells[2] == "\N{REPLACEMENT CHARACTER}gnp.exe \N{REPLACEMENT CHARACTER}isolated"
    assert cells[6].startswith("{{ 7 * 7 }} {% raw %} &amp; &lt;b&gt;")


def test_the_keyboard_reaches_what_scrolls(driver: Any, page: Path) -> None:
    """Tables that scroll take the focus and have a name; drawings have a name and a text."""
    open_page(driver, page, 360, "light")
    script = driver.execute_script
    assert script(
        "return [...document.querySelectorAll('.scroll')].every("
        "e => e.tabIndex === 0 && e.getAttribute('aria-label'))"
    )
    assert script(
        "return [...document.querySelectorAll('figure > svg')].every("
        "s => s.getAttribute('role') === 'img' && s.getAttribute('aria-labelledby')"
        ".split(' ').every(i => document.getElementById(i)))"
    )
    tables_first = script(
        "return [...document.querySelectorAll('figure')].every("
        "f => f.previousElementSibling.matches('.scroll'))"
    )
    assert tables_first
