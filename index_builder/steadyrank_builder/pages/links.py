"""Where a link on a page leads: to another page of the material, or out of it."""

from __future__ import annotations

import posixpath
import re
from urllib.parse import unquote, urlsplit

from steadyrank_builder.reading.ids import IdError, clean_id, path_slug

# Files that are no page: a link to one of them relates no two records.
_ASSET = re.compile(
    r"\.(?:png|jpe?g|gif|svg|webp|avif|ico|bmp|tiff?|pdf|zip|gz|tgz|rar|7z|css|js|mjs|json|ya?ml|"
    r"xml|csv|tsv|txt|docx?|xlsx?|pptx?|odt|ods|mp[34]|webm|mov|wav|ogg|woff2?|ttf|otf|eot)$",
    re.IGNORECASE,
)


def link_target(href: str, page_path: str) -> str | None:
    """A URL as it is, a page as ``page:<path>#<anchor or overview>``, None for anything else.

    Relative paths start at the page's folder, those with a leading slash at the root of the
    material; neither may lead out of it. The page is named by its path: whoever knows all pages
    turns that into the id of a page that has another slug.
    """
    href = href.strip()
    if not href or any(char < " " for char in href):
        return None
    try:
        parts = urlsplit(href)
    except ValueError:
        return None
    if parts.scheme in ("http", "https") and parts.netloc:
        return href
    if parts.scheme:
        return None
    if parts.netloc:
        return f"https:{href}"
    path = unquote(parts.path)
    anchor = unquote(parts.fragment)
    if not path and not anchor:
        return None
    if _ASSET.search(path):
        return None
    if not path:
        resolved = page_path
    elif path.startswith("/"):
        resolved = posixpath.normpath(path).lstrip("/")
    else:
        resolved = posixpath.normpath(posixpath.join(posixpath.dirname(page_path), path))
    if resolved == ".":
        resolved = ""
    if resolved == ".." or resolved.startswith("../"):
        return None
    try:
        return clean_id(f"page:{path_slug(resolved)}#{anchor or 'overview'}", "link")
    except IdError:
        return None


def url_slug(url: str) -> str:
    """The slug that a page's URL gives: its path. Raises IdError (``bad-url``)."""
    try:
        path = urlsplit(url.strip()).path
    except ValueError:
        raise IdError("bad-url", f"{url!r} is not a URL; correct or remove it") from None
    return path_slug(unquote(path))
