"""Editions as JSON, by `schema/bans.schema.json`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from carddb.bans.edition import Edition, LevelChange, ListedGroup
from carddb.bans.log import stated_level, stated_list
from carddb.core.dates import moment_text
from carddb.press.bans.wording import Publication

SCHEMA = "carddb.bans/1"


def edition_data(edition: Edition, publication: Publication) -> dict[str, Any]:
    """One edition: the list on its day, and the announcement it is about, if it is about one."""
    game = publication.game
    return {
        "schema": SCHEMA,
        "game": {"key": game.key, "name": game.name},
        "list": stated_list(edition.list),
        "sample": publication.sample,
        "note": publication.note or None,
        "day": edition.day.isoformat(),
        "known_at": moment_text(edition.known_at) if edition.known_at else None,
        "fingerprint": edition.fingerprint,
        "previous": edition.previous or None,
        "until": edition.until.isoformat() if edition.until else None,
        "levels": [stated_level(level.spec) for level in edition.levels],
        "cards": [
            {"ref": row.ref, "name": row.name, "level": row.level, "since": row.since.isoformat(),
             "announcement": row.announcement, "why": row.why}
            for row in edition.rows
        ],
        "groups": [_group(group) for group in edition.in_force],
        "announcement": _news(edition),
    }  # fmt: skip


def upcoming_data(editions: Iterable[Edition], publication: Publication) -> dict[str, Any]:
    """What is announced and not yet in force: an edition for each day on which the list will change."""
    return {"schema": f"{SCHEMA}-upcoming", "days": [edition_data(edition, publication) for edition in editions]}


def _group(group: ListedGroup) -> dict[str, Any]:
    spec = group.spec
    return {
        "key": spec.key,
        "members": [member._asdict() for member in group.members],
        "at_most_different": spec.at_most_different,
        "at_most": spec.at_most,
        "anchor": spec.anchor,
        **({"max_copies": spec.max_copies} if spec.max_copies is not None else {}),
        **({"query": spec.query} if spec.query else {}),
        "since": group.since.isoformat(),
        "announcement": group.announcement,
        "why": group.why,
    }


def _news(edition: Edition) -> dict[str, Any] | None:
    news = edition.news
    if news is None:
        return None
    announcement = news.announcement
    return {
        "id": announcement.id,
        "kind": announcement.kind,
        "made": moment_text(announcement.made) if announcement.made_known else None,
        "effective": announcement.effective.isoformat(),
        "notice_days": news.notice if announcement.made_known else None,
        "due": news.due,
        "target": announcement.target or None,
        "supersedes": announcement.supersedes or None,
        "waiver": announcement.waiver or None,
        "author": announcement.author or None,
        "source": announcement.source or None,
        "stricter": [_step(step) for step in news.stricter],
        "softer": [_step(step) for step in news.softer],
        "groups": [
            {"key": group.spec.key, "to": "off" if group.ended else "on", "why": group.why, **_moves(group)}
            for group in edition.groups
            if group.is_news
        ],
        "answers": [{"kind": kind, "id": id_} for kind, id_ in news.answers],
        "overtakes": list(news.overtakes),
        "overtaken_by": list(news.overtaken_by),
    }


def _moves(group: ListedGroup) -> dict[str, Any]:
    """The members that joined a group, and those that left it, where there are any."""
    moves = {"joined": group.joined, "left": group.left}
    return {key: [member._asdict() for member in members] for key, members in moves.items() if members}


def _step(step: LevelChange) -> dict[str, Any]:
    return {"ref": step.ref, "name": step.name, "from": step.before, "to": step.after, "why": step.why}
