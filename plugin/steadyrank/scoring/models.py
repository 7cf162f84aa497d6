"""Whoosh's two models that are made of logarithms, with correctly rounded ones.

The formulas are those of Whoosh's scoring module (PL2 and DFree as in Terrier); only the
logarithm differs, by at most its last bit.
"""

from __future__ import annotations

import math

from steadyrank.arithmetic import exact_log as log

_LOG2_OF_E = 1.0 / log(2.0)


def dfree(weight: float, length: float, *, term_weight: float, qf: float, total: float) -> float:
    """DFree (Amati): ``weight`` and ``length`` of the document, ``term_weight`` and ``total``
    length of the corpus, ``qf`` the term's frequency in the query. 0 for a weight of 0.
    """
    if not (weight > 0 and term_weight > 0):  # of a field whose boost is 0
        return 0.0
    prior = weight / length
    post = (weight + 1.0) / (length + 1.0)
    inverse = total / term_weight
    norm = weight * log(post / prior)
    return (
        qf
        * norm
        * (
            weight * (log(prior * inverse))
            + (weight + 1.0) * (log(post * inverse))
            + 0.5 * log(post / prior)
        )
    )


def pl2(
    weight: float,
    length: float,
    *,
    term_weight: float,
    qf: float,
    documents: float,
    average: float,
    c: float,
) -> float:
    """PL2 (Poisson, Laplace, second normalisation), arguments as for :func:`dfree`;
    ``average`` is the mean length, ``c`` the free parameter.
    """
    if not (weight > 0 and term_weight > 0):
        return 0.0
    tf = weight * log(1.0 + (c * average) / length)
    norm = 1.0 / (tf + 1.0)
    f = term_weight / documents
    return (
        norm
        * qf
        * (
            tf * log(1.0 / f)
            + f * _LOG2_OF_E
            + 0.5 * log(2 * math.pi * tf)
            + tf * (log(tf) - _LOG2_OF_E)
        )
    )
