"""A guess at the encoding of a file: said as a hint and never acted on.

A wrong guess gives wrong words without an error, so the user decides. The hint only has to be
right for what shops export: Windows code pages and the encodings of East Asia.
"""

from __future__ import annotations

import re

# Each encoding with what text in it has much of, as shares of its characters beyond ASCII.
_TYPICAL = (
    ("shift_jis", re.compile("[\u3040-\u30ff\u3001\u3002\u4e00-\u9fff\uff01-\uff5e]"), "[ぁ-ん]"),
    ("euc_jp", re.compile("[\u3040-\u30ff\u3001\u3002\u4e00-\u9fff\uff01-\uff5e]"), "[ぁ-ん]"),
    ("euc_kr", re.compile("[\uac00-\ud7a3]"), "[\uac00-\ud7a3]"),
    ("gb18030", re.compile("[\u4e00-\u9fff\u3001\u3002\uff01-\uff5e]"), "[的一是不了在有和人中大]"),
    ("big5", re.compile("[\u4e00-\u9fff\u3001\u3002\uff01-\uff5e]"), "[的一是不了在有和人中大]"),
    ("cp1251", re.compile("[\u0430-\u044f\u0451]"), "[аеиоинт]"),
)
_ENOUGH = 0.7
_LATIN = re.compile(
    "[ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÑÒÓÔÕÖØÙÚÛÜßàáâãäåæçèéêëìíîïñòóôõöøùúûüœŒ€–—‘’“”„…°®©™²³½£»«·´º]"
)


def hint(content: bytes) -> str:
    """Half a sentence that names an encoding to try, or several."""
    if content.count(0) * 4 > len(content):
        even = content[0::2].count(0) > content[1::2].count(0)
        return f"perhaps --encoding {'utf-16-be' if even else 'utf-16-le'}"
    stated = _stated(content)
    if stated:
        return f"--encoding {stated}, as it says of itself"
    latin = _decoded(content, "cp1252")
    strange = _beyond_ascii(latin)
    # Accents stand alone between ASCII letters; bytes of East Asian text stand together.
    if strange and len(_LATIN.findall(strange)) / len(strange) > _ENOUGH and not _in_runs(latin):
        return "perhaps --encoding cp1252"
    best, most = "", 0.0
    for encoding, wanted, common in _TYPICAL:
        beyond = _beyond_ascii(_decoded(content, encoding))
        if not beyond:
            continue
        share = len(wanted.findall(beyond)) / len(beyond)
        score = share + len(re.findall(common, beyond)) / len(beyond)
        if share >= _ENOUGH and score > most:
            best, most = encoding, score
    if best:
        return f"perhaps --encoding {best}"
    if latin:
        return "perhaps --encoding cp1252"
    return "with --encoding (cp1251, shift_jis, gb18030, ...)"


_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([A-Za-z0-9._-]{2,40})""", re.IGNORECASE)


def _stated(content: bytes) -> str:
    """The encoding that a page names for itself, if it decodes by it; else empty."""
    match = _CHARSET.search(content[:4096])
    name = match.group(1).decode("ascii") if match else ""
    try:
        return name if name.lower() not in ("utf-8", "utf8") and _decoded(content, name) else ""
    except LookupError:
        return ""


def _decoded(content: bytes, encoding: str) -> str:
    """The text, empty if it is none; what was cut in the middle of a character is forgiven."""
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        return content[: error.start].decode(encoding) if error.start > len(content) - 4 else ""


def _beyond_ascii(text: str) -> str:
    return re.sub(r"[\x00-\x7f]+", "", text)


def _in_runs(text: str) -> bool:
    runs = re.findall(r"[^\x00-\x7f]+", text)
    return bool(runs) and sum(map(len, runs)) / len(runs) > 2.5
