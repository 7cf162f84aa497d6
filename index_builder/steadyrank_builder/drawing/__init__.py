"""Evaluations, drift, churn and audits as pages: one static file each, without scripts."""

from steadyrank_builder.drawing.audit import audit_page
from steadyrank_builder.drawing.churn import churn_page
from steadyrank_builder.drawing.drift import drift_page
from steadyrank_builder.drawing.evaluation import evaluation_page

__all__ = ["audit_page", "churn_page", "drift_page", "evaluation_page"]
