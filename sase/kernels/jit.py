"""How a kernel is compiled: without the interpreter, cached on disk, divisions as in IEEE arithmetic."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    np.seterr(over="ignore")  # hashes wrap around, as they do when compiled

F = TypeVar("F", bound=Callable[..., Any])


def drop_stale_code(folder: Path) -> None:
    """Delete compiled kernels of another version: numba looks at their types before it looks at their age."""
    sources = sorted(folder.rglob("*.py"))
    version = hashlib.sha256(b"".join(source.read_bytes() for source in sources)).hexdigest()
    compiled = folder / "__pycache__"
    mark = compiled / "version"
    with suppress(OSError):  # where nothing can be written, numba keeps its files elsewhere
        if mark.exists() and mark.read_text() == version:
            return
        for old in folder.rglob("__pycache__/*.nb[ci]"):
            old.unlink(missing_ok=True)
        compiled.mkdir(exist_ok=True)
        mark.write_text(version)


drop_stale_code(Path(__file__).parent)


def kernel(function: F) -> F:
    """A function that Python calls. It must not allocate: whoever calls it owns the arrays and makes room."""
    return numba.njit(  # type: ignore[call-overload, no-any-return]
        function, cache=True, nogil=True, error_model="numpy", no_cfunc_wrapper=True
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
