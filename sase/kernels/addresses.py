"""Reads the columns of a batch where they lie, however many there are.

A kernel is compiled for one number of arrays. A table of addresses has any number of rows, and unlike one
array of all columns it costs no copy. Whoever makes one keeps the columns alive as long as it is in use.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterable

import numba
import numpy as np
from numpy.typing import NDArray

Column = tuple[NDArray[np.int64], NDArray[np.uint8]]


def addresses(columns: Iterable[Column]) -> NDArray[np.int64]:
    """(column, 2): where its values begin and where their kinds do."""
    found = [(values.ctypes.data, kinds.ctypes.data) for values, kinds in map(_checked, columns)]
    return np.array(found, np.int64).reshape(-1, 2)


def _checked(column: Column) -> Column:
    values, kinds = column
    for array, size in ((values, 8), (kinds, 1)):
        assert array.itemsize == size
        assert array.flags.c_contiguous
    return column


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def value_at(address, i):
        return np.int64(ctypes.c_int64.from_address(int(address) + 8 * int(i)).value)

    def kind_at(address, i):
        return np.int64(ctypes.c_uint8.from_address(int(address) + int(i)).value)

else:
    from llvmlite import ir
    from numba.core import types
    from numba.extending import intrinsic

    @intrinsic
    def value_at(context, address, i):  # noqa: ARG001
        """The i-th int64 from an address on."""

        def generate(context, builder, signature, arguments):  # noqa: ARG001
            start = builder.inttoptr(arguments[0], ir.IntType(64).as_pointer())
            return builder.load(builder.gep(start, [arguments[1]]))

        return types.int64(types.int64, types.int64), generate

    @intrinsic
    def kind_at(context, address, i):  # noqa: ARG001
        """The i-th byte from an address on."""

        def generate(context, builder, signature, arguments):  # noqa: ARG001
            start = builder.inttoptr(arguments[0], ir.IntType(8).as_pointer())
            return builder.zext(builder.load(builder.gep(start, [arguments[1]])), ir.IntType(64))

        return types.int64(types.int64, types.int64), generate
