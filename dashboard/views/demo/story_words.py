"""The steps of a staged story in words, and when its alert is to be expected."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from app.store import Alert
from dashboard.components.story import ToldStep, ToldStory
from dashboard.context import Context, area_title, reader_name, subject_name
from dashboard.facts import stories
from dashboard.truth.stage import StagedStory, StoryStep
from dashboard.words import severity, text, times


def told_story(story: StagedStory, alert: Alert | None, heard: int, context: Context) -> ToldStory:
    """As it stands now; `heard` is how many readers have just reported something."""
    last = stories.decisive(story, context)
    ended = alert.stored_ms if alert else context.now_ms()
    label, _icon = text.demo.INCIDENTS[story.incident]
    return ToldStory(
        number=story.number,
        title=text.demo.STAGED.format(label, times.clock(story.heard_ms, context.zone)),
        expect="" if alert else expected(story.incident),
        steps=list(_steps(story, last, alert, heard, context)),
        watch=text.demo.STOPPED if alert else text.demo.RUNNING,
        elapsed=None if last is None else max(0, ended - last.heard_ms),
        running=alert is None and last is not None,
        alert=alert.id if alert else "",
        conclusion=text.demo.CONCLUSION.format(alert.title, alert.told) if alert else "",
        urgent=alert is not None and severity.look(alert.severity).rank <= severity.look("high").rank,
    )


def expected(incident: str) -> str:
    """When the alert comes, counted from the click."""
    staging = stories.STAGINGS.get(incident)
    return text.demo.EXPECT.format(staging.seconds) if staging else ""


def _steps(
    story: StagedStory, last: StoryStep | None, alert: Alert | None, heard: int, context: Context
) -> Iterator[ToldStep]:
    for step in story.steps:
        yield ToldStep(
            text.demo.AT.format(times.clock(step.heard_ms, context.zone), in_words(step, context)),
            "decisive" if step is last else "done",
        )
    if story.steps and alert is None:
        yield ToldStep(text.demo.RADIOS.format(heard), "heard")


def in_words(step: StoryStep, context: Context) -> str:
    where = area_title(context, step.area)
    if step.deed in ("fails", "spills"):
        return text.demo.DEEDS[step.deed].format(reader=reader_name(context, step.who))
    who = subject_name(context, step.who)
    return text.demo.DEEDS[step.deed].format(who=who, where=where, things=_things(step, context))


def _things(step: StoryStep, context: Context) -> str:
    rows = stories.rows_of(step.things, context)
    named = Counter(str(row.get("name") or row.get("medicine") or row["id"]) for row in rows)
    spoken = [
        name if count == 1 else text.demo.TIMES.format(count, name) for name, count in named.most_common(3)
    ]
    return ", ".join(spoken)
