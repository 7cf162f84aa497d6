"""What each of Whoosh's query classes means: its matches and its scores.

======================  =======================  ===================================
class                   matches                  score
======================  =======================  ===================================
Term                    its postings             boost x the model's leaf score
Or                      any clause               sum of the clauses that match; with
                                                 ``scale`` raised by the share of terms,
                                                 a pattern counting as one
And                     all clauses              sum of the clauses
DisjunctionMax          any clause               highest of the clauses that match, as
                                                 in Whoosh whatever its ``tiebreak``
AndNot                  first without second     of the first
AndMaybe                first                    sum of the clauses that match
Require                 both                     of the first
Otherwise               the first, or, if that   of the one used
                        is empty, the second
Not                     all others               1
Every                   all, or all with a term  boost
                        in the field
ConstantScoreQuery      its clause               its score
WeightingQuery          its clause               its clause's under its own model
NullQuery               nothing                  -
Prefix, Wildcard,       any expansion, over the  boost with ``constantscore`` (the
Regex, FuzzyTerm,       whole index              default of all but Variations), else
TermRange, Variations                            the sum of the expansions that match
NumericRange,           any value in the range   boost with ``constantscore`` (the
DateRange                                        default), else the sum likewise
ColumnQuery             its condition, on the    1
                        column's default where a
                        document has no value
Phrase, SpanNear,       positions, from the      of the boolean query it is made of:
SpanNear2, SpanOr,      postings of its terms    SpanOr as Or, SpanNot as AndMaybe,
SpanNot, SpanFirst,                              SpanFirst as its clause, the others
SpanContains,                                    as And of their clauses or words
SpanBefore,
SpanCondition,
Sequence, Ordered
NestedParent            parents of its clause's  ``score_fn`` (default sum) of the
                        matches                  clause's scores below the parent
NestedChildren          children of its          boost
                        clause's matches
any other class         its own matcher          its own matcher's, snapped: outside
                                                 the promise
======================  =======================  ===================================

All scores are multiplied by the boosts above. Not has no boost of its own, as documented.
"""

from steadyrank.scoring.rules import boolean, foreign, nested, patterns, single, spans, weighting

__all__ = ["boolean", "foreign", "nested", "patterns", "single", "spans", "weighting"]
