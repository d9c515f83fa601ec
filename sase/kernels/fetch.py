"""Asks the processor for a row that will be read soon, so that the wait for memory overlaps with work."""

from __future__ import annotations

import numba

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def fetch(table, row):
        """Nothing to do in plain Python."""

else:
    from llvmlite import ir
    from numba.core import cgutils, types
    from numba.extending import intrinsic

    from sase.kernels.borrowed import first_cell

    _READ, _KEEP, _DATA = 0, 3, 1  # what llvm.prefetch is told: to read, to keep in all caches, data

    @intrinsic
    def fetch(context, table, row):  # noqa: ARG001
        """Row `row` of a table."""

        def generate(context, builder, signature, arguments):
            start, width = first_cell(context, builder, signature.args[0], arguments[0])
            byte = ir.IntType(8)
            place = builder.bitcast(builder.gep(start, [builder.mul(arguments[1], width)]), byte.as_pointer())
            whole = ir.IntType(32)
            kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), whole, whole, whole])
            prefetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            builder.call(prefetch, [place, *(ir.Constant(whole, x) for x in (_READ, _KEEP, _DATA))])
            return context.get_dummy_value()

        return types.none(table, types.int64), generate
