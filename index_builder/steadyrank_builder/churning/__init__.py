"""What would move: the same questions after changes that should move nothing.

The live index is read only. Its documents are written again from their stored fields, by a plain
Whoosh writer, into temporary folders, in other layouts and with other documents beside them.
"""

from steadyrank_builder.churning.added import AddedError, read_added
from steadyrank_builder.churning.orderings import orderings_of
from steadyrank_builder.churning.plan import GROUPS, ChurnError, Plan
from steadyrank_builder.churning.run import measure_churn

__all__ = [
    "GROUPS",
    "AddedError",
    "ChurnError",
    "Plan",
    "measure_churn",
    "orderings_of",
    "read_added",
]
