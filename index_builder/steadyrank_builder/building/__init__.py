"""From material to a live index in one call."""

from steadyrank_builder.building.build import build
from steadyrank_builder.building.report import BuildReport, Changes
from steadyrank_builder.building.settings import BuildSettings, Progress

__all__ = ["BuildReport", "BuildSettings", "Changes", "Progress", "build"]
