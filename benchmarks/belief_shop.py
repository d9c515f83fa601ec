"""How fast a shop's readings become events by whereabouts: rows of the log in, events out, time passing.

Run with `python -m benchmarks.belief_shop [--tags 100000] [--seconds 60]`. The shop has eighteen shelves, a
till and a gate; of a hundred tags seven are carried from shelf to shelf in a minute, a few walk out, a
twentieth of the reads come from the shelf next door, three in ten polls are missed. Beside it goes the full
filter, for which no tag is ever settled, and how long questions take.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pyarrow as pa

from app.cleaning.cleaner import Cleaner
from app.log.row import ROW_SCHEMA, SENSED
from app.place.scenario import Scenario, load
from app.whereabouts.answers import Answers
from app.whereabouts.names import CatalogNames

SHELVES = 18
HIT, STRAY, MOVES, LEAVES = 0.7, 0.05, 1 / 800, 1 / 40_000  # a poll, and a second
WALK_S, OUT_READS = 10, 3
WARM_S, AGREE_S = 10, 25
ANSWER_S, ASKED_TIMES = 0.05, 5
NOON = 1_772_452_800_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tags", type=int, default=100_000)
    parser.add_argument("--seconds", type=int, default=60)
    arguments = parser.parse_args()
    with TemporaryDirectory() as folder:
        place = shop(Path(folder), arguments.tags)
        batches = list(readings(place, arguments.seconds, seed=1))
        rate, rows, events = measured(place, batches)
        same = agreement(place, batches[:AGREE_S])
        times = asked(place, batches[:AGREE_S])
        kept = memory(place)
    print(
        f"{rows:,} sightings of {arguments.tags:,} tags, {events:,} events: {rate / 1e6:.2f} million a second"
    )
    print(f"likeliest place as the full filter has it: {same:.4f}")
    print(f"memory: {kept:,.0f} bytes a tag")
    told = ", ".join(f"{what} {1000 * seconds:.1f} ms" for what, seconds in times.items())
    print(f"asked of {arguments.tags:,} tags ({1000 * ANSWER_S:.0f} ms asked): {told}")


def measured(place: Scenario, batches: list[pa.RecordBatch]) -> tuple[float, int, int]:
    """Sightings a second once most tags are known, how many, and what was told of them."""
    cleaner, spent, rows, events = Cleaner(place), 0.0, 0, 0
    for second, batch in enumerate(batches):
        began = time.process_time()
        told = cleaner.push(batch, NOON + 1000 * (second + 1))
        if second >= WARM_S:
            spent += time.process_time() - began
            rows, events = rows + batch.num_rows, events + told.num_rows
    return rows / spent, rows, events


def memory(place: Scenario) -> float:
    """Bytes that are kept of a tag between two batches: the tables that have a row for each."""
    cleaner = Cleaner(place)
    assert cleaner._believed
    tags, here = place.items.num_rows, cleaner._believed.tables
    each = (cleaner._tags, here.known, here.belief, here.given, here.trips)
    return sum(table.nbytes for table in (*each, here.links)) / tags


def agreement(place: Scenario, batches: list[pa.RecordBatch]) -> float:
    """How often, second by second, a tag that was heard is at the same place by the full filter."""
    fast, full = Cleaner(place), Cleaner(place)
    assert full._believed
    tables = full._believed.tables
    full._believed.tables = tables._replace(rules=tables.rules._replace(settled=2.0))
    same = []
    for second, batch in enumerate(batches):
        places = []
        for cleaner in (fast, full):
            cleaner.push(batch, NOON + 1000 * (second + 1))
            places.append(cleaner.placed().chances)
        heard = places[0].any(axis=1)
        same.append((places[0].argmax(axis=1) == places[1].argmax(axis=1))[heard].mean())
    return float(np.mean(same[WARM_S:]))


def asked(place: Scenario, batches: list[pa.RecordBatch]) -> dict[str, float]:
    """Seconds for each question, the best of some runs."""
    cleaner, names = Cleaner(place), CatalogNames(place.items)
    for second, batch in enumerate(batches):
        cleaner.push(batch, NOON + 1000 * (second + 1))
    answers = Answers(place, names, cleaner.placed(), NOON)
    shelf, rows = place.plan.areas[0].name, list(range(place.items.num_rows))
    questions: dict[str, Callable[[], object]] = {
        "where all are": cleaner.placed,
        "where one is": lambda: answers.of(0),
        "who is there": lambda: answers.contents(shelf, most=20),
        "how many are there": lambda: answers.number(rows, shelf),
    }
    return {what: min(_timed(question) for _ in range(ASKED_TIMES)) for what, question in questions.items()}


def _timed(question: Callable[[], object]) -> float:
    began = time.process_time()
    question()
    return time.process_time() - began


def shop(folder: Path, tags: int) -> Scenario:
    names = [f"shelf-{number}" for number in range(SHELVES)]
    areas = [
        f"    {name}: {{title: S, kind: shelf, shape: [{5 * n}, 0, 4, 4]}}" for n, name in enumerate(names)
    ]
    readers = [
        f"    r-{name}: {{area: {name}, at: [{5 * n + 2}, 2], reach: 3, every: 1 second}}"
        for n, name in enumerate(names)
    ]
    (folder / "items.csv").write_text(
        "tag,id,home\n" + "".join(f"E2{n:022X},I-{n},{names[n % SHELVES]}\n" for n in range(tags))
    )
    path = folder / "shop.yaml"
    path.write_text(
        "title: Shop\nsummary: Many shelves.\ntimezone: UTC\nplan:\n  size: [120, 5]\n  areas:\n"
        + "\n".join(areas)
        + "\n    till: {title: Till, kind: counter, shape: [92, 0, 4, 4]}\n"
        + "    gate: {title: Gate, kind: exit, shape: [100, 0, 4, 4]}\n  readers:\n"
        + "\n".join(readers)
        + "\n    r-till: {area: till, at: [94, 2], reach: 1, every: 500 ms, alive: heartbeat}\n"
        + "    r-gate: {area: gate, at: [102, 2], reach: 1, every: 250 ms, alive: heartbeat}\n"
        + "catalog:\n  items: items.csv\ncleaning: {method: whereabouts}\n"
    )
    return load(path)


def readings(place: Scenario, seconds: int, seed: int) -> Iterator[pa.RecordBatch]:
    """One batch a second."""
    draw = np.random.default_rng(seed)
    names = place.items.column("tag").combine_chunks()
    readers = pa.array([reader.name for reader in place.plan.readers])
    tags = len(names)
    where, free_at = np.arange(tags) % SHELVES, np.zeros(tags)
    gate = SHELVES + 1
    for second in range(seconds):
        lying = free_at <= second
        moved = np.flatnonzero(lying & (draw.random(tags) < MOVES))
        where[moved] = draw.integers(0, SHELVES, len(moved))
        free_at[moved] = second + WALK_S
        out = np.flatnonzero(lying & (draw.random(tags) < LEAVES))
        free_at[out] = np.inf
        heard = np.flatnonzero((free_at <= second) & (draw.random(tags) < HIT))
        stray = draw.random(len(heard)) < STRAY
        by = (where[heard] + np.where(stray, draw.choice([1, SHELVES - 1], len(heard)), 0)) % SHELVES
        tag = np.concatenate([heard, np.repeat(out, OUT_READS)])
        reader = np.concatenate([by, np.full(OUT_READS * len(out), gate)])
        ts = NOON + 1000 * second + draw.integers(0, 1000, len(tag))
        order = np.argsort(ts, kind="stable")
        yield _rows(names.take(pa.array(tag[order])), readers.take(pa.array(reader[order])), ts[order], draw)


def _rows(tag: pa.Array, reader: pa.Array, ts: np.ndarray, draw: np.random.Generator) -> pa.RecordBatch:
    count = len(tag)
    columns = {
        "kind": pa.repeat(SENSED[0], count),
        "reader": reader,
        "antenna": pa.repeat(pa.scalar(1, pa.int32()), count),
        "tag": tag,
        "ts": pa.array(ts),
        "rssi": pa.array(np.round(draw.normal(-52, 4, count), 1)),
        "received": pa.array(ts),
        "topic": pa.repeat("r", count),
    }
    found = [
        columns.get(field.name, pa.nulls(count, field.type))
        if field.name != "position"
        else pa.array(range(count))
        for field in ROW_SCHEMA
    ]
    return pa.RecordBatch.from_arrays(found, schema=ROW_SCHEMA)


if __name__ == "__main__":
    main()
