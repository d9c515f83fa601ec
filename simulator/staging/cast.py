"""Who may come on stage: one agent for each word that rates and staged incidents use."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from simulator.worlds import home_incidents, home_staged, librarians, patrons, shoppers
from simulator.worlds.home import Home
from simulator.worlds.library import Library
from simulator.worlds.patients import Ward
from simulator.worlds.world import MINUTE, Agent, World

Stage = TypeVar("Stage", World, Library, Home)

# While one of these is unwatched nothing else goes wrong for it; tills, doors and cabinets are the evidence.
_MAY_FAIL = ("shelf", "stock", "bed", "station", "bedroom")


class Cast:
    """The people of a place, set up once: everything in its place, patients in bed.

    `aftermath` is how long the slowest detectors need after the deed."""

    def __init__(self, world: World) -> None:
        self.world, plan = world, world.scenario.plan
        self.ward = Ward(world) if plan.of_kind("cabinet") else None
        self.library = Library(world) if plan.of_kind("door") else None
        self.home = Home(world) if plan.moves else None
        self.aftermath = (80 if self.ward else 75 if self.home else 35) * MINUTE
        if self.home:
            for who in self.home.roles:
                world.begin(self.home.life(who))
        if self.ward:
            world.begin(self.ward.rounds())
        elif plan.of_kind("shelf") and not self.library:
            _fill_shelves(world)

    def agent(self, role: str) -> Agent:
        """KeyError for a role that this place does not have."""
        return self._roles()[role]()

    def staged(self, role: str) -> Agent:
        """The same by somebody in a hurry whose deeds are told: what takes hours takes a minute."""
        agent = _to_be_seen(self.world, {**self._roles(), **self._hurried()}[role]())
        return self.world.stories.staged(role, agent, self.world.now)

    def staged_dose(self, bottle: str) -> Agent:
        """A dose that has just been ordered and that nobody takes; LookupError for what is no bottle."""
        if self.ward is None:
            raise LookupError("doses are ordered on a ward")
        return self.world.stories.staged("missed_dose", self.ward.asleep(bottle), self.world.now)

    def roles(self) -> tuple[str, ...]:
        return tuple(self._roles())

    def _roles(self) -> dict[str, Callable[[], Agent]]:
        made: dict[str, Callable[[], Agent]] = {"reader_down": lambda: _failure(self.world)}
        if self.ward:
            ward = self.ward
            made |= {
                "as_needed_dose": ward.as_needed,
                "overdose": ward.overdose,
                "interaction": ward.interaction,
                "missed_dose": ward.missed_dose,
                "wrong_patient": ward.wrong_patient,
            }
        if self.library:
            library = self.library
            made |= {role: _with(agent, library) for role, agent in _LIBRARY.items()}
        if self.home:
            made |= {role: _with(agent, self.home) for role, agent in _HOME.items()}
        if self.world.scenario.plan.of_kind("exit"):
            made |= {role: _with(agent, self.world) for role, agent in _STORE.items()}
        return made

    def _hurried(self) -> dict[str, Callable[[], Agent]]:
        if self.library:
            library = self.library
            return {
                "misplace_book": lambda: patrons.misplacer(library),
            }
        if self.home:
            home = self.home
            return {role: _with(agent, home) for role, agent in _HOME_AT_ONCE.items()}
        if self.ward is None:
            return {"shoplift": lambda: shoppers.hasty_thief(self.world)}
        ward = self.ward
        return {"overdose": ward.handful, "interaction": ward.mixture}


_STORE: dict[str, Callable[[World], Agent]] = {
    "shopper": shoppers.shopper,
    "restock": shoppers.restocker,
    "shoplift": shoppers.thief,
    "misplace": shoppers.misplacer,
    "misplace_briefly": shoppers.brief_misplacer,
    "sweep": shoppers.sweeper,
    "fitting_loss": shoppers.hider,
    "copied_tag": shoppers.copier,
    "buy_up": shoppers.bulk_buyer,
}

_MISPLACERS = (patrons.misplacer, librarians.careless_librarian)
_LIBRARY: dict[str, Callable[[Library], Agent]] = {
    "patron": patrons.patron,
    "turbo": patrons.turbo,
    "couple": patrons.couple,
    "return_books": patrons.returner,
    "reshelve": librarians.reshelver,
    "booklift": patrons.booklifter,
    "confusion": patrons.confusers,
    "over_limit": patrons.exceeder,
    "misplace_book": lambda library: library.world.rng.choice(_MISPLACERS)(library),
    "misplace_book_briefly": patrons.brief_misplacer,
}

_HOME: dict[str, Callable[[Home], Agent]] = {
    "leak": home_incidents.leak,
    "leak_untold": home_incidents.unheard_leak,
    "long_in_bathroom": home_incidents.fall,
    "intruder": home_incidents.intruder,
}


_HOME_AT_ONCE: dict[str, Callable[[Home], Agent]] = {
    "leak_untold": home_staged.unheard_leak,
    "long_in_bathroom": home_staged.fall,
    "intruder": home_staged.intruder,
}


def _with(agent: Callable[[Stage], Agent], stage: Stage) -> Callable[[], Agent]:
    return lambda: agent(stage)


def _to_be_seen(world: World, agent: Agent) -> Agent:
    """What is staged happens to things that answer: a theft of a tag that never does would show nothing."""
    while True:
        left_alone = world.mute - world.reserved
        world.reserved |= left_alone
        wait = next(agent, None)
        world.reserved -= left_alone
        if wait is None:
            return
        yield wait


def _fill_shelves(world: World) -> None:
    """Most of each product on its shelf, the rest in the stock room."""
    stock = world.scenario.plan.of_kind("stock")
    for tag, home in enumerate(world.rows["home"]):
        is_spare = stock and world.rng.random() < 0.3
        world.put(tag, stock[0].name if is_spare else home)
        if not is_spare:
            world.truth.stock.lies(tag, home)


def _failure(world: World) -> Agent:
    """A reader goes down for some minutes and comes back."""
    plan = world.scenario.plan
    readers = [
        one for one in plan.readers if plan.area(one.area).kind in _MAY_FAIL and world.is_watched(one.area)
    ]
    if world.stories.is_told:  # one that is missed soon
        readers = sorted(readers, key=lambda one: one.every_ms)[:6]
    if readers:
        world.fail(world.rng.choice(readers).name, world.rng.randint(4, 8) * MINUTE)
    yield MINUTE
