"""What there is to do in a tracker."""

from __future__ import annotations

from webgym_hermetic.errand import Errand
from webgym_hermetic.families.tracker.errands.about import (
    TellAboutMilestone,
    TellAboutPerson,
    TellAboutRelease,
    TellFromHandbook,
    TellFromReports,
    TellNextMilestone,
)
from webgym_hermetic.families.tracker.errands.changing import ChangeIssue, ChangeMany, CloseDuplicate
from webgym_hermetic.families.tracker.errands.choosing import ChangeSettings, ShowList
from webgym_hermetic.families.tracker.errands.issue_facts import (
    CompareIssues,
    CountIssues,
    FirstIssue,
    TellAboutIssue,
    TellMentioned,
)
from webgym_hermetic.families.tracker.errands.making import CreateIssue, CreateMilestone, SaveFilter
from webgym_hermetic.families.tracker.errands.writing import CommentOn, Follow, LinkIssues, LogTime

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
