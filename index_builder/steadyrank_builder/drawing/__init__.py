"""Evaluations, drift and churn as pages: one static file each, without scripts."""

from steadyrank_builder.drawing.evaluation import evaluation_page

__all__ = ["evaluation_page"]
