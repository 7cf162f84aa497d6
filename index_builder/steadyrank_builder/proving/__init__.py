"""Shows that a golden set can fail, and that an order survives a rebuild."""

from steadyrank_builder.proving.proof import Proof, Suggestion, Tried
from steadyrank_builder.proving.prove import prove

__all__ = ["Proof", "Suggestion", "Tried", "prove"]
