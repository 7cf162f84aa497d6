"""Compiled segments: what was decoded once, in a file that all processes map."""
