"""Questions asked of an index, as runs that can be compared, judged and kept."""

from steadyrank_builder.runs.asker import (
    AFTER,
    Asker,
    IndexAsker,
    StoreAsker,
    open_asker,
    opened_store,
    run_asked,
)
from steadyrank_builder.runs.files import read_run, write_run
from steadyrank_builder.runs.json_lines import json_lines
from steadyrank_builder.runs.questions import Asked, QuestionsError, read_log, read_questions
from steadyrank_builder.runs.way import Way
from steadyrank_builder.runs.written import write_whole

__all__ = [
    "AFTER",
    "Asked",
    "Asker",
    "IndexAsker",
    "QuestionsError",
    "StoreAsker",
    "Way",
    "json_lines",
    "open_asker",
    "opened_store",
    "read_log",
    "read_questions",
    "read_run",
    "run_asked",
    "write_run",
    "write_whole",
]
