"""Hypothesis strategies for query trees over the fields of support_layouts and support_rich."""

from __future__ import annotations

from datetime import timedelta

from hypothesis import strategies as st
from whoosh import query as q
from whoosh import scoring

from support_layouts import WORDS
from support_rich import FIRST_DAY, NO_RANK

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


# Every query class of Whoosh, over the fields of support_rich.

_forms = st.sampled_from(
    ["tent", "tents", "tnet", "pull", "pulled", "boot", "boots", "lamp", "clamp", "map", "rope"]
)
some_words = st.one_of(words, words, _forms)
any_bool = st.booleans()
every_term = st.builds(q.Term, text_fields, some_words, boosts)


class Renamed(q.Prefix):
    """A class that only has another name: it means what its base means."""


regexes = st.builds(
    q.Regex,
    text_fields,
    st.sampled_from(
        ["t.*", "^[a-l]", "te?n", "(boot|rope)s?$", "tentx{0,1}", "x", ".*", r"\w{4}$"]
    ),
    boosts,
    any_bool,
)
fuzzy = st.builds(
    lambda field, word, boost, distance, prefix, constant: q.FuzzyTerm(
        field, word, boost, maxdist=distance, prefixlength=prefix, constantscore=constant
    ),
    text_fields,
    some_words,
    boosts,
    st.sampled_from([1, 1, 2]),
    st.integers(0, 2),
    any_bool,
)
forms = st.builds(q.Variations, text_fields, st.sampled_from(["pull", "filter", "tent"]), boosts)
renamed = st.builds(Renamed, text_fields, st.sampled_from(["", "t", "bo", "zz"]), boosts, any_bool)
globs = st.builds(
    q.Wildcard, text_fields, st.sampled_from(["*", "t*t", "?o*", "[bl]*"]), boosts, any_bool
)
open_ranges = st.builds(
    q.TermRange,
    text_fields,
    st.one_of(st.none(), some_words),
    st.one_of(st.none(), some_words),
    any_bool,
    any_bool,
    boosts,
    any_bool,
)


def _numbers(field: str, values: st.SearchStrategy[float]) -> st.SearchStrategy[q.Query]:
    return st.builds(
        q.NumericRange,
        st.just(field),
        st.one_of(st.none(), values),
        st.one_of(st.none(), values),
        any_bool,
        any_bool,
        boosts,
        any_bool,
    )


_moments = st.builds(lambda hours: FIRST_DAY + timedelta(hours=hours), st.integers(-3, 63))
dates = st.builds(
    q.DateRange,
    st.just("made"),
    st.one_of(st.none(), _moments),
    st.one_of(st.none(), _moments),
    any_bool,
    any_bool,
    boosts,
    any_bool,
)
columns = st.builds(
    q.ColumnQuery,
    st.just("rank"),
    st.sampled_from([2, 40, NO_RANK, lambda rank: rank > 2, lambda rank: rank & 1]),
)
ranges = st.one_of(
    _numbers("price", st.integers(-13, 19)),
    _numbers("size", st.sampled_from([-2.5, -1.0, -0.125, 0.0, 0.1, 0.5, 1.0, 1e9])),
    dates,
    columns,
)
patterns = st.one_of(regexes, fuzzy, forms, renamed, globs, open_ranges)

# What has positions, and the span queries over it.

slops = st.sampled_from([1, 1, 2, 4])
_placed = st.one_of(
    every_term,
    every_term,
    every_term,
    st.builds(q.Prefix, text_fields, st.sampled_from(["t", "l", "bo"]), boosts, any_bool),
    st.builds(q.Wildcard, text_fields, st.sampled_from(["?o*", "*s"]), boosts, any_bool),
    st.builds(q.Phrase, text_fields, st.lists(some_words, min_size=1, max_size=3), slops, boosts),
)


def _spans(children: st.SearchStrategy[q.Query]) -> st.SearchStrategy[q.Query]:
    several = st.lists(children, min_size=1, max_size=4)
    return st.one_of(
        st.builds(q.Or, several, boosts),
        st.builds(q.DisjunctionMax, several, boosts),
        st.builds(q.And, several, boosts),
        st.builds(q.ConstantScoreQuery, children, boosts),
        st.builds(q.SpanFirst, children, st.integers(0, 5)),
        st.builds(q.SpanNear, children, children, slops, any_bool, st.sampled_from([0, 1, 2])),
        st.builds(q.SpanNear2, several, slops, any_bool, st.sampled_from([1, 1, 2])),
        st.builds(q.SpanOr, several),
        st.builds(q.SpanNot, children, children),
        st.builds(q.SpanContains, children, children),
        st.builds(q.SpanBefore, children, children),
        st.builds(q.SpanCondition, children, children),
        st.builds(q.Sequence, several, slops, any_bool, boosts),
        st.builds(q.Ordered, several, slops, any_bool, boosts),
    )


span_queries = st.recursive(_placed, _spans, max_leaves=5)

_every_leaf = st.one_of(
    every_term, every_term, tags, patterns, ranges, span_queries, everything, st.just(q.NullQuery)
)


_models = [
    scoring.BM25F(B=0.3, K1=2.0, title_B=1.0),
    scoring.Frequency(),
    scoring.PL2(c=2.5),
    scoring.DFree(),
]


def _every_tree(children: st.SearchStrategy[q.Query]) -> st.SearchStrategy[q.Query]:
    several = st.lists(children, min_size=1, max_size=4)
    return st.one_of(
        _trees(children),
        st.builds(
            lambda parts, boost, scale: q.Or(parts, boost=boost, scale=scale),
            several,
            boosts,
            st.sampled_from([0.3, 0.9]),
        ),
        st.builds(q.DisjunctionMax, several, boosts, st.sampled_from([0.0, 0.3])),
        st.builds(q.WeightingQuery, children, st.sampled_from(_models)),
    )


every_tree = st.recursive(_every_leaf, _every_tree, max_leaves=8)

# Over blocks: parents have the tag "parent".

_is_parent = q.Term("tag", "parent")
_nested = st.one_of(
    st.builds(
        lambda child, limit, combine: q.NestedParent(
            _is_parent, child, per_parent_limit=limit, score_fn=combine
        ),
        every_tree,
        st.sampled_from([None, None, 1, 2]),
        st.sampled_from([sum, max, min]),
    ),
    st.builds(
        lambda child, boost: q.NestedChildren(_is_parent, q.And([_is_parent, child]), boost),
        every_tree,
        boosts,
    ),
)
nested_trees = st.one_of(
    _nested,
    _nested,
    st.builds(q.And, st.lists(st.one_of(_nested, terms), min_size=1, max_size=3), boosts),
    st.builds(q.Or, st.lists(st.one_of(_nested, terms), min_size=1, max_size=3), boosts),
    st.builds(q.Not, _nested),
)
