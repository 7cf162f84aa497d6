"""What changed since last time: two indexes or runs compared, and logged answers asked again."""

from steadyrank_builder.drifting.comparing import ComparedError, compare_sides
from steadyrank_builder.drifting.log import LogError, Logged, Malformed, ReadLog, read_answers
from steadyrank_builder.drifting.replaying import replay_log
from steadyrank_builder.drifting.verdicts import Replay, Replayed

__all__ = [
    "ComparedError",
    "LogError",
    "Logged",
    "Malformed",
    "ReadLog",
    "Replay",
    "Replayed",
    "compare_sides",
    "read_answers",
    "replay_log",
]
