"""How a kernel is compiled: without the interpreter, cached on disk, divisions as in IEEE arithmetic."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np

if numba.config.DISABLE_JIT:
    np.seterr(over="ignore")  # hashes wrap around, as they do when compiled

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    return numba.njit(function, cache=True, nogil=True, error_model="numpy")  # type: ignore[no-any-return]
