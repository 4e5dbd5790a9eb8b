"""The words of the options that a print takes: its ink, how the printer turns the paper, where crop marks stand."""

from __future__ import annotations

from typing import Literal, get_args

InkMode = Literal["full", "light", "text"]
Flip = Literal["long-edge", "short-edge", "none"]
Marks = Literal["edges", "cards", "none"]

INK_MODES: tuple[InkMode, ...] = get_args(InkMode)
FLIPS: tuple[Flip, ...] = get_args(Flip)
MARKS: tuple[Marks, ...] = get_args(Marks)
