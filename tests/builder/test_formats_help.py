"""Articles as the interfaces of help centres give them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from support_reading import read

ZENDESK = {
    "id": 360001,
    "html_url": "https://help.x/en-us/articles/360001",
    "title": "Returns &amp; refunds",
    "body": "<h2>How</h2><p>Within 30 days.</p><script>track()</script>",
    "locale": "en-us",
    "draft": False,
    "label_names": ["returns"],
    "user_segment_id": None,
}


def test_zendesk(tmp_path: Path) -> None:
    articles = [
        ZENDESK,
        {**ZENDESK, "locale": "de", "title": "Rückgabe"},
        {**ZENDESK, "id": 360002, "draft": True},
        {**ZENDESK, "id": 360003, "user_segment_id": 12},
        {**ZENDESK, "id": 360004, "body": "<p> </p>"},
        {**ZENDESK, "id": None},
    ]
    lines = ",\n".join(map(json.dumps, articles))
    got = read(tmp_path, "articles.json", f'{{"count": 6, "articles": [\n{lines}]}}')
    assert got.format == "zendesk"
    assert got.ids == ["faq:zendesk-360001@en-us", "faq:zendesk-360001@de"]
    first = got.documents[0]
    assert (first.title, first.text) == ("Returns & refunds", "How\nWithin 30 days.")
    assert (first.kind, first.language, first.tags) == ("faq", "en-us", ("returns",))
    assert first.url == "https://help.x/en-us/articles/360001"
    assert got.skips == [("draft", 4, 4, 1), ("only for a segment of users", 5, 5, 1)]
    assert got.rejects == [("empty-field", 6, 6, 1), ("empty-id", 7, 7, 1)]


def test_intercom_gives_a_document_for_each_language(tmp_path: Path) -> None:
    article: dict[str, Any] = {
        "type": "article",
        "id": "42",
        "title": "Shipping",
        "body": "<p>Three days.</p>",
        "state": "published",
        "url": "https://help.x/42",
        "default_locale": "en",
        "translated_content": {
            "type": "article_translated_content",
            "en": {"title": "Shipping", "body": "<p>Three days.</p>", "state": "published"},
            "fr": {"title": "Livraison", "body": "<p>Trois jours.</p>", "state": "published"},
            "es": {"title": "Envío", "body": "", "state": "draft"},
            "pt": None,
        },
    }
    content = json.dumps({"type": "list", "data": [article]})
    got = read(tmp_path, "articles.json", content)
    assert got.format == "intercom"
    assert got.ids == ["faq:intercom-42", "faq:intercom-42@fr"]
    assert [each.language for each in got.documents] == ["en", "fr"]
    assert [each.text for each in got.documents] == ["Three days.", "Trois jours."]
    assert got.skips == [("draft", 1, 1, 1)]


def test_help_scout(tmp_path: Path) -> None:
    article = {
        "id": "5f",
        "number": 12,
        "name": "Sizes",
        "text": "<ul><li>S</li><li>M</li></ul>",
        "publicUrl": "https://docs.x/article/12-sizes",
        "status": "published",
        "keywords": ["fit"],
    }
    items = [article, {**article, "number": 13, "status": "notpublished"}]
    got = read(tmp_path, "docs.json", json.dumps({"articles": {"page": 1, "items": items}}))
    assert got.format == "helpscout"
    assert got.ids == ["faq:helpscout-12"]
    assert (got.documents[0].text, got.documents[0].tags) == ("S\nM", ("fit",))
    assert got.skips == [("draft", 1, 1, 1)]
