"""Hypothesis strategies for query trees over the fields of support_layouts."""

from __future__ import annotations

from hypothesis import strategies as st
from whoosh import query as q

from support_layouts import WORDS

words = st.sampled_from(WORDS[:14])  # frequent ones, so that trees match something
boosts = st.sampled_from([1.0, 1.0, 1.0, 2.0, 0.5, 3.7, 0.1])
text_fields = st.sampled_from(["title", "text"])

terms = st.builds(q.Term, text_fields, words, boosts)
tags = st.builds(q.Term, st.just("tag"), st.sampled_from(["sale", "new", "absent"]), boosts)
phrases = st.builds(
    lambda field, found, slop, boost: q.Phrase(field, found, slop=slop, boost=boost),
    text_fields,
    st.lists(words, min_size=2, max_size=3),
    st.sampled_from([1, 1, 2]),
    boosts,
)
prefixes = st.builds(
    lambda field, word, boost, constant: q.Prefix(field, word[:1], boost, constant),
    text_fields,
    words,
    boosts,
    st.booleans(),
)
wildcards = st.builds(
    lambda field, word, boost, constant: q.Wildcard(field, f"?{word[1:2]}*", boost, constant),
    text_fields,
    words,
    boosts,
    st.booleans(),
)
term_ranges = st.builds(
    lambda field, low, high, boost, constant: q.TermRange(
        field, min(low, high), max(low, high), boost=boost, constantscore=constant
    ),
    text_fields,
    words,
    words,
    boosts,
    st.booleans(),
)
prices = st.builds(
    lambda low, span, boost: q.NumericRange("price", low, low + span, boost=boost),
    st.integers(0, 30),
    st.integers(0, 12),
    boosts,
)
everything = st.builds(q.Every, st.sampled_from([None, "title", "tag"]), boosts)

leaves = st.one_of(
    terms, terms, terms, terms, tags, phrases, prefixes, wildcards, term_ranges, prices,
    everything, st.just(q.NullQuery),
)  # fmt: skip


def _trees(children: st.SearchStrategy[q.Query]) -> st.SearchStrategy[q.Query]:
    several = st.lists(children, min_size=1, max_size=4)
    return st.one_of(
        st.builds(q.Or, several, boosts),
        st.builds(q.Or, several, boosts),
        st.builds(q.And, several, boosts),
        st.builds(q.DisjunctionMax, several, boosts),
        st.builds(q.Not, children),
        st.builds(q.AndNot, children, children),
        st.builds(q.AndMaybe, children, children),
        st.builds(q.Require, children, children),
        st.builds(q.Otherwise, children, children),
        st.builds(q.ConstantScoreQuery, children, boosts),
    )


trees = st.recursive(leaves, _trees, max_leaves=6)
