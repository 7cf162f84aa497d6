"""Golden files on disk, asked of an index and judged."""

from steadyrank_builder.evaluation.asking import GoldenAsker
from steadyrank_builder.evaluation.evaluating import (
    Asked,
    ask_golden,
    evaluate_file,
    golden_asker,
)
from steadyrank_builder.evaluation.files import read_golden

__all__ = [
    "Asked",
    "GoldenAsker",
    "ask_golden",
    "evaluate_file",
    "golden_asker",
    "read_golden",
]
