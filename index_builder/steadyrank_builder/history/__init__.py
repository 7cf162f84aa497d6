"""The generations that an index folder holds, and the way back to the one before."""

from steadyrank_builder.history.generations import Generation, generations
from steadyrank_builder.history.rollback import Rollback, rollback

__all__ = ["Generation", "Rollback", "generations", "rollback"]
