"""Demo: staging, the story, the tour, the dials, the score."""

from __future__ import annotations

TITLE = "Demo"
DEMO_OF = "**{}.** {} Everything here is played by the simulator; everything after the reader is the product."
SHORTENED = (
    "So that nobody has to wait, patience is shortened in this demo: {}. In your own place it is yours."
)
SHORTER = "{}: {} instead of {}"
OTHER_PLACE = "Another place"
OTHER_PLACE_HELP = (
    "The demo starts anew there: alerts, accounts and changed parameters of this place are forgotten. "
    "It takes about a minute; open pages come back by themselves."
)
GOING = "On the way to {}. This page comes back by itself."
STAGE = "Stage an incident now"
INCIDENTS = {
    "shoplift": ("Shoplifting", ":material/shopping_bag:"),
    "misplace": ("Misplaced item", ":material/wrong_location:"),
    "sweep": ("Shelf sweep", ":material/shelves:"),
    "fitting_loss": ("Fitting-room loss", ":material/checkroom:"),
    "buy_up": ("Understocked shelf", ":material/production_quantity_limits:"),
    "copied_tag": ("Copied tag", ":material/content_copy:"),
    "overdose": ("Overdose", ":material/medication:"),
    "interaction": ("Drug interaction", ":material/vaccines:"),
    "wrong_patient": ("Wrong patient", ":material/person_alert:"),
    "missed_dose": ("Missed dose", ":material/alarm_off:"),
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
SENT = "{}: on its way"
EXPECT = "The alert is to be expected within {} seconds of the click."
STORY = "What happens"
NOTHING_STAGED = "Nothing has been staged yet: choose one of the buttons above."
ON_STAGE = "The simulator sends somebody in."
STAGED = "{}, staged at {}"
AT = "{} {}"
TIMES = "{} × {}"
DEEDS = {
    "walks": "{who} walks to {where}",
    "arrives": "{who} is at {where}",
    "takes": "{who} takes {things}",
    "puts": "{who} puts {things} down at {where}",
    "hides": "{who} hides {things} from the radios at {where}",
    "pays": "{who} pays at {where}",
    "leaves": "{who} is gone",
    "lifts": "{who} takes {things} at {where}",
    "copies": "A copy of the tag of {things}, which has left, lies at {where}",
    "ordered": "{who} is to take {things} at once: it has just been ordered",
    "sleeps": "{who} sleeps on",
    "fails": "The reader at {reader} is unplugged",
    "spills": "There is water at {reader}",
    "wet": "Every leak sensor has told of water in the last minutes: more of it would be the same leak",
    "enters": "Somebody who does not live here is in the {where}",
}
RADIOS = "Readers that hear something at this moment: {}"
RUNNING, STOPPED = "since the deed; waiting for the alert", "from the deed to the alert"
CONCLUSION = "{}: {}"
OPEN_ALERT = "Open the alert"
TOUR = "Take the tour (60 seconds)"
TOUR_STOP = "End the tour"
TOUR_STEPS = {
    "staged": "1 · What is staged. Watch the figure in {colour} on the map: it is the simulator's own truth, "
    "which the detectors never see.",
    "radios": "2 · What the radios hear. Green rings are readers that report; all that Vigil gets are tag "
    "numbers, readers and times.",
    "concludes": "3 · What Vigil concludes. The stopwatch ran from the deed to the alert.",
    "replay": "4 · The replay, from what the readers have heard alone.",
}
TOUR_COLOUR = "pink"
DIALS = "The world's dials"
SPEED, NOISE = "Speed", "Noise of the radios"
SPEEDS = [1, 2, 5, 10, 20, 60]
WORLD_TIME_AS_HERE = "There it is {}. Time passes as fast as here."
WORLD_TIME = "There it is {}. Time passes {} times as fast as here; asked for is {}."
TIMES_AS_FAST = "{}x"
TIMES_AS_MUCH = "{} times that of a real place"
NOISES = {0.0: "none", 0.5: "half", 1.0: "as in a real place", 2.0: "twice that", 4.0: "four times that"}
TURN = "Turn the dials"
NOISE_COSTS = "What the noise has cost so far"
NOISE_LEVEL = "Noise"
UNPLUG = "Unplug a reader"
UNPLUG_ANY = (
    "Whatever that reader would have heard is not known then: an alert that rests on its not having heard "
    "something comes all the same, marked unproven."
)
UNPLUG_TILL = (
    "Whatever that reader would have heard is not known then. Unplug a till and stage a theft: "
    "the alert comes all the same, marked unproven, because the till could not have heard a payment."
)
WHICH_READER = "Reader"
PULL, PLUG = "Unplug", "Plug in again"
UNPLUGGED = "Unplugged: {}"
ANSWERED = "The simulator at {}: {}"
SCORE = "Detectors against the truth"
SCORE_SINCE = (
    "Counted since {}, when this dashboard began to listen to the simulator, with the parameters in force."
)
NO_TRUTH = "This dashboard does not listen to a simulator, so it cannot know what really happened."
HAPPENED, SCORE_FOUND, NOT_FOUND, FALSELY = "Happened", "Found", "Missed", "False alarms"
PENDING = "Pending"
PRECISION, RECALL = "Alarms right", "Incidents found"
OFF_ROW = "{} (off)"
TRUTH = "The truth beside what was seen"
TRUTH_WHEN, TRUTH_WHAT, TRUTH_SEEN = "When", "What really happened", "What Vigil says"
SEEN_AFTER = "alert {} later"
SEEN_PENDING, SEEN_NOT = "not yet", "nothing"
SEEN_OFF = "nothing: the detector is off"
NO_INCIDENTS = "Nothing has gone wrong yet."
BELIEF = "What is believed beside what is"
BELIEF_HEADINGS = ("Who", "Probably in", "How sure", "Really in")
BELIEF_SCORE = (
    "While this page was open the likeliest place was the true one {} of {} times; "
    "the true place was held for {} likely."
)
BELIEF_SURE = "Of what was at least 90% sure, {} of {} was right."
NO_LOOKS = "Nothing has been compared yet."
NO_BELIEF = "Nothing is known yet of where anybody is. That comes with the first readings."
