"""Plays a scenario: agents act, radios hear, readers report, and the truth is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import pyarrow as pa

from app.place.scenario import Scenario
from app.place.simulation import Simulation
from simulator.sensors.radio import Radio
from simulator.sensors.reports import Reporter
from simulator.staging import rates, stage
from simulator.staging.cast import Cast
from simulator.truth.incident import Incident
from simulator.worlds.world import MINUTE, Column, World


@dataclass(frozen=True, slots=True)
class Scene:
    """What some simulated time brings."""

    until: int
    reports: pa.RecordBatch
    incidents: tuple[Incident, ...]


class Play:
    """One performance; `seed` decides everything that chance decides."""

    def __init__(
        self,
        scenario: Scenario,
        seed: int,
        *,
        noise: float = 1.0,
        start: int | None = None,
        length_ms: int | None = None,
        parts: tuple[str, ...] = ("rates", "script"),
    ) -> None:
        simulation = _simulation(scenario)
        self.now = simulation.start if start is None else start
        self.end = None if length_ms is None else self.now + length_ms
        self.world = World(scenario, Random(seed), self.now)
        self.cast = Cast(self.world)
        self._scenario, self._seed = scenario, seed
        self.set_noise(noise)
        self._reporter = Reporter(scenario)
        if "script" in parts:
            stage.rehearse(self.cast, simulation.script, simulation.start)
        if "rates" in parts:
            rates.populate(self.cast, simulation, self.end and self.end - self.cast.aftermath)

    def set_noise(self, factor: float) -> None:
        """From now on the radios are so many times as bad as the scenario says."""
        self.loudness = factor
        self.noise = _simulation(self._scenario).noise.scaled(factor)
        self._radio = Radio(self._scenario.plan, self._scenario.items.num_rows, self.noise, self._seed)

    @property
    def clock_errors(self) -> Column:
        """How many milliseconds the clock of each reader is ahead."""
        return self._radio.clock_errors

    def step(self, length: int) -> Scene:
        """The next scene."""
        self.now += length
        known = len(self.world.truth.incidents)
        reads = self._radio.hear(self.world.run(self.now))
        return Scene(self.now, self._reporter.batch(reads), tuple(self.world.truth.incidents[known:]))

    def scenes(self, length: int = MINUTE) -> Iterator[Scene]:
        """Scene after scene, to the end if there is one."""
        while self.end is None or self.now < self.end:
            yield self.step(length if self.end is None else min(length, self.end - self.now))


def _simulation(scenario: Scenario) -> Simulation:
    if scenario.simulation is None:
        raise ValueError(f"{scenario.name} is a real place: it has no simulation")
    return scenario.simulation
