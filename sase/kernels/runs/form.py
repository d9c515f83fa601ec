"""What of the runs' kernel a plan needs: the kernel is compiled for each form, without what that form lacks.

Beside what only some queries ask for, the loop was a third slower for all of them. What a form fixes is known
to the compiler, which leaves the rest out; nothing else differs.
"""

from __future__ import annotations

from typing import NamedTuple

import numba


class Plain(NamedTuple):
    """Most queries: no probability, runs share their past, conditions need no look at all of it."""

    asked: bool = False
    walks: bool = False
    copies: bool = False
    bare: bool = False


class Likely(NamedTuple):
    """The same with HAVING."""

    asked: bool = True
    walks: bool = False
    copies: bool = False
    bare: bool = False


class Bare(NamedTuple):
    """Of Plain what skips till the next match and asks for nothing more: see `RunsPlan`."""

    asked: bool = False
    walks: bool = False
    copies: bool = False
    bare: bool = True


class General(NamedTuple):
    """Anything."""

    asked: bool
    walks: bool  # some condition ranges over the events of a Kleene component that were taken before
    copies: bool  # every run has a past of its own
    bare: bool = False


Form = Plain | Likely | Bare | General


def form_of(asked: bool, walks: bool, copies: bool, bare: bool) -> Form:
    if walks or copies:
        return General(asked, walks, copies)
    if asked:
        return Likely()
    return Bare() if bare else Plain()


def widened(form: Form) -> Form:
    """The same for a query that has come to ask for more."""
    return form_of(form.asked, form.walks, form.copies, False)


if numba.config.DISABLE_JIT:  # type: ignore[attr-defined]

    def asks(form):
        return form.asked

    def walks(form):
        return form.walks

    def copies(form):
        return form.copies

    def bare(form):
        return form.bare

else:
    from numba.core import types
    from numba.extending import intrinsic

    def _told(field):
        """A function that tells one field of a form; of a fixed form as a constant."""

        def tell(context, form):  # noqa: ARG001
            fixed = None if form.instance_class is General else form.instance_class._field_defaults[field]
            place = form.instance_class._fields.index(field)

            def generate(context, builder, signature, arguments):  # noqa: ARG001
                if fixed is None:
                    return builder.extract_value(arguments[0], place)
                return context.get_constant(types.boolean, fixed)

            return types.boolean(form), generate

        return intrinsic(tell)

    asks, walks, copies, bare = map(_told, ("asked", "walks", "copies", "bare"))
