"""Golden files on disk, asked of an index and judged."""

from steadyrank_builder.evaluation.asking import GoldenAsker
from steadyrank_builder.evaluation.evaluating import (
    Asked,
    ask_golden,
    evaluate_file,
    golden_asker,
)
from steadyrank_builder.evaluation.files import read_golden
from steadyrank_builder.evaluation.junit import junit_xml
from steadyrank_builder.evaluation.trec import TrecError, write_trec
from steadyrank_builder.evaluation.unreadable import UnreadableIndexError
from steadyrank_builder.evaluation.updating import Update, UpdateError, update_of

__all__ = [
    "Asked",
    "GoldenAsker",
    "TrecError",
    "UnreadableIndexError",
    "Update",
    "UpdateError",
    "ask_golden",
    "evaluate_file",
    "golden_asker",
    "junit_xml",
    "read_golden",
    "update_of",
    "write_trec",
]
