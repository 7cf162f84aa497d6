"""Two settings, or two settings on two indexes, question by question."""
