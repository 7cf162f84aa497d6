"""Hostile files, made cheaply, and reading one of them in a process of its own."""

from __future__ import annotations

import json
import subprocess
import sys
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

from support_builder import environment

MEGABYTE = 1 << 20


def gzip_bomb(path: Path) -> None:
    """Some 10 MB of gzip for 10 GB of spaces: one deflated block over and over."""
    size = 10_000
    whole = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = whole.compress(b" " * MEGABYTE) + whole.flush(zlib.Z_FULL_FLUSH)
    with path.open("wb") as stream:
        stream.write(b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\xff")
        for _ in range(size):
            stream.write(block)
        stream.write(b"\x03\x00" + b"\0" * 8)


def zip_bomb(path: Path) -> None:
    """100 MB in half a megabyte, in one file of the archive."""
    with (
        zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive,
        archive.open("faq.csv", "w", force_zip64=True) as member,
    ):
        for _ in range(100):
            member.write(b" " * MEGABYTE)


def way_out(path: Path) -> None:
    """An archive with a file whose name leads out of it."""
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("../../x.csv", "question,answer\nq,a\n")


def entity_bomb(path: Path) -> None:
    """A billion laughs."""
    entities = "\n".join(f'<!ENTITY lol{n} "{f"&lol{n - 1};" * 10}">' for n in range(1, 10))
    path.write_text(
        f'<?xml version="1.0"?>\n<!DOCTYPE rss [<!ENTITY lol0 "lol">\n{entities}]>\n'
        '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id>'
        "<title>&lol9;</title></item></channel></rss>"
    )


def late_doctype(path: Path) -> None:
    """The same behind more white space than anyone looks through."""
    entity_bomb(path)
    text = path.read_text().replace("<!DOCTYPE", " " * 300_000 + "<!DOCTYPE")
    path.write_text(text)


def external_entity(path: Path) -> None:
    """A title that asks for a file of the machine."""
    path.write_text(
        '<!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
        '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id>'
        "<title>&x;</title></item></channel></rss>"
    )


def large_cell(path: Path) -> None:
    """One cell of 50 MB."""
    with path.open("w") as stream:
        stream.write("question,answer\nq,")
        for _ in range(50):
            stream.write("a" * MEGABYTE)
        stream.write("\nq2,a2\n")


def large_quoted_cell(path: Path) -> None:
    """One cell of 50 MB in half a million lines."""
    with path.open("w") as stream:
        stream.write('question,answer\nq,"')
        for _ in range(50):
            stream.write(("a" * 100 + "\n") * (MEGABYTE // 101))
        stream.write('"\nq2,a2\n')


def large_line(path: Path) -> None:
    """One line of JSON of 50 MB."""
    path.write_text('{"question": "q", "answer": "' + "a" * (50 * MEGABYTE) + '"}\n')


def markdown_headings(path: Path) -> None:
    """100,000 headings."""
    path.write_text("# Title\n\n" + "## Heading\n\ntext\n\n" * 100_000)


def html_headings(path: Path) -> None:
    """100,000 headings."""
    path.write_text("<h1>Title</h1>" + "<h2>Heading</h2><p>text</p>" * 100_000)


def yaml_bomb(path: Path) -> None:
    """Nine lists of nine aliases each."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 10)]
    lines += ["faq:", "- question: q", "  answer: *a9"]
    path.write_text("\n".join(lines))


def front_matter_bomb(path: Path) -> None:
    """The same at the head of a page."""
    yaml_bomb(path)
    path.write_text(f"---\n{path.read_text()}\n---\n\n# Page\n\ntext\n")


def deep_yaml(path: Path) -> None:
    """100,000 lists in each other."""
    path.write_text("faq: " + "[" * 100_000)


def deep_html(path: Path) -> None:
    """100,000 elements in each other."""
    path.write_text("<h1>T</h1>" + "<div>" * 100_000 + "text")


def deep_inline_html(path: Path) -> None:
    """100,000 formatting elements in each other, which parsers open again and again."""
    path.write_text("<h1>T</h1>" + "<p><b>" * 50_000 + "text")


def deep_cell(path: Path) -> None:
    """The same in a cell of a table."""
    path.write_text("question,answer\nq," + "<div>" * 100_000 + "text\nq2,a2\n")


def deep_markdown(path: Path) -> None:
    """100,000 quotes in each other."""
    path.write_text("# T\n\n" + ">" * 100_000 + " text\n")


def long_markdown_brackets(path: Path) -> None:
    """Brackets that a link could end behind any of."""
    path.write_text("# T\n\n" + "[" * 100_000 + "\n")


def deep_json(path: Path) -> None:
    """100,000 arrays in each other."""
    path.write_text('{"faq": ' + "[" * 100_000 + "]" * 100_000 + "}")


def deep_jsonl(path: Path) -> None:
    """A line with 100,000 arrays in each other."""
    path.write_text(
        '{"question": "q", "answer": "a"}\n{"question": ' + "[" * 100_000 + "]" * 100_000 + "}\n"
    )


def deep_xml(path: Path) -> None:
    """100,000 elements in each other."""
    path.write_text(
        '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id><title>'
        + "<a>" * 100_000
    )


def large_json_value(path: Path) -> None:
    """One text of 50 MB in a file of JSON, and another record."""
    text = "a" * (50 * MEGABYTE)
    path.write_text(
        '{"products": [{"handle": "a", "title": "A", "body_html": "' + text + '"},'
        '{"handle": "b", "title": "B", "body_html": "b"}]}'
    )


def large_xml_text(path: Path) -> None:
    """One description of 50 MB in a feed."""
    path.write_text(
        '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id><title>T</title>'
        f"<description>{'a' * (50 * MEGABYTE)}</description></item></channel></rss>"
    )


def html_headings_in_markdown(path: Path) -> None:
    """100,000 headings as tags."""
    path.write_text("# Title\n\n" + "<h2>Heading</h2>\n\ntext\n\n" * 100_000)


def repeated_texts(path: Path) -> None:
    """One text of a megabyte, a thousand times by an alias."""
    text = "x" * MEGABYTE
    path.write_text(f"a: &a {text}\nfaq:\n" + "- {question: q, answer: *a}\n" * 1_000)


def repeated_settings(path: Path) -> None:
    """Front matter of a megabyte for a page of 5,000 sections."""
    path.write_text(f"---\nnote: {'x' * MEGABYTE}\n---\n\n" + "## Heading\n\ntext\n\n" * 5_000)


def backticks(path: Path) -> None:
    """Runs of backticks, each of another length and none with an end."""
    path.write_text("# T\n\n" + " ".join("`" * length for length in range(1, 1_500)) + "\n")


def open_tags(path: Path) -> None:
    """Tags without an end."""
    path.write_text("# T\n\n" + "<A x={" * 20_000 + "\n")


def many_attributes(path: Path) -> None:
    """A tag of 100,000 attributes."""
    path.write_text("<h1>T</h1><p " + " ".join(f"a{n}" for n in range(100_000)) + ">text")


def open_comments(path: Path) -> None:
    """Comments without an end."""
    path.write_text("<h1>T</h1><p>text" + "<!--" * 100_000)


def open_comments_in_a_cell(path: Path) -> None:
    """The same in a table."""
    path.write_text("question,answer\n" + "q<!--" * 100_000 + ",a\n")


def many_keys(path: Path) -> None:
    """An object of 200,000 keys, one of them twice."""
    keys = ", ".join(f'"k{n}": 1' for n in range(200_000))
    path.write_text(f'{{"question": "q", "answer": "a", {keys}, "k0": 2}}\n')


def many_children(path: Path) -> None:
    """An item of 50,000 children of one name."""
    path.write_text(
        '<rss xmlns:g="http://base.google.com/ns/1.0"><channel><item><g:id>1</g:id><title>T</title>'
        + "<g:additional_image_link>x</g:additional_image_link>" * 50_000
        + "</item></channel></rss>"
    )


def many_members(path: Path) -> None:
    """An archive of 200,000 empty files."""
    with zipfile.ZipFile(path, "w") as archive:
        for number in range(200_000):
            archive.writestr(f"{number}.md", "")


# File, how to make it, and the code of its only reject, empty for what can be read.
HOSTILE: dict[str, tuple[str, Callable[[Path], None], str]] = {
    "gzip bomb": ("faq.csv.gz", gzip_bomb, "too-large"),
    "zip bomb": ("faq.zip", zip_bomb, "too-large"),
    "name out of the zip": ("x.zip", way_out, "unsafe-name"),
    "XML entity bomb": ("feed.xml", entity_bomb, "xml-doctype"),
    "XML entity bomb behind space": ("feed.xml", late_doctype, "unknown-format"),
    "XML external entity": ("feed.xml", external_entity, "xml-doctype"),
    "deep XML": ("feed.xml", deep_xml, "too-deep"),
    "attributes": ("page.html", many_attributes, "too-large"),
    "keys": ("faq.jsonl", many_keys, "duplicate-key"),
    "children": ("feed.xml", many_children, ""),
    "open comments": ("page.html", open_comments, ""),
    "open comments in a cell": ("faq.csv", open_comments_in_a_cell, ""),
    "zip of many files": ("m.zip", many_members, "too-large"),
    "50 MB JSON value": ("products.json", large_json_value, "too-large"),
    "50 MB XML text": ("feed.xml", large_xml_text, "too-large"),
    "50 MB cell": ("faq.csv", large_cell, "too-large"),
    "50 MB quoted cell": ("faq.csv", large_quoted_cell, "too-large"),
    "50 MB line": ("faq.jsonl", large_line, "too-large"),
    "headings in Markdown": ("page.md", markdown_headings, "too-many-headings"),
    "headings in HTML": ("page.html", html_headings, "too-many-headings"),
    "HTML headings in Markdown": ("page.md", html_headings_in_markdown, "too-many-headings"),
    "repeated texts": ("faq.yaml", repeated_texts, "too-deep"),
    "repeated settings": ("page.md", repeated_settings, "too-large"),
    "backticks": ("page.mdx", backticks, ""),
    "open tags": ("page.mdx", open_tags, "too-large"),
    "YAML bomb": ("faq.yaml", yaml_bomb, "too-deep"),
    "YAML bomb as front matter": ("page.md", front_matter_bomb, "too-deep"),
    "deep YAML": ("faq.yaml", deep_yaml, "too-deep"),
    "deep HTML": ("page.html", deep_html, "too-deep"),
    "deep inline HTML": ("page.html", deep_inline_html, "too-deep"),
    "deep HTML in a cell": ("faq.csv", deep_cell, "too-deep"),
    "deep JSON": ("faq.json", deep_json, "too-deep"),
    "deep JSON line": ("faq.jsonl", deep_jsonl, "too-deep"),
    "deep quotes": ("page.md", deep_markdown, "too-deep"),
    "brackets": ("page.md", long_markdown_brackets, "too-large"),
}
_READ = """
import json, sys, time
from pathlib import Path
from steadyrank_builder.formats import ReadOptions, formats, open_source
from steadyrank_builder.material import discover
from steadyrank_builder.records import Accepted, Rejected
from steadyrank_builder.reading.html_text import html_to_text
from steadyrank_builder.pages.markdown import read_markdown
import lxml.etree, yaml
formats(); html_to_text("<p>warm"); read_markdown("a", mdx=False)
def peak():
    # Of this program alone: what resource says counts the process that it was forked from.
    lines = Path("/proc/self/status").read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024
start = time.process_time()
rejects, accepted = [], 0
for source in discover([Path(sys.argv[1])]):
    for outcome in open_source(source, ReadOptions()).outcomes:
        if isinstance(outcome, Rejected):
            place = outcome.origin
            rejects.append([outcome.code, outcome.message, place.source, place.line])
        accepted += isinstance(outcome, Accepted)
print(json.dumps({
    "seconds": time.process_time() - start,
    "megabytes": peak(),
    "rejects": rejects,
    "accepted": accepted,
}))
"""


class Reading:
    """What became of a hostile file: seconds of reading, peak memory, rejects."""

    def __init__(self, path: Path) -> None:
        done = subprocess.run(
            [sys.executable, "-c", _READ, str(path)],
            env=environment(),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, (done.returncode, done.stderr[-2000:])
        found = json.loads(done.stdout)
        self.seconds: float = found["seconds"]
        self.megabytes: float = found["megabytes"]
        self.rejects: list[tuple[str, str, str, int]] = [tuple(each) for each in found["rejects"]]
        self.accepted: int = found["accepted"]
