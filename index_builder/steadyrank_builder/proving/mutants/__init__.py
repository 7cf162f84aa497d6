"""All mutations of the implementation, in the order in which they are reported."""

from steadyrank_builder.proving.mutants.bands import BANDS
from steadyrank_builder.proving.mutants.certainty import CERTAINTY
from steadyrank_builder.proving.mutants.statistics import STATISTICS
from steadyrank_builder.proving.mutants.ties import TIES

MUTATIONS = (*TIES, *BANDS, *CERTAINTY, *STATISTICS)

__all__ = ["BANDS", "CERTAINTY", "MUTATIONS", "STATISTICS", "TIES"]
