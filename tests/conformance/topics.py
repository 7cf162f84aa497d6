"""What the vectors are about: a few documents and questions for each clause of the contract."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Document = dict[str, str]
Case = dict[str, Any]


@dataclass(frozen=True)
class Topic:
    """``fields`` maps a field to its boost, ``documents`` an id to its texts (and ``document``,
    where it is a section of one); ``pinned`` are statistics of another corpus."""

    about: str
    documents: dict[str, Document]
    cases: list[Case]
    fields: dict[str, float] = field(default_factory=lambda: {"text": 1.0})
    pinned: dict[str, Any] | None = None


def texts(**found: str) -> dict[str, Document]:
    return {id: {"text": text} for id, text in found.items()}


def t(word: str, field: str = "text", **more: Any) -> dict[str, Any]:
    return {"term": [field, word], **more}


SHOP = texts(
    anorak="rain jacket with hood",
    boots="leather boots for rain and mud",
    camp="tent lamp stove tent pole",
    dry="dry sack for rain rain rain",
    euro="lamp",
    fleece="warm jacket",
    gas="stove for gas lamp and gas stove",
)

TITLED: dict[str, Document] = {
    "a1": {"title": "rain jacket", "text": "a light jacket against rain"},
    "a2": {"title": "jacket", "text": "warm and light"},
    "a3": {"title": "rain hat rain", "text": "a hat"},
    "a4": {"title": "boots", "text": "boots for rain and for rain"},
    "a5": {"title": "lamp", "text": "a light lamp"},
}

TOPICS: dict[str, Topic] = {
    "terms": Topic(
        "One term: BM25F from weight, length, document frequency and average length.",
        SHOP,
        [
            {"about": "weights 1 and 3, lengths 4 to 6", "query": t("rain")},
            {"about": "in three documents", "query": t("lamp")},
            {"about": "in no document", "query": t("kayak")},
            {"about": "every document", "query": {"every": None}},
            {"about": "patterns score alike", "query": {"prefix": ["text", "j"], "flat": True}},
            {"about": "or by their terms", "query": {"prefix": ["text", "l"], "flat": False}},
        ],
    ),
    "weights": Topic(
        "A field boost is part of a posting's weight, which is stored in single precision.",
        TITLED,
        [
            {"about": "1.3 and 2.6 in single precision", "query": t("rain", "title")},
            {"about": "two fields", "query": {"or": [t("rain", "title"), t("rain")]}},
        ],
        {"title": 1.3, "text": 1.0},
    ),
    "lengths": Topic(
        "Lengths count as their stored byte decodes: 11 as 12, 50 as 52, in averages too.",
        texts(
            short="mug of steel",
            eleven="mug " + "of " * 10,
            fifty="mug mug " + "of " * 48,
            hundred="steel " + "of " * 99,
        ),
        [
            {"about": "lengths 3, 12 and 52", "query": t("mug")},
            {"about": "both", "query": {"or": [t("mug"), t("steel")]}},
        ],
    ),
    "boolean": Topic(
        "Or sums what matches, And sums all, the others as their names say.",
        SHOP,
        [
            {"about": "or", "query": {"or": [t("rain"), t("jacket"), t("lamp")]}},
            {"about": "and", "query": {"and": [t("rain"), t("for")]}},
            {"about": "and of an or", "query": {"and": [t("lamp"), {"or": [t("gas"), t("tent")]}]}},
            {"about": "without", "query": {"andnot": [t("rain"), t("boots")]}},
            {"about": "perhaps", "query": {"andmaybe": [t("lamp"), t("stove")]}},
            {"about": "required, not scored", "query": {"require": [t("rain"), t("for")]}},
            {"about": "all others", "query": {"and": [t("rain"), {"not": t("hood")}]}},
            {"about": "a constant", "query": {"constant": t("stove"), "score": 0.7}},
        ],
    ),
    "boosts": Topic(
        "Boosts multiply down to the leaves; a leaf is snapped, multiplied and snapped again.",
        SHOP,
        [
            {"about": "of a term", "query": t("rain", boost=3.7)},
            {"about": "of an or", "query": {"or": [t("rain"), t("lamp")], "boost": 0.1}},
            {
                "about": "three deep: 0.1 x 3.7 x 1.3, multiplied from the top",
                "query": {
                    "or": [{"and": [t("rain", boost=1.3), t("for")], "boost": 3.7}, t("stove")],
                    "boost": 0.1,
                },
            },
        ],
    ),
    "dismax": Topic(
        "DisjunctionMax: the highest of the clauses that match.",
        TITLED,
        [
            {"about": "the better field", "query": {"dismax": [t("rain", "title"), t("rain")]}},
            {
                "about": "in an or",
                "query": {
                    "or": [
                        {"dismax": [t("jacket", "title"), t("jacket")]},
                        {"dismax": [t("light", "title"), t("light")], "boost": 2.0},
                    ]
                },
            },
        ],
        {"title": 3.0, "text": 1.0},
    ),
    "phrases": Topic(
        "A phrase: its words in order, each at most slop after the last; scored as their sum.",
        texts(
            p1="rain jacket",
            p2="jacket rain",
            p3="rain proof jacket",
            p4="rain rain jacket with hood",
            p5="jacket for rain and one rain jacket",
        ),
        [
            {"about": "side by side", "query": {"phrase": ["text", ["rain", "jacket"]]}},
            {"about": "slop 2", "query": {"phrase": ["text", ["rain", "jacket"]], "slop": 2}},
            {"about": "a word twice", "query": {"phrase": ["text", ["rain", "rain"]]}},
            {
                "about": "within an or",
                "query": {
                    "or": [{"phrase": ["text", ["rain", "jacket"]], "boost": 2.0}, t("hood")]
                },
            },
        ],
    ),
    "ties": Topic(
        "Equal scores stand in the order of ids by code point: digits, capitals, small letters.",
        texts(
            **dict.fromkeys(("b", "a", "B", "10", "9", "a-1", "a1", "Z", "z"), "steel mug"),
            longer="steel mug with lid",
        ),
        [
            {"about": "nine of a kind and one below", "query": t("mug")},
            {"about": "the same with a sum", "query": {"or": [t("mug"), t("steel")]}},
        ],
    ),
    "ids-beyond-bmp": Topic(
        "Code points, not UTF-16 units: U+FF5E stands before U+1F455, and U+E000 before both.",
        texts(**dict.fromkeys(("👕", "～", "\ue000", "z", "é", "é", "日本", "👕a"), "mug")),
        [
            {"about": "eight equal scores", "query": t("mug")},
            {"about": "in one band", "query": t("mug"), "gap": 0.5},
        ],
    ),
    "bands": Topic(
        "A gap: bands under their leader, no chaining; inside by document, then score, then id.",
        {
            "m1": {"text": "mug"},
            "k2": {"text": "mug of steel"},
            "j3": {"text": "a mug made of steel"},
            "h4": {"text": "one more mug that is made of steel"},
            "page#1": {"text": "mug mug", "document": "page"},
            "page#2": {"text": "the other mug of the page", "document": "page"},
            "a5": {"text": "a steel mug with a lid and a handle and a spoon"},
        },
        [
            {"about": "without a gap", "query": t("mug")},
            {"about": "0.1", "query": t("mug"), "gap": 0.1},
            {"about": "0.3", "query": t("mug"), "gap": 0.3},
            {"about": "all in one", "query": t("mug"), "gap": 5.0},
            {
                "about": "2.0 and 1.5 are within 0.5, 1.4999 is not",
                "query": {
                    "or": [
                        {"constant": {"term": ["text", "handle"]}, "score": 2.0},
                        {"constant": {"term": ["text", "other"]}, "score": 1.5},
                        {"constant": {"term": ["text", "one"]}, "score": 1.4999},
                    ]
                },
                "gap": 0.5,
            },
        ],
    ),
    "pinned": Topic(
        "Statistics of another corpus; a term that was not seen in it counts as in one document.",
        SHOP,
        [
            {"about": "rain, in 120 of 5000", "query": t("rain")},
            {"about": "unseen: gas", "query": {"or": [t("gas"), t("rain"), t("lamp")]}},
            {"about": "with a gap", "query": {"or": [t("rain"), t("lamp")]}, "gap": 0.5},
        ],
        pinned={
            "documents": 5000,
            "fields": {
                "text": {
                    "length": 61234,
                    "document_frequency": {"rain": 120, "lamp": 77, "for": 4321},
                }
            },
        },
    ),
}
