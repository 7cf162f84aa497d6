"""Links between pages, from the path that an author wrote to the id that the page has.

A page's id has its slug, which front matter can choose, while its neighbours link to its file.
A link whose target is no document stays as it stands: it is part of the material, and the page
can come with the next build. The build's report counts such links.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from steadyrank_builder.document import Document, Link
from steadyrank_builder.intake.ledger import Ledger

_PAGE = "page:"


class LinkTable:
    """Where links can lead: the ids, the documents they are parts of, and the pages' paths."""

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger

    def add(self, id_: str, document: str, path: str | None) -> None:
        """Make known a document of the index; ``path`` is its page's file, where it has one."""
        self._ledger.add_target(id_, document, path)

    def resolve(self, document: Document) -> Document:
        """``document`` with its links to paths turned into links to ids."""
        links = tuple(self._resolved(link) for link in document.links)
        return document if links == document.links else replace(document, links=links)

    def dangling(self, links: Iterable[Link]) -> int:
        """How many of ``links`` name a product, question or page that is not in the index."""
        return sum(
            _is_id(link.target) and not self._ledger.is_target(link.target) for link in links
        )

    def _resolved(self, link: Link) -> Link:
        if not link.target.startswith(_PAGE) or self._ledger.is_target(link.target):
            return link
        path, hash_, section = link.target.removeprefix(_PAGE).partition("#")
        pages = self._ledger.pages(path)
        if len(pages) != 1:  # two folders can each have an index.md: nobody knows which is meant
            return link
        return Link(f"{pages[0]}{hash_}{section}", link.relation)


def _is_id(target: str) -> bool:
    return target.startswith((_PAGE, "product:", "faq:"))
