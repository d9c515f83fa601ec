"""Asks the interpreter about numbers that 64 bits cannot hold: rare, and too long for a kernel.

A kernel knows the address of a function of `sase/events/exact.py`, which takes an operation and two tagged
values and writes its answer, two cells, where it is told to.
"""

from __future__ import annotations

import ctypes

import numba

LONG = ctypes.c_int64
ANSWER = ctypes.CFUNCTYPE(None, LONG, LONG, LONG, LONG, LONG, ctypes.POINTER(LONG))

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def ask(address, operation, left, left_kind, right, right_kind):
        cells = (LONG * 2)()
        given = (int(cell) for cell in (operation, left, left_kind, right, right_kind))
        ANSWER(int(address))(*given, cells)
        return cells[0], cells[1]

else:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    @intrinsic
    def ask(context, address, operation, left, left_kind, right, right_kind):  # noqa: ARG001
        """The answer's two cells: a value and its kind, or an order."""

        def generate(context, builder, signature, arguments):
            long = ir.IntType(64)
            cells = cgutils.alloca_once(builder, long, size=2)
            kind = ir.FunctionType(ir.VoidType(), [long] * 5 + [long.as_pointer()])
            function = builder.inttoptr(arguments[0], kind.as_pointer())
            builder.call(function, [*arguments[1:], cells])
            second = builder.gep(cells, [ir.Constant(ir.IntType(32), 1)])
            found = [builder.load(cells), builder.load(second)]
            return context.make_tuple(builder, signature.return_type, found)

        return types.UniTuple(types.int64, 2)(*[types.int64] * 6), generate
