"""How a kernel is compiled: without the interpreter, cached on disk, divisions as in IEEE arithmetic."""

from collections.abc import Callable
from typing import Any, TypeVar

import numba
import numpy as np

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    np.seterr(over="ignore")  # hashes wrap around, as they do when compiled

F = TypeVar("F", bound=Callable[..., Any])


def kernel(function: F) -> F:
    """A function that Python calls; it owns its arrays and makes room for more."""
    return numba.njit(  # type: ignore[call-overload, no-any-return]
        function, cache=True, nogil=True, error_model="numpy", no_cfunc_wrapper=True
    )


def room(function: F) -> F:
    """A part of a kernel that allocates."""
    return numba.njit(  # type: ignore[call-overload, no-any-return]
        function, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
    )


def part(function: F) -> F:
    """A part of a kernel that borrows its arrays.

    Without reference counts: numba would count at every access to an array in a tuple, which made the kernels
    ten times slower. Such a function must not allocate. Without a wrapper for Python, which would take longer
    to compile than the function.
    """
    return numba.njit(  # type: ignore[call-overload, no-any-return]
        function, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True, _nrt=False
    )


def inlined(function: F) -> F:
    """A part on the hot path: a real call would copy every array of its tuples."""
    return numba.njit(  # type: ignore[call-overload, no-any-return]
        function,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        _nrt=False,
        forceinline=True,
    )
