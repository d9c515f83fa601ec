"""Demo: staging, the dials, the score."""

from __future__ import annotations

TITLE = "Demo"
DEMO_OF = "**{}.** {} Everything here is played by the simulator; everything after the reader is the product."
OTHER_PLACE = "Another place"
OTHER_PLACE_HELP = "The demo starts anew there: what is open here is forgotten. It takes about a minute."
GOING = "On the way to {}. This page comes back by itself in about a minute."
STAGE = "Stage an incident now"
INCIDENTS = {
    "shoplift": ("Shoplifting", ":material/shopping_bag:"),
    "misplace": ("Misplaced item", ":material/wrong_location:"),
    "sweep": ("Shelf sweep", ":material/cleaning_services:"),
    "fitting_loss": ("Fitting-room loss", ":material/checkroom:"),
    "copied_tag": ("Copied tag", ":material/content_copy:"),
    "overdose": ("Overdose", ":material/medication:"),
    "interaction": ("Drug interaction", ":material/vaccines:"),
    "wrong_patient": ("Wrong patient", ":material/person_alert:"),
    "booklift": ("Booklifting", ":material/menu_book:"),
    "confusion": ("Confusion", ":material/group:"),
    "over_limit": ("Over the limit", ":material/library_books:"),
    "misplace_book": ("Misplaced book", ":material/wrong_location:"),
    "leak": ("Leak", ":material/water_damage:"),
    "leak_untold": ("Leak that no senior knows of", ":material/water_drop:"),
    "long_in_bathroom": ("Fall in the bathroom", ":material/personal_injury:"),
    "intruder": ("Stranger in the home", ":material/door_open:"),
    "reader_down": ("Reader down", ":material/sensors_off:"),
}
SENT = "{}: told to the simulator"
DIALS = "The world's dials"
SPEED, NOISE = "Speed", "Noise of the radios"
SPEEDS = [1, 2, 5, 10, 20, 60]
WORLD_TIME = "There it is {}. Time passes {} times as fast as here; asked for is {}."
TIMES_AS_FAST = "{}x"
TIMES_AS_MUCH = "{} times that of a real place"
NOISES = {0.0: "none", 0.5: "half", 1.0: "as in a real place", 2.0: "twice that", 4.0: "four times that"}
TURN = "Turn the dials"
ANSWERED = "The simulator at {}: {}"
SCORE = "Detectors against the truth"
SCORE_SINCE = "Counted since {}, when this dashboard began to listen to the simulator."
NO_TRUTH = "This dashboard does not listen to a simulator, so it cannot know what really happened."
HAPPENED, SCORE_FOUND, NOT_FOUND, FALSELY = "Happened", "Found", "Not found (yet)", "False alarms"
PRECISION, RECALL = "Alarms right", "Incidents found"
BELIEF = "What is believed beside what is"
BELIEF_HEADINGS = ("Who", "Probably in", "How sure", "Really in")
BELIEF_SCORE = (
    "While this page was open the likeliest place was the true one {} of {} times; "
    "the true place was held for {} likely."
)
BELIEF_SURE = "Of what was at least 90% sure, {} of {} was right."
NO_LOOKS = "Nothing has been compared yet."
NO_BELIEF = "Nothing is known yet of where anybody is. That comes with the first readings."
