"""How a kernel is compiled: without the interpreter, cached on disk, divisions as in IEEE arithmetic."""

import hashlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import numba
import numpy as np
from llvmlite.binding import parse_assembly
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]
    np.seterr(over="ignore")  # hashes wrap around, as they do when compiled

ENVIRONMENT = "NumbaEnv"

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


class PartLibrary(JITCodeLibrary):
    """The code of a part as it was written, for the kernel that takes it up: nobody else calls it.

    Numba would optimise every part with all that it calls and make machine code of it, again at each level
    of calls: of the time to compile a kernel that was nearly all.
    """

    def finalize(self) -> None:
        for library in dict.fromkeys(self._linking_libraries):
            self._reload_init.update(library._reload_init)
            self._final_module.link_in(library._get_module_for_linking(), preserve=True)
        self._finalize_dynamic_globals()
        self._finalized = True
        self._codegen._add_module(self._environments())
        self._finalize_specific()

    def _environments(self) -> Any:
        """Where numba notes what belongs to a function: these places it wants to have even of a part."""
        named = (each.name for each in self._final_module.global_variables if ENVIRONMENT in each.name)
        unknown = (name for name in named if not self._codegen._engine.is_symbol_defined(name))
        module = parse_assembly("".join(f'@"{name}" = common global ptr null\n' for name in unknown))
        module.data_layout = self._codegen._data_layout
        module.triple = self._final_module.triple
        return module


class PartCompiler(Compiler):
    def __init__(self, typing: Any, target: Any, library: Any, *others: Any) -> None:
        super().__init__(typing, target, library or PartLibrary(target.codegen(), "part"), *others)


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
        function,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        _nrt=False,
        pipeline_class=PartCompiler,
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
        pipeline_class=PartCompiler,
    )
