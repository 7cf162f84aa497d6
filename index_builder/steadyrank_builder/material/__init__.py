"""From the paths on the command line to the bytes that will be read, each file once."""

from steadyrank_builder.material.discover import discover
from steadyrank_builder.material.settings_file import settings_beside
from steadyrank_builder.material.source import Source, SourceSettings, shown

__all__ = ["Source", "SourceSettings", "discover", "settings_beside", "shown"]
