"""Golden files on disk, asked of a store."""

from steadyrank_builder.evaluation.files import evaluate_file, read_golden

__all__ = ["evaluate_file", "read_golden"]
