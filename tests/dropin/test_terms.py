"""terms=True, highlights, key terms and "more like this"."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from whoosh import highlight
from whoosh import query as q

import steadyrank
from support_dropin import TENT, WORDS_QUERY, Host, found, ids
from support_layouts import Layout, write

pytestmark = pytest.mark.whoosh

QUERIES = [
    WORDS_QUERY,
    q.And([TENT, q.Term("text", "stove")]),
    q.Prefix("text", "to"),
    q.Phrase("text", ["tent", "stove"], slop=3),
    q.AndNot(TENT, q.Term("text", "lamp")),
    q.AndMaybe(TENT, q.Term("text", "lamp")),
]


@pytest.mark.parametrize("query", QUERIES, ids=repr)
def test_matched_terms_are_the_words_that_are_there(host: Host, query: Any) -> None:
    """Of each hit the terms of the query that it contains; of the results, those of their hits."""
    with host.steady().searcher() as ours:
        for limit in (3, None):
            results = ours.search(query, terms=True, limit=limit)
            assert results.has_matched_terms()
            seen = set()
            for hit in results:
                record = host.records[hit["id"]]
                matched = set(hit.matched_terms())
                words = set(query.existing_terms(ours.reader(), expand=True))
                words |= {(field, text) for field, text in query.iter_all_terms(phrases=True)}
                spelled = {(f, t if isinstance(t, bytes) else t.encode()) for f, t in words}
                present = {
                    (field, text)
                    for field, text in spelled
                    if text.decode() in getattr(record, field).split()
                }
                assert matched == present
                assert len(hit.matched_terms()) == len(matched)
                seen |= matched
            assert results.matched_terms() == seen


def test_without_terms_asking_for_them_is_whooshs_error(host: Host) -> None:
    from whoosh.searching import NoTermsException

    with host.steady().searcher() as ours:
        results = ours.search(WORDS_QUERY)
        assert not results.has_matched_terms()
        with pytest.raises(NoTermsException):
            results.matched_terms()
        with pytest.raises(NoTermsException):
            results[0].matched_terms()


def test_terms_change_no_bit(host: Host) -> None:
    """terms=True changes neither order nor scores; in stock it changes sums."""
    with host.steady().searcher() as ours:
        assert found(ours.search(WORDS_QUERY, terms=True)) == found(ours.search(WORDS_QUERY))


@pytest.mark.parametrize("terms", [False, True])
@pytest.mark.parametrize("pinpoint", [False, True])
def test_highlights_are_those_of_stock(host: Host, terms: bool, pinpoint: bool) -> None:
    with host.index.searcher() as stock, host.steady().searcher() as ours:

        def snippets(searcher: Any) -> dict[str, str]:
            results = searcher.search(WORDS_QUERY, terms=terms, limit=None)
            if pinpoint:
                results.fragmenter = highlight.PinpointFragmenter()
            results.formatter = highlight.UppercaseFormatter()
            # All fragments: which of equally good ones are shown, stock decides by their address.
            return {hit["id"]: hit.highlights("text", top=100) for hit in results}

        got = snippets(ours)
        assert got == snippets(stock)
        assert any("TENT" in snippet for snippet in got.values())


def test_key_terms_under_stocks_statistics_are_stocks(host: Host) -> None:
    """Of documents, of a text and of results: the words and weights of stock."""
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        docs = [doc for _, doc in ours.search(WORDS_QUERY, limit=4).top_n]
        assert ours.key_terms(docs, "text") == stock.key_terms(docs, "text")
        text = "tent tent stove lamp unheard"
        assert ours.key_terms_from_text("text", text) == stock.key_terms_from_text("text", text)
        results = ours.search(WORDS_QUERY, limit=4)
        assert results.key_terms("text", docs=4) == stock.key_terms(docs, "text")
        assert results.key_terms("text", docs=4, numterms=2) == stock.key_terms(
            docs, "text", numterms=2
        )
        assert ours.search(q.NullQuery).key_terms("text") == []


LAYOUTS = [
    Layout(seed=1),
    Layout(seed=2, segments=4, leftovers=15),
    Layout(seed=3, segments=2, leftovers=6, resaved=4, optimized=True),
]


def test_more_like_this_is_the_same_in_all_layouts(host: Host, tmp_path: Path) -> None:
    """Key terms, and the ranking of a hit's and of results' likes, bits included."""
    answers = []
    stock_answers = []
    for number, layout in enumerate(LAYOUTS):
        folder = tmp_path / str(number)
        folder.mkdir()
        index = write(folder, list(host.records.values()), layout)
        with steadyrank.stabilize(index, id_field="id").searcher() as ours:
            results = ours.search(WORDS_QUERY)
            like = [found(hit.more_like_this("text", top=5)) for hit in results]
            answers.append((like, results.key_terms("text"), found(results)))
            top = ids(found(results))
            assert all(id not in ids(likes) for id, likes in zip(top, like, strict=True))
            assert all(likes for likes in like)
        with index.searcher() as stock:
            docs = [stock.document_number(id=id) for id in top]
            stock_answers.append(stock.key_terms(docs, "text"))
    assert answers[0] == answers[1] == answers[2]
    assert stock_answers[0] != stock_answers[1], "stock's key terms move with the layout"


def test_more_like_a_text_that_is_no_document(host: Host) -> None:
    with host.index.searcher() as stock, host.steady().searcher() as ours:
        doc = ours.document_number(id="r0001")
        text = "kettle kettle mug"
        theirs = stock.more_like(doc, "text", text=text, top=60)
        assert set(ids(found(ours.more_like(doc, "text", text=text, top=60)))) == set(
            ids(found(theirs))
        )
        filtered = ours.more_like(doc, "text", text=text, filter=q.NullQuery)
        assert found(filtered) == []
