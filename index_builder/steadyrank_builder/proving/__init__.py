"""Shows that a golden set can fail, and that an order survives a rebuild."""

from steadyrank_builder.proving.differences import Difference
from steadyrank_builder.proving.material import RebuildError
from steadyrank_builder.proving.mutants import MUTATIONS
from steadyrank_builder.proving.proof import Proof, Suggestion, Tried
from steadyrank_builder.proving.prove import prove
from steadyrank_builder.proving.rebuild import Rebuilt, rebuild

__all__ = [
    "MUTATIONS",
    "Difference",
    "Proof",
    "RebuildError",
    "Rebuilt",
    "Suggestion",
    "Tried",
    "prove",
    "rebuild",
]
