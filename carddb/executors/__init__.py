"""Who does long work: this process, further processes of this machine, or the workers of a Dask cluster.

An executor is given a function and its tasks, and gives the results in the order of the tasks, so that it makes no
difference to a result who did the work. This room knows nothing of games or cards.
"""

from __future__ import annotations

import copyreg
from types import MappingProxyType
from typing import Any


def _frozen(values: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(values)


copyreg.pickle(MappingProxyType, lambda values: (_frozen, (dict(values),)))  # Python itself refuses to pickle one
