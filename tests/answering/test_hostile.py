"""Questions that nobody asks, until somebody does."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from steadyrank import Store, open_store

pytestmark = pytest.mark.whoosh

HOSTILE = {
    "empty": "",
    "blank": " \t\n\u00a0",
    "ten thousand words": " ".join(f"tent{n % 5000}" for n in range(10_000)),
    "one word often": "tent " * 10_000,
    "one long word": "a" * 100_000,
    "only stop words": "how do I get the",
    "punctuation": "?!;:-_*\"'()[]{}…—",
    "emoji": "🎒👩‍🚒🇮🇪🏴󠁧󠁢󠁷󠁬󠁳󠁿",
    "right to left": "\u202eמרחבא שלום العربية",
    "cjk": "東京のテント 텐트 帳篷",
    "sql": "'; DROP TABLE products; --",
    "query syntax": 'title:(tent AND "mug"~2) OR * NOT [a TO z]^3',
    "path": "../../etc/passwd",
    "html": "<script>alert(1)</script> &amp; &#x27;",
    "nul": "tent\0mug",
    "lone surrogate": "tent \ud800 \udfff",
    "combining": "e\u0301" + "\u0301" * 500,
    "controls": "\x1b[31mtent\x07\u0085",
}


@pytest.fixture(scope="module")
def stores(sample_store: Path) -> list[Store]:
    points = {"weighting": "keyword-points"}
    return [open_store(sample_store, s) for s in (None, points, {"profile": "guidance"})]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_question_is_refused(name: str, stores: list[Store]) -> None:
    """An honest answer under every weighting; it can be written down, and told."""
    for store in stores:
        answer = store.answer(HOSTILE[name])
        assert len(answer.pieces) <= store.settings.take.count
        assert (answer.fallback is not None) == (answer.confidence == "low")
        assert 0.0 <= answer.unseen <= 1.0
        json.dumps(answer.to_dict(), allow_nan=False)
        answer.explain().encode("utf-8", "backslashreplace")
        assert len(answer.context(500)) <= 500
        if not answer.pieces:
            assert answer.confidence == "low"
            assert answer.cut.margin is None


def test_questions_without_words_get_nothing(stores: list[Store]) -> None:
    """No words, no pieces, the fallback."""
    for name in ("empty", "blank", "punctuation"):
        answer = stores[0].answer(HOSTILE[name])
        assert answer.pieces == ()
        assert answer.fallback == stores[0].settings.fallback


def test_a_question_of_stop_words_is_searched_and_low(stores: list[Store]) -> None:
    """There may be pieces, but they say little."""
    answer = stores[0].answer("how do I get the")
    assert answer.terms == ("how", "do", "i", "get", "the")
    assert answer.confidence == "low"


def test_syntax_has_no_meaning(stores: list[Store]) -> None:
    """A field name, a star and a bracket are words or nothing."""
    plain = stores[0].answer("title tent mug or not")
    marked = stores[0].answer('title:(tent* "mug") OR NOT []')
    assert [p.id for p in plain.pieces] == [p.id for p in marked.pieces]


@settings(max_examples=40)
@given(st.text(st.characters(), max_size=60))
def test_any_text_is_answered(stores: list[Store], text: str) -> None:
    """Characters of every category, surrogates among them."""
    answer = stores[0].answer(f"tent {text}")
    json.dumps(answer.to_dict(), allow_nan=False)
    assert answer.pieces
