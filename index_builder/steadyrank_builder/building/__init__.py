"""From material to a live index in one call."""

from steadyrank_builder.building.build import build, check, update
from steadyrank_builder.building.differences import Changes
from steadyrank_builder.building.guards import Limit, Tripped
from steadyrank_builder.building.report import BuildReport
from steadyrank_builder.building.settings import BuildSettings, Progress

__all__ = [
    "BuildReport",
    "BuildSettings",
    "Changes",
    "Limit",
    "Progress",
    "Tripped",
    "build",
    "check",
    "update",
]
