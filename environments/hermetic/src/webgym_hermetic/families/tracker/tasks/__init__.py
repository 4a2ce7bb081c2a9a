"""Task templates of issue trackers, from one fact to a dozen."""

from __future__ import annotations

from webgym_hermetic.families.tracker.tasks import acts, asks
from webgym_hermetic.families.tracker.tasks.draw import of, one_of, tried
from webgym_hermetic.family import Template

_EASY = (
    Template("find_field", range(1, 3), of(one_of(asks.fields(1), asks.fields(2)))),
    Template("find_mentioned", range(1, 3), of(one_of(asks.mentioned(1), asks.mentioned(2)))),
    Template("ask_person", range(1, 3), of(one_of(asks.person(1), asks.person(2)))),
    Template(
        "ask_plan", range(1, 3), of(one_of(asks.milestone(1), asks.milestone(2), asks.release(1), asks.release(2)))
    ),
    Template("ask_handbook_and_person", range(2, 4), of(asks.handbook(1), one_of(asks.person(1), asks.person(2)))),
    Template("ask_report", range(1, 2), of(asks.report)),
    Template("ask_milestone", range(2, 3), of(asks.next_milestone, asks.handbook(1))),
    Template("count_issues", range(1, 2), of(one_of(asks.count(1), asks.count(2)))),
    Template("compare_issues", range(1, 2), of(asks.compare)),
    Template("open_first", range(2, 3), of(tried(asks.first))),
    Template("comment", range(1, 2), of(acts.comment)),
    Template("follow", range(2, 3), of(acts.follow)),
    Template("small_change", range(1, 4), of(one_of(acts.change(1), acts.change(2), acts.change(3)))),
    Template("few_settings", range(2, 4), of(one_of(acts.settings(2), acts.settings(3)))),
    Template("show_list", range(2, 4), of(one_of(acts.show_list(2), acts.show_list(3)))),
    Template("link_issues", range(1, 2), of(acts.link)),
    Template("close_duplicate", range(2, 3), of(acts.duplicate)),
    Template("log_time", range(2, 4), of(one_of(acts.log(), acts.log(("hours", "date"))))),
)
_MEDIUM = (
    Template("create_issue", range(4, 7), of(acts.create(4, 6))),
    Template(
        "change_two", range(4, 7), of(one_of(acts.change(2), acts.change(3)), one_of(acts.change(2), acts.change(3)))
    ),
    Template("save_filter", range(4, 7), of(one_of(*(acts.save_filter(count) for count in (3, 4, 5))))),
    Template("new_milestone", range(5, 7), of(acts.new_milestone)),
    Template(
        "settings_and_facts",
        range(4, 7),
        of(one_of(acts.settings(3), acts.settings(4)), one_of(asks.fields(1), asks.fields(2))),
    ),
    Template("triage", range(5, 6), of(acts.change(2), acts.comment, acts.follow)),
    Template("bulk_and_comment", range(4, 6), of(tried(acts.many(3, 4)), acts.comment)),
    Template("research", range(4, 6), of(asks.mentioned(2), one_of(asks.person(1), asks.person(2)), asks.handbook(1))),
    Template("log_and_link", range(5, 6), of(acts.log(), acts.link, acts.comment)),
    Template("settings_and_list", range(4, 7), of(acts.settings(2), one_of(acts.show_list(3), acts.show_list(4)))),
    Template("count_and_settings", range(4, 5), of(asks.count(3), acts.settings(3))),
)
_HARD = (
    Template("create_full_issue", range(7, 11), of(acts.create(8, 10))),
    Template("create_and_follow_up", range(9, 11), of(acts.create(6, 7), acts.comment, acts.settings(2))),
    Template("clean_up", range(8, 9), of(acts.duplicate, acts.change(3), acts.log())),
    Template("plan", range(8, 12), of(acts.new_milestone, tried(acts.many(2, 4)), acts.comment)),
    Template(
        "handover", range(8, 11), of(acts.settings(3), acts.save_filter(4), one_of(asks.fields(1), asks.fields(2)))
    ),
    Template("review_round", range(7, 8), of(asks.fields(2), asks.mentioned(2), asks.person(2), asks.handbook(1))),
    Template("busy_day", range(9, 10), of(acts.change(3), acts.change(3), acts.follow, acts.comment)),
    Template("new_and_old", range(9, 12), of(acts.create(5, 6), acts.change(3), acts.link)),
)

TEMPLATES = (*_EASY, *_MEDIUM, *_HARD)
