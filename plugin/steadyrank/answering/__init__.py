"""Answers for assistants: the pieces of a store that answer a question, chosen steadily."""

from steadyrank.answering.answer import Answer, Fingerprint, Piece
from steadyrank.answering.faults import SettingsError
from steadyrank.answering.settings import Settings
from steadyrank.answering.store import Store, open_store

__all__ = ["Answer", "Fingerprint", "Piece", "Settings", "SettingsError", "Store", "open_store"]
