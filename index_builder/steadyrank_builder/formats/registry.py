"""The formats that can be read: our own, and those that other distributions add."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import metadata

from steadyrank_builder.errors import FormatPluginError, ReadOptionError, listed
from steadyrank_builder.formats.faq import FAQ_FORMATS
from steadyrank_builder.formats.generic import GENERIC_FORMATS
from steadyrank_builder.formats.google import GOOGLE_TSV, GOOGLE_XML
from steadyrank_builder.formats.help_centres import HELP_CENTRES
from steadyrank_builder.formats.json_ld import JSON_LD
from steadyrank_builder.formats.options import FormatInfo
from steadyrank_builder.formats.pages import HTML, MARKDOWN
from steadyrank_builder.formats.products import SHOPIFY_CSV, SPREE_CSV
from steadyrank_builder.formats.protocol import CONTAINERS, Format
from steadyrank_builder.formats.shopify_json import SHOPIFY_JSON
from steadyrank_builder.formats.woocommerce import WOOCOMMERCE_CSV

GROUP = "steadyrank.formats"

OWN: tuple[Format, ...] = (
    SHOPIFY_CSV,
    SHOPIFY_JSON,
    WOOCOMMERCE_CSV,
    SPREE_CSV,
    GOOGLE_XML,
    GOOGLE_TSV,
    JSON_LD,
    *HELP_CENTRES,
    *FAQ_FORMATS,
    MARKDOWN,
    HTML,
    *GENERIC_FORMATS,
)
FORMATS: tuple[FormatInfo, ...] = tuple(fmt.info for fmt in OWN)


@cache
def formats() -> tuple[Format, ...]:
    """All formats, our own first, others by the name of their entry point.

    Raises FormatPluginError for an entry point that is no format.
    """
    found = list(OWN)
    for entry in sorted(metadata.entry_points(group=GROUP), key=lambda entry: entry.name):
        found.append(_loaded(entry, {fmt.info.name for fmt in found}))
    return tuple(found)


def by_name(name: str) -> Format:
    """The format of that name. Raises ReadOptionError, which lists the names."""
    for fmt in formats():
        if fmt.info.name == name:
            return fmt
    names = listed(fmt.info.name for fmt in formats())
    message = f"there is no format {name!r}; the formats are {names}"
    raise ReadOptionError("format", name, message)


def _loaded(entry: metadata.EntryPoint, taken: set[str]) -> Format:
    where = f"the format {entry.name!r} ({entry.value})"
    try:
        fmt = entry.load()
        fmt = fmt() if isinstance(fmt, type) else fmt
    except Exception as error:
        raise FormatPluginError(
            f"{where} cannot be loaded: {type(error).__name__}: {error}; mend or uninstall the "
            "package that it comes from",
            entry=entry.name,
        ) from error
    fault = _fault(fmt, taken)
    if fault:
        raise FormatPluginError(f"{where} {fault}", entry=entry.name)
    return fmt  # type: ignore[no-any-return] # what it has was just looked at


def _fault(fmt: object, taken: set[str]) -> str:
    if not isinstance(fmt, Format) or not isinstance(fmt.info, FormatInfo):
        return "is no steadyrank_builder.formats.Format: it needs info, fit and read"
    if fmt.info.name in taken:
        return f"has the name {fmt.info.name!r}, which is taken"
    wrong: Sequence[str] = [each for each in fmt.info.containers if each not in CONTAINERS]
    if wrong or not fmt.info.containers:
        return f"reads {listed(wrong) or 'nothing'}; its containers may be {listed(CONTAINERS)}"
    return ""
