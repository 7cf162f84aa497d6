"""The index builder of steadyrank: store exports in, a Whoosh index in id order out."""
