"""Publishing any Whoosh index in its canonical layout."""

from steadyrank_builder.recasting.canonicalize import Canonicalized, canonicalize

__all__ = ["Canonicalized", "canonicalize"]
