"""The demonstration: a store built and asked, and the accident of order beside the promise."""

from steadyrank_builder.demo.comparison import Comparison, compare_orders
from steadyrank_builder.demo.sample import MissingSampleError, Sample, find_sample

__all__ = ["Comparison", "MissingSampleError", "Sample", "compare_orders", "find_sample"]
