"""The same terms and stems with every Whoosh distribution: digests recorded once for all.

A digest that moves means that indexes already built no longer match their queries: raise
ANALYZER_VERSION, then record it anew.
"""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from whoosh import index
from whoosh.fields import TEXT, Schema

from steadyrank.analysis import LANGUAGES, StoreAnalyzer
from steadyrank.analysis.stemming import stemmer_for
from support_analysis import seen

pytestmark = pytest.mark.whoosh

ROOTS = (
    "run hop nation relat happi cont commun gener arriv beaut haus schluss freund kind livr"
    " chant continu grand habl cancion libr citt amic dobr veloc bok flick hund talo kirja"
    " konyv varos fluss cart femei bomb stell sky y eye crie sses quell ziel"
)
ENDINGS = (
    " s es ed ing ings ly ational ization fulness ies y e en er ern est ung ungen heit keiten"
    " isch lich ement ements ation ations euse issent aient ira mente acion aciones amiento idad"
    " ando iendo ita ette issimo evole are ere ire ban ben nak nek val vel ok ssa ssä sta lla"
    " ista ien arna ende ernes hed ului iilor eaza ar or heter ig iga"
)
RUSSIAN_ROOTS = "куртк палатк красн нов бега говор вышивш хорош дет мо"
RUSSIAN_ENDINGS = " а ы у ой ами ах ый ая ое ые ого ему ть л ла ли ешь ет ют вший ться ость"

STEMS = "95c992b94bc62349113ed4142815d75b2c328739cee792e4b61c09814da481fc"
TERMS = "21db137581b95c1fbcafd4b7e8e7eb027bb0a836b6d94b359f5d081af423305f"

TEXTS = (
    "Men's Rain-Jackets, size M (US) or 2XL: TC-300-BLU, tc300blu & TC_300/BLU. 450ml, 1.5 l.",
    "10,000 pieces; version 1.2.3; 5-10 years; 2½ cups; 15.01.2024; 5'10\"; iPhone15 MP3 a1b2c3",
    "Schlüssel Schluessel Größe neue Quelle Äpfel Diözese, 1,5 Liter für 10.000 €",
    "L’Oréal, aujourd'hui; Łódź Ærø på Smørrebrød İstanbul naïve façade señor ΕΛΛΑΣ",
    "東京都でﾊﾟｿｺﾝを買う。が か\u3099 ソニーTV 5㎏ ㈱ 한국어 น้ำหนัก ๔๕๐ की मूल्य سعر",
    "info@my-store.co.uk https://www.shop.com/returns?x=1 👕 👨‍👩‍👧 🇩🇪 ✓ 1️⃣ куртками ёлка за́мок",
    "soft\u00adware \ufeffred ™Foo® * : ( don`t [x] {y} a--b",
)


def _digest(value: object) -> str:
    return hashlib.sha256(json.dumps(value, ensure_ascii=False).encode()).hexdigest()


def _stems() -> dict[str, list[str]]:
    latin = [root + ending for root in ROOTS.split() for ending in ENDINGS.split(" ")]
    russian = [
        root + ending for root in RUSSIAN_ROOTS.split() for ending in RUSSIAN_ENDINGS.split(" ")
    ]
    return {
        code: [stemmer_for(language)(word) for word in (russian if code == "ru" else latin)]
        for code, language in LANGUAGES.items()
        if language.stemmer
    }


def test_stems_are_the_recorded_ones() -> None:
    stems = _stems()
    assert len(stems) == 14 and sum(map(len, stems.values())) > 30_000
    assert _digest(stems) == STEMS


def _terms() -> dict[str, list[object]]:
    return {
        code: [
            (token.text, token.position, token.start, token.end)
            for text in TEXTS
            for token in seen(text, code)
        ]
        for code in LANGUAGES
    }


def test_terms_are_the_recorded_ones() -> None:
    assert _digest(_terms()) == TERMS


# Interpreters with other distributions, as paths joined like PATH, for the test below.
OTHERS = [path for path in os.environ.get("STEADYRANK_OTHER_PYTHONS", "").split(os.pathsep) if path]

_READ = """
import sys
from whoosh import index
from steadyrank.analysis import StoreAnalyzer
store = index.open_dir(sys.argv[1])
assert store.schema["text"].analyzer == StoreAnalyzer("de")
with store.searcher() as searcher:
    for term in searcher.lexicon("text"):
        print(term.hex())
print(",".join(t.text.encode().hex() for t in store.schema["text"].analyzer(sys.argv[2])))
"""


@pytest.mark.skipif(not OTHERS, reason="STEADYRANK_OTHER_PYTHONS names no interpreter")
def test_an_index_is_read_by_the_other_distributions(tmp_path: Path) -> None:
    store = index.create_in(tmp_path, Schema(text=TEXT(analyzer=StoreAnalyzer("de"))))
    writer = store.writer()
    writer.add_document(text="\n".join(TEXTS))
    writer.commit()
    with store.searcher() as searcher:
        expected = [term.hex() for term in searcher.lexicon("text")]
    query = ",".join(t.text.encode().hex() for t in StoreAnalyzer("de")(TEXTS[2]))
    for python in OTHERS:
        command = [python, "-W", "ignore", "-c", _READ, str(tmp_path), TEXTS[2]]
        # Our packages, not this interpreter's site-packages with its own Whoosh.
        ours = [path for path in sys.path if Path(path, "steadyrank", "analysis").is_dir()]
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(ours)}
        answer = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=True
        )
        assert answer.stdout.split() == [*expected, query]
