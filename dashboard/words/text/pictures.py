"""What pictures say in words: the floor plan, the timeline, and their keys."""

from __future__ import annotations

PICTURE = "Picture"
FLOOR_PLAN = "Floor plan with readers, items and open alerts; the list beside it says the same in words"
ITEMS = "Items"
# By the kinds of areas of a place: what its tags are on.
TAGGED = {"bed": "Patients and medicine", "returns": "Books and cards", "living": "People, by their badges"}
READER_ALIVE = "Reader"
READER_SILENT = "Silent reader"
READER_UNKNOWN = "Reader not heard of"
SENSORS = {
    "rfid": "{}",
    "barcode": "{}: barcode scanner",
    "motion": "{}: motion sensor",
    "camera": "{}: camera",
    "leak": "{}: leak sensor",
}
PATH = "Path"
FOLLOWED = "What the alert is about"
MOVING = "What else moved"
TIMELINE = (
    "The alert's events, absences and readers on a line of time; the clauses above say the same in words"
)
ABSENT_FROM_TO = "{} between {} and {}."
PEOPLE = "People (the simulator's truth)"
STAGED = "Staged (the simulator's truth)"
HEARD = "A reader reports"
