"""Plays a scenario: agents act, radios hear, readers report, and the truth is kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random

import numpy as np
import pyarrow as pa

from app.place.radio import PRESETS, RadioDials
from app.place.scenario import Scenario
from app.place.simulation import Simulation
from simulator.sensors.held_reports import HeldReports
from simulator.sensors.radio import Radio
from simulator.sensors.reads import Chosen
from simulator.sensors.reports import Reporter
from simulator.staging import rates, stage
from simulator.staging.cast import Cast
from simulator.truth.incident import Incident
from simulator.worlds.world import MINUTE, Column, Presences, World


@dataclass(frozen=True, slots=True)
class Scene:
    """What some simulated time brings."""

    until: int
    reports: pa.RecordBatch
    arrives: Column  # when each report comes, by the true time
    presences: Presences
    incidents: tuple[Incident, ...]


class Play:
    """One performance; `seed` decides everything that chance decides. `radio` names a preset or sets
    the dials; left out, it is the scenario's own. With a `haste` of a tenth people stay a tenth as long."""

    def __init__(
        self,
        scenario: Scenario,
        seed: int,
        *,
        radio: str | RadioDials | None = None,
        noise: float = 1.0,
        start: int | None = None,
        length_ms: int | None = None,
        parts: tuple[str, ...] = ("rates", "script"),
        haste: float = 1.0,
    ) -> None:
        simulation = _simulation(scenario)
        self.now = simulation.start if start is None else start
        self.end = None if length_ms is None else self.now + length_ms
        self.world = World(scenario, Random(seed), self.now)
        self.world.haste = haste
        self.cast = Cast(self.world)
        self._scenario, self._seed, self._start = scenario, seed, self.now
        self._dials = PRESETS[radio] if isinstance(radio, str) else radio or simulation.radio
        self.world.tills_stay_open = self._dials.open_tills
        self._held = HeldReports()
        self.set_noise(noise)
        self._reporter = Reporter(scenario)
        self._told = 0
        clocks = zip(self.clock_errors.tolist(), self._radio.clock_drifts.tolist(), strict=True)
        for reader, (ahead, drift) in zip(scenario.plan.readers, clocks, strict=True):
            self.world.truth.clock_runs(reader.name, ahead, drift, self.now)
        if "script" in parts:
            stage.rehearse(self.cast, simulation.script, simulation.start)
        if "rates" in parts:
            rates.populate(self.cast, simulation, self.end and self.end - self.cast.aftermath)

    def set_noise(self, factor: float) -> None:
        """From now on the radios are so many times as bad as the scenario says."""
        self.loudness = factor
        self._radio = Radio(self._scenario, self._dials.scaled(factor), self._seed, self._start)
        self.world.mute = set(np.flatnonzero(self.mute).tolist())

    @property
    def clock_errors(self) -> Column:
        """How many milliseconds the clock of each reader was ahead at the beginning."""
        return self._radio.clock_errors

    @property
    def mute(self) -> Chosen:
        """Which tags never answer."""
        return self._radio.mute

    def step(self, length: int) -> Scene:
        """The next scene."""
        self.now += length
        presences = self.world.run(self.now)
        heard = self._radio.hear(presences)
        self._held.add(self._reporter.batch(heard.reads), heard.arrives)
        arrived = self._held.until(None if self.now == self.end else self.now)
        incidents = tuple(self.world.truth.incidents[self._told :])
        self._told += len(incidents)
        return Scene(self.now, *arrived, presences, incidents)

    def scenes(self, length: int = MINUTE) -> Iterator[Scene]:
        """Scene after scene, to the end if there is one."""
        while self.end is None or self.now < self.end:
            yield self.step(length if self.end is None else min(length, self.end - self.now))


def _simulation(scenario: Scenario) -> Simulation:
    if scenario.simulation is None:
        raise ValueError(f"{scenario.name} is a real place: it has no simulation")
    return scenario.simulation
