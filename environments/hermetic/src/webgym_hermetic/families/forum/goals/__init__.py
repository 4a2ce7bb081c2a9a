"""Everything one can be asked to do on a forum."""

from __future__ import annotations

from webgym_hermetic.families.forum.goals.base import ForumGoal, Question
from webgym_hermetic.families.forum.goals.compare import CompareOffers, FindMember, FindThread
from webgym_hermetic.families.forum.goals.figures import CountReplies, ReadCause, ReadFigure, WhoAnswered
from webgym_hermetic.families.forum.goals.forms import AnswerInvitation, ChangeSettings, StartThread
from webgym_hermetic.families.forum.goals.lookups import ReadLetter, ReadMeetup, ReadPoll, ReadProfile, ReadRule
from webgym_hermetic.families.forum.goals.react import AcceptAnswer, FollowMembers, KeepThreads, VoteFor, VoteInPoll
from webgym_hermetic.families.forum.goals.write import AnswerLetter, ReplyToThread, ReportPost, SendMessage

GOALS = (
    AcceptAnswer,
    AnswerInvitation,
    AnswerLetter,
    ChangeSettings,
    CompareOffers,
    CountReplies,
    FindMember,
    FindThread,
    FollowMembers,
    KeepThreads,
    ReadCause,
    ReadFigure,
    ReadLetter,
    ReadMeetup,
    ReadPoll,
    ReadProfile,
    ReadRule,
    ReplyToThread,
    ReportPost,
    SendMessage,
    StartThread,
    VoteFor,
    VoteInPoll,
    WhoAnswered,
)

__all__ = ["GOALS", "ForumGoal", "Question"]
