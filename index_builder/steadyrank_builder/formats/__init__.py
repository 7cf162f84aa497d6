"""The formats of the material: what there is, how a file is opened, what reading gives."""

from steadyrank_builder.formats.opening import open_source
from steadyrank_builder.formats.options import FormatInfo, Opened, ReadOptions
from steadyrank_builder.formats.protocol import Format, Head, OpenFile
from steadyrank_builder.formats.registry import FORMATS, formats

__all__ = [
    "FORMATS",
    "Format",
    "FormatInfo",
    "Head",
    "OpenFile",
    "Opened",
    "ReadOptions",
    "formats",
    "open_source",
]
