"""An incident in words: what, where and worth how much, before any sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from app.store import Alert, AlertIncident
from app.store.alerts.confidence import in_words as confidence
from dashboard.words import text


def headline(incident: AlertIncident, titled: Callable[[str], str]) -> str:
    """ "9 × Jeans size 28, Side exit, worth 449.10"; `titled` is how people call an area."""
    where = dict.fromkeys(titled(alert.area) for alert in incident.members if alert.area)
    return text.incidents.AND.join([*_besides(incident), *list(where)[:_MOST_AREAS], *_worth(incident)])


def things(incident: AlertIncident) -> str:
    """ "9 × Jeans size 28, worth 449.10", where the place is said already."""
    return text.incidents.AND.join([*_besides(incident), *_worth(incident)])


def titles(incident: AlertIncident) -> str:
    """ "Shelf sweep, 9 × Shoplifting"."""
    counted = Counter(alert.title for alert in incident.members)
    return text.incidents.AND.join(_times(title, number) for title, number in counted.items())


def doubts(incident: AlertIncident) -> tuple[str, ...]:
    """Whether anything of it is unproven, and how sure the least sure of it is."""
    unproven = sum(alert.unproven for alert in incident.members)
    known = [alert.probability for alert in incident.members if alert.probability is not None]
    sure = confidence(min(known)) if known else ""
    proof = text.incidents.UNPROVEN
    if unproven < len(incident.members):
        proof = text.incidents.PARTLY_UNPROVEN.format(unproven)
    return (*([proof] if unproven else []), *([sure] if sure else []))


def _worth(incident: AlertIncident) -> list[str]:
    return [text.incidents.WORTH.format(f"{incident.value:,.2f}")] if incident.value else []


def _besides(incident: AlertIncident) -> list[str]:
    """What it is about, unless that is the area itself, which is said anyway."""
    return [] if all(alert.subject == alert.area for alert in incident.members) else [_what(incident)]


def _what(incident: AlertIncident) -> str:
    """The things by their names; one alone with its number too, so that it can be found."""
    called = {alert.subject: _name(alert) for alert in reversed(incident.members)}
    if len(called) == 1:
        return about(incident.members[0])
    names = Counter(called.values()).most_common()
    shown = [_times(name, number) for name, number in names[:_MOST_NAMES]]
    rest = sum(number for _, number in names[_MOST_NAMES:])
    return text.incidents.AND.join([*shown, *([text.incidents.MORE.format(rest)] if rest else [])])


def about(alert: Alert, known: Callable[[str], str] = str) -> str:
    """ "Jeans size 28 (JEAN-28-001)"; `known` is what the place calls a subject that the alert does not name.
    A person is called by name alone."""
    name = _name(alert)
    if name == alert.subject:
        return known(alert.subject)
    told = (event.attributes for event in alert.evidence.events)
    persons = any(alert.subject in (one.get("patient"), one.get("entity")) for one in told)
    return name if persons else text.incidents.NAMED.format(name, alert.subject)


def _name(alert: Alert) -> str:
    """What the catalog calls the alert's subject; the subject itself where it does not say."""
    for event in alert.evidence.events:
        if event.attributes.get("name") and alert.subject in map(str, event.attributes.values()):
            return str(event.attributes["name"])
    return alert.subject


def _times(words: str, number: int) -> str:
    return text.incidents.SO_MANY.format(number, words) if number > 1 else words


_MOST_AREAS, _MOST_NAMES = 2, 3
