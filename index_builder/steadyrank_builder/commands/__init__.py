"""The subcommands, one module each with an attribute ``command``."""
