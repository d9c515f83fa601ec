"""Runs the byte code of a condition against an event, a run's registers and, where asked, its whole past."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sase.kernels.cells import (
    CODE,
    CODE_END,
    COMPARISON,
    COMPONENT_BITS,
    COMPONENTS,
    FIELDS,
    INNER,
    INNER_BEFORE,
    INNER_EVENT,
    INNER_SKIPS,
    KIND,
    LEFT_EVENT,
    LEFT_VALUE,
    OPERAND,
    OPERATION,
    OUTER,
    OUTER_BEFORE,
    OUTER_EVENT,
    OUTER_SKIPS,
    RIGHT_EVENT,
    RIGHT_VALUE,
    SECOND,
    VALUE,
    WALK_VALUES,
)
from sase.kernels.jit import inlined, part
from sase.kernels.opcodes import AND, AVG, COMPARE, CONST, DIV, LOAD, MUL, NEG, OR, SCALAR
from sase.kernels.running import add_to_scalars, clear_scalars
from sase.kernels.values import INTEGER, calculate, compares

DEPTH = 128  # operands of one expression


class Program(NamedTuple):
    """All conditions of a plan; places in events and registers are columns of their tables."""

    code: NDArray[np.int64]
    checks: NDArray[np.int64]
    rank: NDArray[np.int64]  # of string codes, where strings are ordered
    scalars: NDArray[np.int64]  # the running values of a run
    exact: int  # address of the function that knows numbers beyond 64 bits
    clashes: NDArray[np.int64]  # one cell: how many values could not be compared or computed with


class Events(NamedTuple):
    """The window's events."""

    rows: NDArray[np.int64]
    base: int  # number of the event in the first row: those before it are gone


class Scratch(NamedTuple):
    """Work space of one kernel call."""

    stack: NDArray[np.int64]  # operands
    walk: NDArray[np.int64]


class Conditions(NamedTuple):
    """What it takes to evaluate a condition: they always go together."""

    program: Program
    events: Events
    scratch: Scratch


def scratch(slots: int) -> Scratch:
    return Scratch(np.zeros((DEPTH, 2), np.int64), np.zeros(WALK_VALUES + 2 * slots + 1, np.int64))


@inlined
def holds(check, event, registers, row, conditions):
    """Whether a check is true for an event and a row of the registers.

    Most compare an attribute of one event with one of another: that is done here, without a call.
    """
    checks = conditions.program.checks
    comparison = checks[check, COMPARISON]
    if comparison >= 0:
        events = conditions.events
        left = event_in(checks[check, LEFT_EVENT], event, registers, row, conditions.scratch) - events.base
        right = event_in(checks[check, RIGHT_EVENT], event, registers, row, conditions.scratch) - events.base
        value = checks[check, LEFT_VALUE]
        other = checks[check, RIGHT_VALUE]
        return compares(
            comparison,
            events.rows[left, value],
            events.rows[left, value + KIND],
            events.rows[right, other],
            events.rows[right, other + KIND],
            conditions.program,
        )
    return evaluates(check, event, registers, row, conditions)


