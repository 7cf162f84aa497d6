"""How a finished index becomes the live one, by Whoosh's own commit protocol.

``publish`` is the one way in. See docs of each module for what survives a crash there.
"""
