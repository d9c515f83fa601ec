"""The plan of one conjunction: what is scanned, what is joined, what is negated, by which kernel."""

from __future__ import annotations

from dataclasses import dataclass

from sase.kernels.opcodes import AVG, LOAD, SCALAR
from sase.language import tree
from sase.language.walk import mentions
from sase.options import Limits, Options
from sase.plan.automaton import RANGING, Automaton, Check, build, is_local, roles
from sase.plan.bytecode import Assembler, Registers, StackLayout
from sase.plan.normal import Conjunction, Negative, Simple, Structure, names
from sase.plan.partition import Partitioning, partitioning

FOREVER = 2**62


@dataclass(frozen=True, slots=True)
class Scan:
    """What makes an event a candidate for one bit: begin a component, be taken into it, or rule out."""

    bit: int
    label: str
    types: tuple[str, ...]
    programs: tuple[int, ...]
    conditions: tuple[Simple, ...]


@dataclass(frozen=True, slots=True)
class Plan:
    shape: Structure
    options: Options
    limits: Limits
    strategy: str
    output: str
    compressed: bool  # results are graphs; where negation or OR looks at whole matches, they are lists
    window: int
    unit: str
    partitioning: Partitioning
    scans: tuple[Scan, ...]
    scanner: Assembler
    joiner: Assembler
    registers: Registers
    automaton: Automaton | None  # None: stacks
    joins: tuple[tuple[int, ...], ...]  # stacks: programs per component
    join_conditions: tuple[tuple[Simple, ...], ...]
    move_programs: tuple[tuple[tuple[int, ...], ...], ...]  # runs: per state, per move
    accept_programs: tuple[int, ...]
    negative_registers: Registers
    negative_programs: tuple[tuple[int, ...], ...]
    negative_conditions: tuple[tuple[Simple, ...], ...]

    @property
    def stacks(self) -> bool:
        return self.automaton is None

    @property
    def trailing(self) -> bool:
        return any(not n.high for n in self.shape.negatives)

    @property
    def reach(self) -> int:
        """How far back events matter: with negation at both ends a match that waits for its deadline was
        ruled out or not by events up to a window before it."""
        both = self.trailing and any(not n.low for n in self.shape.negatives)
        return min(2 * self.window, FOREVER) if both else self.window

    @property
    def once(self) -> bool:
        return self.output == "NON-OVERLAP"

    @property
    def counts_all(self) -> bool:
        """Whether events that no component wants matter, because the query counts or forbids them."""
        return self.unit == "events" or self.strategy.endswith("contiguity")

    @property
    def attributes(self) -> frozenset[str]:
        """Every attribute that matching reads."""
        read = {*self.scanner.attributes, *self.joiner.attributes}
        parts = self.partitioning
        return frozenset(read).union(parts.keys, parts.groups, parts.required)

    @property
    def sorts_strings(self) -> bool:
        """Whether two values that may be strings are ordered."""
        conditions = [c for scan in self.scans for c in scan.conditions]
        conditions += [c for group in self.join_conditions for c in group]
        conditions += [c for group in self.negative_conditions for c in group]
        if self.automaton is not None:
            conditions += [check.condition for check in self.automaton.checks]
        return any(_orders_strings(condition) for condition in conditions)


def _orders_strings(condition: tree.Condition) -> bool:
    match condition:
        case tree.AllOf() | tree.AnyOf():
            return any(_orders_strings(part) for part in condition.parts)
        case tree.Comparison():
            aggregates = (r for r in mentions(condition) if isinstance(r, tree.Aggregate))
            if any(r.function in ("min", "max") for r in aggregates):
                return True
            return condition.op not in ("=", "!=") and all(
                isinstance(side, tree.Attribute | tree.Aggregate)
                or (isinstance(side, tree.Constant) and isinstance(side.value, str))
                for side in (condition.left, condition.right)
            )
    return False


def plans(
    query: tree.Query,
    shape: Structure,
    disjuncts: tuple[Conjunction, ...],
    options: Options,
    limits: Limits,
) -> tuple[Plan, ...]:
    """One plan per disjunct of the condition."""
    graph = query.output == "COMPRESSED" and not shape.negatives and len(disjuncts) == 1
    return tuple(_plan(query, shape, disjunct, options, limits, graph) for disjunct in disjuncts)


def _plan(
    query: tree.Query,
    shape: Structure,
    conjunction: Conjunction,
    options: Options,
    limits: Limits,
    compressed: bool,
) -> Plan:
    """Push every condition as far down as it goes (SASE 4.3), and choose the kernel."""
    strategy = query.strategy.name if query.strategy else "skip_till_any_match"
    parts = partitioning(shape, conjunction, strategy, options)
    window = FOREVER if query.within is None else query.within.size
    assert isinstance(window, int)
    return _Planner(query, shape, options, limits, strategy, parts, window, compressed).plan()


