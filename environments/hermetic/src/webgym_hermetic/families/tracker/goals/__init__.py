"""What there is to do in a tracker."""

from __future__ import annotations

from webgym_hermetic.families.tracker.goals.about import (
    TellAboutMilestone,
    TellAboutPerson,
    TellAboutRelease,
    TellFromHandbook,
    TellFromReports,
    TellNextMilestone,
)
from webgym_hermetic.families.tracker.goals.changing import ChangeIssue, ChangeMany, CloseDuplicate
from webgym_hermetic.families.tracker.goals.choosing import ChangeSettings, ShowList
from webgym_hermetic.families.tracker.goals.issue_facts import (
    CompareIssues,
    CountIssues,
    FirstIssue,
    TellAboutIssue,
    TellMentioned,
)
from webgym_hermetic.families.tracker.goals.making import CreateIssue, CreateMilestone, SaveFilter
from webgym_hermetic.families.tracker.goals.writing import CommentOn, Follow, LinkIssues, LogTime
from webgym_hermetic.goal import Goal

GOALS: tuple[type[Goal], ...] = (
    TellAboutIssue,
    TellMentioned,
    CompareIssues,
    CountIssues,
    FirstIssue,
    TellAboutPerson,
    TellAboutMilestone,
    TellAboutRelease,
    TellFromHandbook,
    TellFromReports,
    TellNextMilestone,
    ChangeIssue,
    CloseDuplicate,
    ChangeMany,
    CommentOn,
    Follow,
    LinkIssues,
    LogTime,
    CreateIssue,
    CreateMilestone,
    SaveFilter,
    ChangeSettings,
    ShowList,
)