@part
def evaluates(check, event, registers, row, conditions):
    """The same for any condition, by a stack of operands."""
    code = conditions.program.code
    stack = conditions.scratch.stack
    top = 0  # operands on the stack
    for at in range(conditions.program.checks[check, CODE], conditions.program.checks[check, CODE_END]):
        operation = code[at, OPERATION]
        operand = code[at, OPERAND]
        second = code[at, SECOND]
        if operation == LOAD:
            events = conditions.events
            loaded = event_in(operand, event, registers, row, conditions.scratch) - events.base
            put(top, events.rows[loaded, second], events.rows[loaded, second + KIND], stack)
            top += 1
        elif operation == CONST:
            put(top, operand, second, stack)
            top += 1
        elif operation == SCALAR:
            put_scalar(top, operand, registers, row, conditions.scratch)
            top += 1
        elif operation == AVG:
            put_scalar(top, operand, registers, row, conditions.scratch)
            put_scalar(top + 1, second, registers, row, conditions.scratch)
            combine(DIV, top, stack, conditions.program)
            top += 1
        elif operation == NEG:
            put(top, -1, INTEGER, stack)
            combine(MUL, top - 1, stack, conditions.program)
        else:  # two operands become one
            top -= 1
            if operation == COMPARE:
                stack[top - 1, VALUE] = compares(
                    operand,
                    stack[top - 1, VALUE],
                    stack[top - 1, KIND],
                    stack[top, VALUE],
                    stack[top, KIND],
                    conditions.program,
                )
            elif operation == AND:
                stack[top - 1, VALUE] &= stack[top, VALUE]
            elif operation == OR:
                stack[top - 1, VALUE] |= stack[top, VALUE]
            else:
                combine(operation, top - 1, stack, conditions.program)
    return stack[0, VALUE] != 0


@inlined
def event_in(slot, event, registers, row, scratch):
    """The event in a register: -1 is the one being tested, below that are those of a walk."""
    if slot == -1:
        return event
    if slot >= 0:
        return registers[row, slot]
    return scratch.walk[-2 - slot]


@inlined
def put(at, value, kind, stack):
    stack[at, VALUE] = value
    stack[at, KIND] = kind


@inlined
def put_scalar(at, column, registers, row, scratch):
    """A running value: of the run, or below 0 of the walk under way."""
    if column >= 0:
        put(at, registers[row, column], registers[row, column + KIND], scratch.stack)
    else:
        place = WALK_VALUES - FIELDS - column
        put(at, scratch.walk[place], scratch.walk[place + KIND], scratch.stack)


@inlined
def combine(operation, at, stack, program):
    """Calculate with the operand at `at` and the one above it; the result takes the place of the first."""
    value, kind = calculate(
        operation, stack[at, VALUE], stack[at, KIND], stack[at + 1, VALUE], stack[at + 1, KIND], program.exact
    )
    put(at, value, kind, stack)


@part
def holds_along(check, event, registers, row, path, length, conditions):
    """Whether a check holds for every event of the Kleene components that it walks over: one, two or none."""
    program = conditions.program
    walk = conditions.scratch.walk
    outer = program.checks[check, OUTER]
    if outer < 0:
        return holds(check, event, registers, row, conditions)
    clear_scalars(outer, walk, WALK_VALUES, program.scalars)
    count = 0
    for i in range(length):
        if path[i] & COMPONENTS != outer:
            continue
        count += 1
        walk[OUTER_EVENT] = path[i] >> COMPONENT_BITS
        if count > program.checks[check, OUTER_SKIPS] and not holds_along_inner(
            check, event, registers, row, path, length, conditions
        ):
            return False
        add_to_scalars(outer, walk[OUTER_EVENT], walk, WALK_VALUES, program, conditions.events)
        walk[OUTER_BEFORE] = walk[OUTER_EVENT]
    return True


@inlined
def holds_along_inner(check, event, registers, row, path, length, conditions):
    """The same for the second component, the event of the first one being chosen."""
    program = conditions.program
    walk = conditions.scratch.walk
    inner = program.checks[check, INNER]
    if inner < 0:
        return holds(check, event, registers, row, conditions)
    clear_scalars(inner, walk, WALK_VALUES, program.scalars)
    count = 0
    for i in range(length):
        if path[i] & COMPONENTS != inner:
            continue
        count += 1
        walk[INNER_EVENT] = path[i] >> COMPONENT_BITS
        if count > program.checks[check, INNER_SKIPS] and not holds(check, event, registers, row, conditions):
            return False
        add_to_scalars(inner, walk[INNER_EVENT], walk, WALK_VALUES, program, conditions.events)
        walk[INNER_BEFORE] = walk[INNER_EVENT]
    return True
