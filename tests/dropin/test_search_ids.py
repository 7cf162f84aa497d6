"""Ids and scores without a search's objects: those of the search, bit for bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from whoosh import query as q
from whoosh.scoring import BM25F, TF_IDF, DFree

import steadyrank
from steadyrank import KeywordPoints, Policy, PolicyError, search_ids
from steadyrank.words import words_query
from support_layouts import WORDS, Layout, corpus, write

pytestmark = pytest.mark.whoosh

FIELDS = {"title": 1.5, "text": 1.0}
TEXTS = ["", "*:?", WORDS[0], " ".join(WORDS[:3]), " ".join(WORDS[4:12]), f"{WORDS[1]} nowhere"]
POLICIES = [
    Policy(),
    Policy(gap=0.5),
    Policy(gap=0.5, select="score"),
    Policy(tiebreak=("-title",)),
    Policy(statistics="whoosh"),
    Policy(route=lambda stored: len(stored["title"]) % 3),
]


@pytest.fixture(scope="module")
def ix(tmp_path_factory: pytest.TempPathFactory) -> Any:
    layout = Layout(seed=2, segments=3, leftovers=9, resaved=4)
    return write(tmp_path_factory.mktemp("ids"), corpus(8, 150), layout)


def searched(searcher: Any, query: q.Query, k: int) -> tuple[list[str], list[float]]:
    hits = list(searcher.search(query, limit=k))
    return [hit["id"] for hit in hits], [hit.score for hit in hits]


def direct(searcher: Any, *args: Any, **kwargs: Any) -> tuple[list[str], list[float]]:
    ids, scores = search_ids(searcher, *args, **kwargs)
    assert scores.dtype == np.float64
    assert scores.shape == (len(ids),)
    assert all(type(id) is str for id in ids)
    return ids, scores.tolist()


@pytest.mark.parametrize("policy", POLICIES, ids=range(len(POLICIES)))
@pytest.mark.parametrize("weighting", [BM25F(), BM25F(B=0.3, title_B=1.0), TF_IDF(), DFree()])
def test_any_word(ix: Any, policy: Policy, weighting: Any) -> None:
    index = steadyrank.stabilize(ix, policy=policy)
    with index.searcher(weighting=weighting) as one, index.searcher(weighting=weighting) as other:
        for text in TEXTS:
            query = words_query(text, ix.schema, FIELDS)
            for k in (1, 3, 10, 1000):
                expected = searched(one, query, k)
                for _ in range(2):
                    assert direct(other, text, k, FIELDS) == expected
                assert direct(other, text.split(), k, FIELDS) == expected
    assert expected[0], "nothing was found, which proves nothing"


@pytest.mark.parametrize("gap", [0.0, 0.5])
@pytest.mark.parametrize("weighting", [BM25F(), KeywordPoints(title=3, text=1)])
def test_every_word(ix: Any, gap: float, weighting: Any) -> None:
    sizes = []
    with steadyrank.stabilize(ix, gap=gap).searcher(weighting=weighting) as searcher:
        for words in ([WORDS[0]], WORDS[:2], WORDS[2:5], [WORDS[0], "nowhere"], [WORDS[3], "?"]):
            query = q.And([words_query(word, ix.schema, FIELDS) for word in words if word != "?"])
            expected = searched(searcher, query, 200)
            assert direct(searcher, words, 200, FIELDS, operator="and") == expected
            assert direct(searcher, " ".join(words), 200, FIELDS, operator="and") == expected
            sizes.append(len(expected[0]))
    assert sizes[1] < sizes[0], "every word was no condition"
    assert sizes[3] == 0 < sizes[4]


def test_words_and_fields(ix: Any) -> None:
    """A word that is there twice counts once; without fields the builder's are searched."""
    with steadyrank.stabilize(ix).searcher() as searcher:
        once = direct(searcher, WORDS[0], 10)
        assert once == direct(searcher, f"{WORDS[0]} {WORDS[0].upper()}", 10)
        assert once == direct(searcher, [WORDS[0], WORDS[0]], 10)
        assert once == direct(searcher, WORDS[0], 10, {"title": 1.5, "text": 1.0})
        assert once != direct(searcher, WORDS[0], 10, {"text": 1.0})
        for words in ("", [], ["", "*"], "nowhere"):
            assert direct(searcher, words, 10) == ([], [])
            assert direct(searcher, words, 10, operator="and") == ([], [])


def test_without_ids(ix: Any) -> None:
    """Records without an id field are called by their content, as elsewhere."""
    with steadyrank.stabilize(ix, id_field=None).searcher() as searcher:
        ids, _ = direct(searcher, WORDS[0], 5)
    assert len(set(ids)) == 5
    assert all(id.startswith("content:") for id in ids)


def test_wrong_arguments(ix: Any) -> None:
    with steadyrank.stabilize(ix).searcher() as searcher:
        with pytest.raises(PolicyError, match="operator"):
            search_ids(searcher, "tent", 3, operator="xor")  # type: ignore[arg-type]
        with pytest.raises(PolicyError, match="colour"):
            search_ids(searcher, "tent", 3, {"colour": 1.0})
        with pytest.raises(PolicyError, match="weight"):
            search_ids(searcher, "tent", 3, {"text": float("nan")})
        for fields in (["text"], "text", 5, {"text": "1"}, {"text": None}, {"text": 10**400}):
            with pytest.raises(PolicyError, match="weight"):
                search_ids(searcher, "tent", 3, fields)  # type: ignore[arg-type]
        for k in (0, -1, None, True, 2.0, "2", float("nan")):
            with pytest.raises(PolicyError, match="1 or more, not"):
                search_ids(searcher, "tent", k)  # type: ignore[arg-type]
        for words in (None, 5, b"tent", [b"tent"], ["tent", None], [5]):
            for operator in ("or", "and"):
                with pytest.raises(TypeError, match="words are a text"):
                    search_ids(searcher, words, 3, operator=operator)  # type: ignore[arg-type]


def test_arguments_of_other_types(ix: Any) -> None:
    """Words of any iterable, and counts of any integer, as Whoosh's own search takes them."""
    words = WORDS[:3]
    with steadyrank.stabilize(ix).searcher() as searcher:
        expected = direct(searcher, words, 7)
        for given in (tuple(words), dict.fromkeys(words), np.array(words)):
            assert direct(searcher, given, 7) == expected
        for operator in ("or", "and"):
            one_by_one = direct(searcher, iter(words), 7, operator=operator)
            assert one_by_one == direct(searcher, words, 7, operator=operator)
        for k in (np.int64(7), np.uint8(7)):
            assert direct(searcher, words, k) == expected
            query = words_query(" ".join(words), ix.schema, {"title": 1.5, "text": 1.0})
            assert searched(searcher, query, k) == searched(searcher, query, 7)
