"""Two settings, or two settings on two indexes, question by question."""

from steadyrank_builder.comparing.given import Given, given_settings
from steadyrank_builder.comparing.run import NoQuestionsError, compare

__all__ = ["Given", "NoQuestionsError", "compare", "given_settings"]
