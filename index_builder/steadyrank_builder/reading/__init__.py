"""From bytes to rows, values and plain text, with the lines that they stand on."""
