"""From a chunk of raw text to its tokens: the whole analysis, without positions."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from itertools import chain

from steadyrank.analysis.characters import CONNECTORS, EMOJI, REGIONAL, UNSPACED, marks
from steadyrank.analysis.compound import Part, divisible, joined, parts_of
from steadyrank.analysis.fold import fold
from steadyrank.analysis.languages import LANGUAGES, Language
from steadyrank.analysis.normalise import Normalised, normalise
from steadyrank.analysis.stemming import stemmer_for

# Text, start and end in the chunk.
ChunkToken = tuple[str, int, int]
ChunkAnalysis = Callable[[str], tuple[ChunkToken, ...]]

# Tokens are cut to this many characters.
LONGEST_TOKEN = 100
# A compound of more parts than this is a sentence, not a name: it has no token for the whole.
MOST_PARTS = 8
# Distinct chunks, and distinct stems, remembered for each language. Neither is longer than a
# token, so the memory is bounded (some 20 MB when full).
REMEMBERED = 1 << 15

# Where the raw text may be cut without looking inside: at white space and at punctuation that
# never joins. What is left over is cut by _SEGMENT after normalisation.
_LOOSE = r"""\s!"#$%()*+:;<=>?\[\\\]^{|}~"""
CHUNK = re.compile(rf"[^{_LOOSE},.'’]+(?:[,.'’][^{_LOOSE},.'’]+)*")
_PLAIN_WORD = re.compile("[A-Za-z]+").fullmatch


@cache
def chunk_analysis(code: str, stem: bool) -> ChunkAnalysis:
    """The function from a raw chunk of at most LONGEST_TOKEN characters to its tokens.

    It remembers the chunks that it has seen. ``code`` is a known language's. Safe to share
    between threads.
    """
    return lru_cache(maxsize=REMEMBERED)(long_chunk_analysis(code, stem))


@cache
def long_chunk_analysis(code: str, stem: bool) -> ChunkAnalysis:
    """The same for a chunk of any length, remembering only the words in it."""
    language = LANGUAGES[code]
    stem_word = lru_cache(maxsize=REMEMBERED)(stemmer_for(language)) if stem else str

    def analyse(chunk: str) -> tuple[ChunkToken, ...]:
        return tuple(_tokens(chunk, language, stem_word))

    return analyse


@cache
def _segment() -> re.Pattern[str]:
    run = rf"(?:[^\W_{UNSPACED}][{marks()}]*|(?=\d)[{UNSPACED}][{marks()}]*)+"
    connector = rf"(?:[{CONNECTORS}]|(?<=\d),(?=\d))"
    return re.compile(
        rf"(?P<compound>{run}(?:{connector}{run})*)"
        rf"|(?P<unspaced>(?:(?=[^\W\d_])[{UNSPACED}][{marks()}]*)+)"
        rf"|(?P<emoji>[{EMOJI}]|[{REGIONAL}]{{2}})"
    )


@cache
def _character() -> re.Pattern[str]:
    return re.compile(rf".[{marks()}]*", re.DOTALL)


def _tokens(chunk: str, language: Language, stem: Callable[[str], str]) -> Iterator[ChunkToken]:
    if _PLAIN_WORD(chunk):  # what follows would come to the same, in five times the time
        yield stem(fold(chunk, language)[0][:LONGEST_TOKEN]), 0, len(chunk)
        return
    normal = normalise(chunk)
    for match in _segment().finditer(normal.text):
        start, end = match.span()
        if match.lastgroup == "compound":
            tokens = _compound_tokens(match.group(), language, stem)
        elif match.lastgroup == "unspaced":
            tokens = _unspaced_tokens(match.group())
        else:
            tokens = iter([(match.group(), 0, end - start)])
        yield from _placed(tokens, start, normal)


def _placed(tokens: Iterator[ChunkToken], offset: int, normal: Normalised) -> Iterator[ChunkToken]:
    for text, start, end in tokens:
        yield (
            text[:LONGEST_TOKEN],
            normal.starts[offset + start],
            normal.ends[offset + end - 1],
        )


def _unspaced_tokens(run: str) -> Iterator[ChunkToken]:
    """Each character, and after each the pair that it makes with the next."""
    characters = list(_character().finditer(run))
    for place, character in enumerate(characters):
        start, end = character.span()
        yield character.group().casefold(), start, end
        if place + 1 < len(characters):
            end = characters[place + 1].end()
            yield run[start:end].casefold(), start, end


def _compound_tokens(
    compound: str, language: Language, stem: Callable[[str], str]
) -> Iterator[ChunkToken]:
    parts = parts_of(compound, language)
    for part in parts:
        yield from _part_tokens(part, stem)
    if 1 < len(parts) <= MOST_PARTS:
        atoms = tuple(chain.from_iterable(parts))
        whole = joined(atoms)
        if len(whole) <= LONGEST_TOKEN:
            plain = all(atom.letters for atom in atoms)
            yield stem(whole) if plain else whole, atoms[0].start, atoms[-1].end


def _part_tokens(part: Part, stem: Callable[[str], str]) -> Iterator[ChunkToken]:
    if divisible(part):
        for atom in part:
            forms = [stem(form[:LONGEST_TOKEN]) if atom.letters else form for form in atom.forms]
            for form in dict.fromkeys(forms):
                yield form, atom.start, atom.end
    if len(part) > 1:
        yield joined(part), part[0].start, part[-1].end
