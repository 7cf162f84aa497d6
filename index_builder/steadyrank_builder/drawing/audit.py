"""The page of an audit."""

from __future__ import annotations

from steadyrank.measure import Run
from steadyrank.measure.audit import QUANTILES, Audit
from steadyrank_builder.drawing.render import rendered
from steadyrank_builder.drawing.slopes import slopes_between
from steadyrank_builder.drawing.strip import Fact, index_facts


def audit_page(audit: Audit, title: str = "Audit") -> str:
    """One HTML file: how many answers storage decides, and the worst examples side by side.

    Raises MissingExtraError without Jinja2.
    """
    origin = audit.subject.origin
    rankings = Run(origin, tuple(example.before for example in audit.examples)).rankings
    statistics = sorted({ranking.statistics for ranking in rankings}) or ["whoosh"]
    return rendered(
        "audit.html.j2",
        title=title,
        audit=audit,
        quantiles=[f"{quantile:.0%}" for quantile in QUANTILES],
        strip=(
            Fact("answers", f"n = {audit.answers.distinct}, k = {audit.k}"),
            *index_facts(origin.generation, origin.documents, origin.digest, origin.versions),
            Fact("statistics", ", ".join(statistics)),
            Fact("gap", "none"),
        ),
        examples=[
            (example, slopes_between(example.before, example.after, f"example-{number}"))
            for number, example in enumerate(audit.examples, start=1)
        ],
    )