class _Planner:
    def __init__(
        self,
        query: tree.Query,
        shape: Structure,
        options: Options,
        limits: Limits,
        strategy: str,
        parts: Partitioning,
        window: int,
        compressed: bool,
    ) -> None:
        self.compressed = compressed
        self.query, self.shape, self.options, self.limits = query, shape, options, limits
        self.strategy, self.parts, self.window = strategy, parts, window
        numbers = {c.name: i for i, c in enumerate(shape.components)}
        numbers |= {n.name: -1 for n in shape.negatives}
        self.scanner = Assembler(numbers, shape.components)
        self.joiner = Assembler(numbers, shape.components)
        self.registers = Registers()
        self.negative_registers = Registers(scalars=self.registers.scalars)
        absent = {n.name for n in shape.negatives}
        self.positive = [c for c in parts.conditions if not names(c) & absent]
        self.negative = [c for c in parts.conditions if names(c) & absent]

    def plan(self) -> Plan:
        joined = [c for c in self.positive if not self._scanned(c)]
        stacks = self._stacks_suffice()
        automaton = None if stacks else build(self.shape, tuple(joined))
        groups = self._join_groups(joined) if stacks else ()
        return Plan(
            shape=self.shape,
            options=self.options,
            limits=self.limits,
            strategy=self.strategy,
            output=self.query.output,
            compressed=self.compressed,
            window=self.window,
            unit=self.query.within.unit if self.query.within else "ms",
            partitioning=self.parts,
            scans=self._scans(),
            scanner=self.scanner,
            joiner=self.joiner,
            registers=self.registers,
            automaton=automaton,
            joins=tuple(
                tuple(self.joiner.add(Check(c, None, False), StackLayout()) for c in g) for g in groups
            ),
            join_conditions=groups,
            move_programs=tuple(
                tuple(tuple(self._program(check) for check in move.checks) for move in state.moves)
                for state in (automaton.states if automaton else ())
            ),
            accept_programs=tuple(self._program(check) for check in (automaton.accept if automaton else ())),
            negative_registers=self.negative_registers,
            negative_programs=tuple(self._negative_programs(n, stacks) for n in self.shape.negatives),
            negative_conditions=tuple(self._negative_joins(n) for n in self.shape.negatives),
        )

    def _program(self, check: Check) -> int:
        return self.joiner.add(check, self.registers)

    def _stacks_suffice(self) -> bool:
        """Stacks do plain sequences under skip-till-any-match; everything else needs runs."""
        components = self.shape.components
        in_order = all(c.after == frozenset(range(i)) for i, c in enumerate(components))
        return (
            self.options.stacks
            and in_order
            and not any(c.kleene for c in components)
            and self.strategy == "skip_till_any_match"
            and not self.compressed
        )

    def _scanned(self, condition: Simple) -> bool:
        mentioned = roles(condition, self.shape)
        return not mentioned or (self.options.push_predicates and is_local(mentioned))

    def _join_groups(self, joined: list[Simple]) -> tuple[tuple[Simple, ...], ...]:
        """Per component what can be tested once it and all after it are bound: we construct backwards."""
        groups: list[list[Simple]] = [[] for _ in self.shape.components]
        for condition in joined:
            groups[min(roles(condition, self.shape)) if self.options.push_predicates else 0].append(condition)
        return tuple(tuple(g) for g in groups)

    def _scans(self) -> tuple[Scan, ...]:
        n = len(self.shape.components)
        scans = []
        for c, component in enumerate(self.shape.components):
            local = [x for x in self.positive if self._scanned(x) and self._begins(x, c)]
            scans.append(self._scan(c, component.name, component.types, local, c))
        for c, component in enumerate(self.shape.components):
            if component.kleene:
                local = [x for x in self.positive if self._scanned(x) and self._repeats(x, c)]
                scans.append(self._scan(n + c, f"{component.name}[i]", component.types, local, c))
        for j, negative in enumerate(self.shape.negatives):
            local = [x for x in self.negative if names(x) == {negative.name}]
            scans.append(self._scan(2 * n + j, f"!{negative.name}", negative.types, local, None))
        return tuple(scans)

    def _begins(self, condition: Simple, c: int) -> bool:
        mentioned = roles(condition, self.shape)
        return bool(mentioned.get(c, frozenset()) & {"point", "each"}) or (not mentioned and c == 0)

    def _repeats(self, condition: Simple, c: int) -> bool:
        return bool(roles(condition, self.shape).get(c, frozenset()) & {"current", "each"})

    def _scan(
        self, bit: int, label: str, types: tuple[str, ...], local: list[Simple], component: int | None
    ) -> Scan:
        checks = [Check(condition, component, True) for condition in local]
        programs = tuple(self.scanner.add(check, Registers()) for check in checks)
        return Scan(bit, label, types, programs, tuple(local))

    def _negative_joins(self, negative: Negative) -> tuple[Simple, ...]:
        return tuple(c for c in self.negative if negative.name in names(c) and names(c) != {negative.name})

    def _negative_programs(self, negative: Negative, stacks: bool) -> tuple[int, ...]:
        programs = []
        for condition in self._negative_joins(negative):
            walked = tuple(c for c, own in roles(condition, self.shape).items() if own & RANGING)
            layout = StackLayout() if stacks else self.negative_registers
            programs.append(self.joiner.add(Check(condition, None, False, walked), layout))
        return tuple(programs)


def reads(plan_: Plan, program: int) -> tuple[set[tuple[int, int]], set[int]]:
    """The (register, attribute) pairs and the running values that a program reads."""
    start, end = plan_.joiner.programs[program][:2]
    pairs: set[tuple[int, int]] = set()
    scalars: set[int] = set()
    for op, a, b in plan_.joiner.code[start:end]:
        if op == LOAD and a >= 0:
            pairs.add((a, b))
        elif op == SCALAR:
            scalars.add(a)
        elif op == AVG:
            scalars |= {a, b}
    return pairs, {s for s in scalars if s >= 0}
