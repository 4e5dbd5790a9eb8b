"""Words to lines: marks, scripts, shaping, breaking, fitting."""
