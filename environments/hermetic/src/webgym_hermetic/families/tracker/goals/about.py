"""Finding something out about people, milestones, releases, the handbook and the reports."""

from __future__ import annotations

from webgym_hermetic.families.tracker.goals.asking import Ask
from webgym_hermetic.families.tracker.goals.ways import home, to_page
from webgym_hermetic.families.tracker.records import World
from webgym_hermetic.view import Intent, View


def _by_way_of(view: View, path: str, hub: str) -> Intent | None:
    """A page that is linked from another one; None once it was seen."""
    if view.visited(path):
        return None
    return view.link(path) or to_page(view, hub) or home(view)


class TellAboutPerson(Ask, frozen=True):
    """Facts of a person's profile."""

    person: str

    def next(self, view: View) -> Intent | None:
        """Look at the profile."""
        return _by_way_of(view, f"/people/{self.person}", "/people")

    def about(self, world: World) -> str:
        """Of what it is asked."""
        return f" of {world.person[self.person].name}"

    def clauses(self, world: World) -> tuple[str, ...]:
        """What about whom."""
        name, asked = world.person[self.person].name, self.question()
        return (
            f"find out {asked} of {name}",
            f"look up the profile of {name} and tell me {asked}",
            f"open {name}'s profile and report {asked}",
            f"tell me {asked} of {name}, as the profile page has it",
        )


class TellAboutMilestone(Ask, frozen=True):
    """Facts of a milestone."""

    span: str

    def next(self, view: View) -> Intent | None:
        """Look at the milestone."""
        return _by_way_of(view, f"/milestone/{self.span}", "/milestones")

    def about(self, world: World) -> str:
        """Of what it is asked."""
        return f" of {world.milestone[self.span].name}"

    def clauses(self, world: World) -> tuple[str, ...]:
        """What about which milestone."""
        span, asked = world.milestone[self.span], self.question()
        name, project = span.name, world.project[span.project].name
        return (
            f"find out {asked} of {name} in the project {project}",
            f"open the milestone {name} of {project} and tell me {asked}",
            f"look up {name} ({project}) among the milestones and report {asked}",
            f"tell me {asked} of the milestone {name} that belongs to {project}",
        )


class TellAboutRelease(Ask, frozen=True):
    """Facts of a release."""

    release: str

    def next(self, view: View) -> Intent | None:
        """Look at the release."""
        return _by_way_of(view, f"/release/{self.release}", "/releases")

    def about(self, world: World) -> str:
        """Of what it is asked."""
        return f" of {world.release[self.release].name}"

    def clauses(self, world: World) -> tuple[str, ...]:
        """What about which release."""
        one, asked = world.release[self.release], self.question()
        project = world.project[one.project].name
        return (
            f"find out {asked} of {one.name} of {project}",
            f"open the page of {one.name} ({project}) and tell me {asked}",
            f"look at the releases and report {asked} of {one.name} in {project}",
            f"tell me {asked} of {one.name}, a release of {project}",
        )


class TellFromHandbook(Ask, frozen=True):
    """Facts of a page of the handbook."""

    article: str

    def next(self, view: View) -> Intent | None:
        """Read the page."""
        return _by_way_of(view, f"/handbook/{self.article}", "/handbook")

    def clauses(self, world: World) -> tuple[str, ...]:
        """What the handbook is asked."""
        title, asked = world.article[self.article].title, self.question()
        return (
            f"find out from the handbook {asked}",
            f'read the handbook page "{title}" and tell me {asked}',
            f'look into "{title}" in the handbook and report {asked}',
            f"tell me {asked}, according to the handbook",
        )


class TellFromReports(Ask, frozen=True):
    """Facts of the reports of a project."""

    project: str

    def next(self, view: View) -> Intent | None:
        """Look at the reports of the project."""
        path = f"/reports?project={self.project}"
        if view.visited(path):
            return None
        return view.link(path) or to_page(view, "/reports") or home(view)

    def about(self, world: World) -> str:
        """Of what it is asked."""
        return f" in {world.project[self.project].name}"

    def clauses(self, world: World) -> tuple[str, ...]:
        """What the reports are asked."""
        name, asked = world.project[self.project].name, self.question()
        return (
            f"find out from the reports {asked} in the project {name}",
            f"open the reports of {name} and tell me {asked}",
            f"use the reports page to tell me {asked} in {name}",
            f"check the reports for the project {name} and answer with {asked}",
        )


class TellNextMilestone(Ask, frozen=True):
    """Which of the milestones of a project has something: the answer is a name."""

    project: str
    phrase: str

    def next(self, view: View) -> Intent | None:
        """Look at all milestones."""
        return None if view.visited("/milestones") else to_page(view, "/milestones")

    def about(self, world: World) -> str:
        """Of what it is asked."""
        return f" of the milestone of {world.project[self.project].name} that {self.phrase}"

    def clauses(self, world: World) -> tuple[str, ...]:
        """Which one."""
        name = world.project[self.project].name
        return (
            f"find out which milestone of {name} {self.phrase} and answer with its name only",
            f"look at the milestones of the project {name} and tell me just the name of the one that {self.phrase}",
            f"of all milestones of {name}, name only the one that {self.phrase}",
            f"open the milestones page and give me only the name of the {name} milestone that {self.phrase}",
        )
