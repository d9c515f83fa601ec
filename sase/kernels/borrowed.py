"""Arrays as kernels' parts borrow them: where the cells are and how many, and nothing else.

Numba's own arrays are nine words each, looked at in every access, and a negative index counts from the end.
A machine has some forty of them: passed on as tuples they took most of the time to compile, and no register
was left for the loop. `borrowed` turns the arrays of a tuple, and of the tuples in it, into places that are
read and written in the same way; indices are never negative.
"""

from __future__ import annotations

import numba

if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def borrowed(tables):
        """Nothing to do in plain Python."""
        return tables

else:
    import operator

    from numba.core import cgutils, types
    from numba.core.imputils import lower_builtin
    from numba.core.typing.templates import (
        AbstractTemplate,
        AttributeTemplate,
        infer_getattr,
        infer_global,
        signature,
    )
    from numba.extending import intrinsic, lower_getattr, models, register_model
    from numba.np.arrayobj import make_array

    class Cells(types.Type):
        """Rows of cells, or cells."""

        def __init__(self, dtype: types.Type, ndim: int) -> None:
            self.dtype, self.ndim = dtype, ndim
            super().__init__(name=f"Cells({dtype}, {ndim})")

    @register_model(Cells)
    class CellsModel(models.StructModel):
        def __init__(self, manager, kind):
            members = [("data", types.CPointer(kind.dtype)), ("rows", types.intp), ("width", types.intp)]
            super().__init__(manager, kind, members[: 1 + kind.ndim])

    def first_cell(context, builder, kind, value):
        """Where the cells of an array begin, whether it is borrowed or not, and how many a row has."""
        if isinstance(kind, Cells):
            cells = cgutils.create_struct_proxy(kind)(context, builder, value)
            return cells.data, cells.width if kind.ndim == 2 else context.get_constant(types.intp, 1)
        array = make_array(kind)(context, builder, value)
        width = cgutils.unpack_tuple(builder, array.shape)[1:] or [context.get_constant(types.intp, 1)]
        return array.data, width[0]

    def _borrowed_type(kind):
        if isinstance(kind, types.Array):
            return Cells(kind.dtype, kind.ndim)
        if isinstance(kind, types.NamedTuple | types.NamedUniTuple):
            return types.NamedTuple([_borrowed_type(each) for each in kind.types], kind.instance_class)
        return kind

    def _borrow(context, builder, kind, value):
        if isinstance(kind, types.Array):
            array = make_array(kind)(context, builder, value)
            cells = cgutils.create_struct_proxy(_borrowed_type(kind))(context, builder)
            cells.data = array.data
            shape = cgutils.unpack_tuple(builder, array.shape)
            cells.rows = shape[0]
            if kind.ndim > 1:
                cells.width = shape[1]
            return cells._getvalue()
        if isinstance(kind, types.NamedTuple | types.NamedUniTuple):
            parts = [
                _borrow(context, builder, each, builder.extract_value(value, i))
                for i, each in enumerate(kind.types)
            ]
            return context.make_tuple(builder, _borrowed_type(kind), parts)
        return value

    @intrinsic
    def borrowed(context, tables):  # noqa: ARG001
        """The tuple with its arrays borrowed."""

        def generate(context, builder, signature, arguments):
            return _borrow(context, builder, signature.args[0], arguments[0])

        return _borrowed_type(tables)(tables), generate

    def _index(kind, index):
        """The types of an index: one number, or two for a table."""
        if isinstance(index, types.Integer):
            return types.intp
        if isinstance(index, types.BaseTuple) and len(index) == kind.ndim == 2:
            return types.UniTuple(types.intp, 2)
        return None

    @infer_global(operator.getitem)
    class GetCell(AbstractTemplate):
        def generic(self, args, kws):
            assert not kws
            kind, index = args
            if not isinstance(kind, Cells):
                return None
            if isinstance(index, types.Integer) and kind.ndim == 2:
                return signature(Cells(kind.dtype, 1), kind, types.intp)
            return signature(kind.dtype, kind, _index(kind, index))

    @infer_global(operator.setitem)
    class SetCell(AbstractTemplate):
        def generic(self, args, kws):
            assert not kws
            kind, index, _ = args
            return (
                signature(types.none, kind, _index(kind, index), kind.dtype)
                if isinstance(kind, Cells)
                else None
            )

    def _place(context, builder, kind, value, index):
        cells = cgutils.create_struct_proxy(kind)(context, builder, value)
        if kind.ndim == 1:
            return builder.gep(cells.data, [index])
        row, column = cgutils.unpack_tuple(builder, index)
        place = builder.add(builder.mul(row, cells.width, flags=["nsw"]), column, flags=["nsw"])
        return builder.gep(cells.data, [place])

    @lower_builtin(operator.getitem, Cells, types.intp)
    def get_cell_or_row(context, builder, signature, arguments):
        kind = signature.args[0]
        if kind.ndim == 1:
            return builder.load(_place(context, builder, kind, *arguments))
        cells = cgutils.create_struct_proxy(kind)(context, builder, arguments[0])
        row = cgutils.create_struct_proxy(signature.return_type)(context, builder)
        row.data = builder.gep(cells.data, [builder.mul(arguments[1], cells.width, flags=["nsw"])])
        row.rows = cells.width
        return row._getvalue()

    @lower_builtin(operator.getitem, Cells, types.UniTuple(types.intp, 2))
    def get_cell(context, builder, signature, arguments):
        return builder.load(_place(context, builder, signature.args[0], *arguments))

    @lower_builtin(operator.setitem, Cells, types.intp, types.Any)
    @lower_builtin(operator.setitem, Cells, types.UniTuple(types.intp, 2), types.Any)
    def set_cell(context, builder, signature, arguments):
        builder.store(arguments[2], _place(context, builder, signature.args[0], *arguments[:2]))
        return context.get_dummy_value()

    @infer_getattr
    class CellsAttributes(AttributeTemplate):
        key = Cells

        def resolve_shape(self, kind):
            return types.UniTuple(types.intp, kind.ndim)

        def resolve_size(self, kind):
            return types.intp if kind.ndim == 1 else None

    @lower_getattr(Cells, "shape")
    def shape_of(context, builder, kind, value):
        cells = cgutils.create_struct_proxy(kind)(context, builder, value)
        sizes = [cells.rows] if kind.ndim == 1 else [cells.rows, cells.width]
        return context.make_tuple(builder, types.UniTuple(types.intp, kind.ndim), sizes)

    @lower_getattr(Cells, "size")
    def size_of(context, builder, kind, value):
        return cgutils.create_struct_proxy(kind)(context, builder, value).rows
