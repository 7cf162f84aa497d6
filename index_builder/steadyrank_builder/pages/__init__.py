"""Pages (Markdown, MDX, HTML) as sections, each a record with an id of its own."""
