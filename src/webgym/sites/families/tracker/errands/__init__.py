"""What there is to do in a tracker."""

from __future__ import annotations

from webgym.sites.errand import Errand
from webgym.sites.families.tracker.errands.about import (
    TellAboutMilestone,
    TellAboutPerson,
    TellAboutRelease,
    TellFromHandbook,
    TellFromReports,
    TellNextMilestone,
)
from webgym.sites.families.tracker.errands.changing import ChangeIssue, ChangeMany, CloseDuplicate
from webgym.sites.families.tracker.errands.choosing import ChangeSettings, ShowList
from webgym.sites.families.tracker.errands.issue_facts import (
    CompareIssues,
    CountIssues,
    FirstIssue,
    TellAboutIssue,
    TellMentioned,
)
from webgym.sites.families.tracker.errands.making import CreateIssue, CreateMilestone, SaveFilter
from webgym.sites.families.tracker.errands.writing import CommentOn, Follow, LinkIssues, LogTime

ERRANDS: tuple[type[Errand], ...] = (
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
