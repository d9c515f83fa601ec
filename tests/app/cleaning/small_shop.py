"""A shop with two shelves, a cabinet of medicine and a door, as a scenario's file."""

SHOP = """\
title: Corner shop
summary: Two shelves, a cabinet and a door.
timezone: UTC
plan:
  size: [20, 5]
  areas:
    tea:     {title: Tea,     kind: shelf,   shape: [0, 0, 4, 4]}
    coffee:  {title: Coffee,  kind: shelf,   shape: [5, 0, 4, 4]}
    cabinet: {title: Cabinet, kind: cabinet, shape: [10, 0, 4, 4]}
    door:    {title: Door,    kind: exit,    shape: [15, 0, 4, 4]}
  readers:
    tea-1:    {area: tea,     at: [2, 2],  reach: 3, every: 10 seconds}
    coffee-1: {area: coffee,  at: [7, 2],  reach: 3, every: 10 seconds}
    cab-1:    {area: cabinet, at: [12, 2], reach: 3, every: 1 second}
    door-1:   {area: door,    at: [17, 2], reach: 3, every: 250 ms}
catalog:
  items:
    - {tag: AA01, id: TEA-1, home: tea}
    - {tag: AA02, id: TEA-2, home: tea}
    - {tag: BB01, id: band-1, kind: patient, patient: p1, home: tea}
    - {tag: BB02, id: PILL-1, kind: medicine, patient: p1, times: "08:00 20:00", home: tea}
cleaning:
  refresh: {shelf: 10 minutes}
"""
NOON = 1_772_452_800_000
