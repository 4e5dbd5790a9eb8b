"""The use cases of carddb, whoever asks: a folder each, over the `Workspace` that they take."""
