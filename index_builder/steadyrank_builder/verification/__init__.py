"""Is the live index the one that was built? Without trusting a byte of it before it was checked."""
