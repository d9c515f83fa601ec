"""Copies a stretch of an array to another place in it, as fast as the machine can."""

from __future__ import annotations

import numba

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def move(values, to, start, count):
        """Stretches may overlap: the right side is read before the left is written."""
        values[to : to + count] = values[start : start + count].copy()

else:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    from sase.kernels.borrowed import first_cell

    BYTES = 8  # of an int64

    @intrinsic
    def move(context, values, to, start, count):  # noqa: ARG001
        """values[to : to + count] = values[start : start + count], of int64 side by side.

        A loop over the same array is compiled to one step per value, because the stretches might overlap.
        """

        def generate(context, builder, signature, arguments):
            cells, _ = first_cell(context, builder, signature.args[0], arguments[0])
            byte, whole = ir.IntType(8).as_pointer(), ir.IntType(64)
            target, source = (builder.bitcast(builder.gep(cells, [place]), byte) for place in arguments[1:3])
            size = builder.mul(arguments[3], ir.Constant(whole, BYTES))
            kind = ir.FunctionType(ir.VoidType(), [byte, byte, whole, ir.IntType(1)])
            memmove = cgutils.get_or_insert_function(builder.module, kind, "llvm.memmove.p0.p0.i64")
            builder.call(memmove, [target, source, size, ir.Constant(ir.IntType(1), 0)])
            return context.get_dummy_value()

        return types.none(values, types.int64, types.int64, types.int64), generate
