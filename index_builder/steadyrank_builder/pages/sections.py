"""Cutting a page into sections.

- Every heading starts a section, but the first of level 1 that comes before all sections: it
  is the page's title, and the text under it belongs to ``overview``.
- Text before the first section is ``overview``, level 1.
- A section without text of its own is no record; its heading still takes its anchor.
- A section of more than ``LONGEST`` characters is cut between paragraphs, else between lines,
  else between words. Its parts have the anchor and ``~2``, ``~3``, ...: a later part never moves
  an earlier one, and its number says where to look.
- Explicit anchors are taken first, then ``overview`` if there is such text, then the headings
  in order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from steadyrank_builder.pages.blocks import Block, Heading, Page
from steadyrank_builder.pages.slugs import Slugger, github_slug

# The anchor of a heading without a letter or digit; GitHub would leave it empty.
_NAMELESS = "section"
# Some six pages of print, three times the longest section of most help centres.
LONGEST = 20_000


@dataclass(frozen=True)
class Section:
    """One section with text. ``line`` and ``end_line`` are the file's, from 1, inclusive."""

    slug: str
    heading: str
    level: int
    text: str
    links: tuple[str, ...]
    line: int
    end_line: int


def page_title(page: Page, stem: str) -> str:
    """The first heading of level 1, else the fallback, else the first heading, else the stem."""
    headings = [block for block in page.blocks if isinstance(block, Heading) and block.text]
    first = next((heading.text for heading in headings if heading.level == 1), "")
    return first or page.fallback_title or (headings[0].text if headings else stem)


def sections(page: Page) -> list[Section]:
    """The sections that have text, in the order of the page, long ones in parts."""
    return [part for section in _whole(page) for part in _parts(section)]


def _parts(section: Section) -> Iterator[Section]:
    if len(section.text) <= LONGEST:
        yield section
        return
    for number, text in enumerate(_cut(section.text, LONGEST), 1):
        slug = section.slug if number == 1 else f"{section.slug}~{number}"
        yield replace(section, slug=slug, text=text, links=section.links if number == 1 else ())


def _cut(text: str, longest: int) -> Iterator[str]:
    """Pieces of at most ``longest`` characters, each as long as whole paragraphs allow."""
    while len(text) > longest:
        window = text[: longest + 1]
        for border in ("\n\n", "\n", " "):
            end = window.rfind(border)
            if end > 0:
                break
        else:
            end = longest
        piece = text[:end].strip()
        text = text[end:].lstrip()
        if piece:
            yield piece
    if text:
        yield text


def _whole(page: Page) -> list[Section]:
    overview, drafts = _split(page.blocks)
    slugger = Slugger()
    slugs: dict[int, str] = {}
    for number, draft in enumerate(drafts):
        if draft.heading.anchor:
            slugs[number] = slugger.unique(draft.heading.anchor)
    found = []
    if overview.text:
        slug = slugger.unique("overview")
        end = _end(page, drafts)
        found.append(Section(slug, "", 1, overview.text, overview.all_links, 1, max(1, end)))
    title = overview.heading
    if title is not None:
        slugger.unique(title.anchor or github_slug(title.slug_text) or _NAMELESS)
    for number, draft in enumerate(drafts):
        heading = draft.heading
        slug = slugs.get(number) or slugger.unique(github_slug(heading.slug_text) or _NAMELESS)
        if draft.text:
            first = max(1, heading.line)
            last = max(first, _end(page, drafts[number + 1 : number + 2]))
            found.append(
                Section(slug, heading.text, heading.level, draft.text, draft.all_links, first, last)
            )
    return found


def _end(page: Page, following: Sequence[_Draft]) -> int:
    """The last line before the next heading; that of the page where the next is not known."""
    return following[0].heading.line - 1 if following and following[0].heading.line else page.lines


@dataclass
class _Gathered:
    texts: list[str] = field(default_factory=list)
    links: list[str] = field(default_factory=list)

    @property
    def text(self) -> str:
        return "\n\n".join(self.texts)

    @property
    def all_links(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(self.links))


@dataclass
class _Overview(_Gathered):
    heading: Heading | None = None


@dataclass
class _Draft(_Gathered):
    heading: Heading = field(kw_only=True)


def _split(blocks: Sequence[Block]) -> tuple[_Overview, list[_Draft]]:
    overview = _Overview()
    drafts: list[_Draft] = []
    for block in blocks:
        current: _Gathered = drafts[-1] if drafts else overview
        if isinstance(block, Heading):
            if block.level == 1 and not drafts and overview.heading is None:
                overview.heading = block
            else:
                current = _Draft(heading=block)
                drafts.append(current)
        elif block.text:
            current.texts.append(block.text)
        current.links.extend(block.links)
    return overview, drafts
