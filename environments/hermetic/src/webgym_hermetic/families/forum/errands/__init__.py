"""Everything one can be asked to do on a forum."""

from __future__ import annotations

from webgym_hermetic.families.forum.errands.base import ForumErrand, Question
from webgym_hermetic.families.forum.errands.compare import CompareOffers, FindMember, FindThread
from webgym_hermetic.families.forum.errands.figures import CountReplies, ReadCause, ReadFigure, WhoAnswered
from webgym_hermetic.families.forum.errands.forms import AnswerInvitation, ChangeSettings, StartThread
from webgym_hermetic.families.forum.errands.lookups import ReadLetter, ReadMeetup, ReadPoll, ReadProfile, ReadRule
from webgym_hermetic.families.forum.errands.react import AcceptAnswer, FollowMembers, KeepThreads, VoteFor, VoteInPoll
from webgym_hermetic.families.forum.errands.write import AnswerLetter, ReplyToThread, ReportPost, SendMessage

ERRANDS = (
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

__all__ = ["ERRANDS", "ForumErrand", "Question"]
