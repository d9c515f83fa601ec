"""Events in words, present and absent."""

from __future__ import annotations

SEEN = ("seen {}", "not seen {}")
GLIMPSED = ("read once {}", "not even read once {}")
GONE = ("gone from {}", "not gone from {}")
SCANNED = ("scanned {}", "not scanned {}")
WENT_OUT = ("gone out through {}", "not gone out through {}")
CAME_IN = ("come in through {}", "not come in through {}")
KINDS_OF_AREA = {
    "shelf": ("on a shelf", "a shelf"),
    "counter": ("at a checkout", "a checkout"),
    "exit": ("at an exit", "an exit"),
    "fitting": ("in the fitting room", "the fitting room"),
    "stock": ("in the stock room", "the stock room"),
    "cabinet": ("at a medicine cabinet", "a medicine cabinet"),
    "bed": ("at a bed", "a bed"),
    "station": ("at the nurses' station", "the nurses' station"),
    "door": ("in a door", "a door"),
    "returns": ("in the return box or on the returns desk", "the return box or the returns desk"),
    "reading": ("in the reading corner", "the reading corner"),
    "hall": ("in the hall", "the hall"),
    "living": ("in the living room", "the living room"),
    "bedroom": ("in the bedroom", "the bedroom"),
    "bathroom": ("in the bathroom", "the bathroom"),
}
IN_AREA = "in an area for {}"
NAMED = {
    "READER-ALIVE": ("reader heard", "reader not heard"),
    "SHELF-LOW": ("only few are left on the shelf", "enough are on the shelf"),
    "SHELF-FILLED": ("restocked", "not restocked"),
    "DOSE-DUE": ("dose due", "no dose due"),
    "DEPARTED": ("gone out through an exit", "not gone out through an exit"),
    "MEDICINE-TAKEN": ("medicine taken", "no medicine taken"),
    "MEDICINE-GLIMPSED": ("medicine perhaps taken", "no medicine perhaps taken"),
    "NOTHING-TAKEN": ("at the cabinet, no bottle read", "not at the cabinet, or a bottle read"),
    "LOAN-TOLD": ("a loan told", "no loan told"),
    "Person": ("a person left with a card", "no person left with a card"),
    "Book": ("a book left", "no book left"),
    "BookGone": ("a book gone out through a door", "no book gone out through a door"),
    "Unlent": ("a book left that nobody has borrowed", "no book left that nobody has borrowed"),
    "Checkout": ("a book was borrowed", "the book was not borrowed"),
    "Returned": ("a book was given back", "the book was not given back"),
    "ENTERED": ("came into a room, probably", "did not come into a room, probably"),
    "LEFT": ("left a room, probably", "did not leave the room, probably"),
    "PRESENT": ("is in a room, probably", "is not there, probably"),
    "EMPTY": ("nobody is home, probably", "somebody is home, probably"),
    "OCCUPIED": ("somebody is home, probably", "nobody is home, probably"),
    "MOTION": ("somebody passed between two rooms", "nobody passed between two rooms"),
    "LEAK": ("water was sensed", "no water was sensed"),
    "LEAK-TOLD": ("a senior was told of the leak", "no senior was told of the leak"),
    "STRANGE-MOTION": ("somebody moved while nobody was home", "nobody moved while nobody was home"),
    "Account": ("a book was lent or given back", "no book was lent or given back"),
}
NO_SUCH = "no {}"
OR = "{} or {}"
