"""The pieces that a printed notice and a list to hang up are made of, each with its height. Lengths are mm."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from types import MappingProxyType
from typing import Any

from carddb.bans.edition import Edition, LevelChange, ListedCard, ListedGroup
from carddb.press.bans.pictures import CardPicture, art_name
from carddb.press.bans.typeset import LABEL, PT, TEXT, Look, Typesetter, Unit
from carddb.press.bans.word_forms import grouped, number, one_line
from carddb.press.bans.wording import (
    SAMPLE,
    Publication,
    allowance,
    by_level,
    facts,
    group_flag,
    group_limit,
    group_reason,
    group_title,
    level_line,
    marks,
    registered,
    squares,
    status_line,
)

Pictures = Mapping[str, CardPicture]

BESIDE_CHANGE = 11.0
"""How wide a face stands beside what is said of its card."""
AIR = 1.2
"""What stays free over and under a face."""
_GAP = 3.0
"""Between a face and the words beside it."""


WIDTH = 177.9
_NONE: Pictures = MappingProxyType({})
_MEMBERS = 20
"""Members of a group that stand in one frame."""
_READ_DOWN = 20
"""Rows of a level up to which its columns are read one after the other."""
_STEP_WHY, _GROUP_GAP = 61.3, 5.0
_NOTE_LINES = 4
"""Lines of what is said of whose lists they are."""


def face_beside(pictures: Pictures, ref: str, wide: float) -> dict[str, Any] | None:
    """A face of this width for a template, with its height and where words begin beside it, if there is one."""
    picture = pictures.get(ref)
    if picture is None:
        return None
    return {"art": art_name(ref), "wide": wide, "tall": wide * picture.ratio, "words": wide + _GAP}


class NoticeParts:
    """Units of an edition; `scale` enlarges what belongs to the list, `columns` are those of its names.

    `pictures` are the faces that stand beside changes; with a `face` they stand beside the names of the list too, so
    many mm wide.
    """

    def __init__(
        self, edition: Edition, publication: Publication, window: tuple[int, int], setter: Typesetter,
        scale: float = 1.0, columns: int = 3, pictures: Pictures = _NONE, face: float = 0.0,
    ) -> None:  # fmt: skip
        self.edition, self.publication, self.window, self.setter = edition, publication, window, setter
        self.scale, self.columns = scale, columns
        self.pictures, self.face = pictures, face

    def masthead(self, title: str) -> Iterator[Unit]:
        """Marks, title, and the facts under it."""
        game = self.publication.game.name
        look = Look(TEXT, 22, 25, 600)
        lines = self.setter.lines(title, look, WIDTH, 3)
        framed = [(SAMPLE, False)] if self.publication.sample else []
        framed += [(mark, True) for mark in marks(self.edition)]
        rows = self._framed(framed)
        height = len(rows) * 6.4 + len(lines) * look.leading * PT + 5.2
        data = {"game": game, "rows": rows, "lines": lines, "size": look.size, "leading": look.leading * PT}
        yield Unit("masthead", height, data)
        facts_ = facts(self.edition, self.publication, self.window)
        cells = []
        wide = WIDTH / len(facts_)
        deepest = 0
        for label, text, aside in facts_:
            value, size = self.setter.fitted(text, Look(TEXT, 11.5, 14, 600), wide - 4)
            small = self.setter.lines(aside, Look(LABEL, 8, 10), wide - 4, 2)
            cells.append({"label": label, "value": value, "size": size, "small": small})
            deepest = max(deepest, len(small))
        yield Unit("facts", 11.8 + deepest * 3.5, {"cells": cells, "wide": wide})

    def _framed(self, marks_: Sequence[tuple[str, bool]]) -> list[list[dict[str, Any]]]:
        """Framed words in rows."""
        look = Look(LABEL, 8.4, 10, 600)
        rows: list[list[dict[str, Any]]] = []
        x = WIDTH
        for mark, grave in marks_:
            words, size = self.setter.fitted(mark, look, WIDTH - 34, 6.5)
            wide = self.setter.width(words, Look(LABEL, size, 10, 600)) + 3.6
            room = WIDTH - (30 if len(rows) < 2 else 0)
            if x + wide > room:
                rows.append([])
                x = 0.0
            rows[-1].append({"x": x, "wide": wide, "words": words, "size": size, "grave": grave})
            x += wide + 2
        return rows

    def steps(self, title: str, steps: Sequence[LevelChange]) -> Iterator[Unit]:
        """The cards that became stricter, or softer, each with its reason beside it."""
        if steps:
            yield self.heading(title, number(len(steps), "card"))
        for at, step in enumerate(steps):
            why = self.setter.lines(step.why, Look(TEXT, 9.4, 12.6), WIDTH - _STEP_WHY, 14)
            ref, ref_size = self.setter.fitted(step.ref, Look(LABEL, 7.6, 9), 22)
            face = face_beside(self.pictures, step.ref, BESIDE_CHANGE)
            beside = face["words"] if face else 0.0
            room = _STEP_WHY - beside - 8 - self.setter.width(ref, Look(LABEL, ref_size, 9))
            names = self.setter.lines(step.name, Look(TEXT, 11, 13.4, 600), room, 3)
            data = {
                "names": names,
                "last": self.setter.width(names[-1] if names else "", Look(TEXT, 11, 13.4, 600)),
                "ref": ref, "ref_size": ref_size,
                "before": self._state(step.before), "after": self._state(step.after), "why": why, "first": not at,
                "face": face, "beside": beside, "x": _STEP_WHY,
                "wide": self.setter.width(allowance(self.edition, step.before), Look(LABEL, 9.2, 11)),
            }  # fmt: skip
            height = max(6.1 + len(names) * 4.75, 3.3 + len(why) * 12.6 * PT, face["tall"] + 2 * AIR if face else 0)
            yield Unit("step", height + 0.7, data)

    def _state(self, level: int) -> dict[str, Any]:
        """A level's squares, and what it allows."""
        of, filled = squares(self.edition, level)
        return {"squares": of, "filled": filled, "words": allowance(self.edition, level)}

    def heading(self, title: str, aside: str = "", keep: bool = True) -> Unit:
        """A heading with a count at its right."""
        s = self.grown
        return Unit("heading", 7.4 * s, {"title": title, "aside": aside, "s": s}, 5.6 * s, keep)

    @property
    def grown(self) -> float:
        """How much headings grow with the list: less than it does."""
        return 1 + (self.scale - 1) * 0.6 if self.scale > 1 else self.scale

    def groups(self, groups: Sequence[ListedGroup]) -> Iterator[Unit]:
        """Each group in a frame of its own, two beside each other."""
        if groups:
            yield self.heading("Groups", "cards that are held together")
        wide = (WIDTH - _GROUP_GAP) / 2
        boxes = [self._group(part, wide, end, group_limit(group)) for group in groups for part, end in _parts(group)]
        for at in range(0, len(boxes), 2):
            pair = boxes[at : at + 2]
            height = max(box["height"] for box in pair)
            yield Unit("groups", height, {"boxes": pair, "wide": wide, "gap": _GROUP_GAP}, 2.2 if at else 1.6)

    def _group(self, group: ListedGroup, wide: float, end: str, limit_text: str) -> dict[str, Any]:
        s = min(1.35, self.grown)
        inside = wide - 9
        title = self.setter.lines(f"{group_title(group)}{end}", Look(TEXT, 11.5 * s, 14 * s, 600), inside - 14, 2)
        limit = self.setter.lines(limit_text, Look(LABEL, 9 * s, 11.2 * s, 600), inside)
        why = self.setter.lines(group_reason(group), Look(TEXT, 8.8 * s, 11.6 * s), inside, 8)
        members = []
        for member in group.members:
            ref, ref_size = self.setter.fitted(member.ref, Look(LABEL, 7.6, 9), 24)
            room = inside - 6 - self.setter.width(ref, Look(LABEL, ref_size, 9))
            name, size = self.setter.fitted(member.name, Look(LABEL, 9.6 * s, 12 * s, 600), room)
            members.append({"name": name, "size": size, "ref": ref, "ref_size": ref_size,
                            "anchor": member.ref == group.spec.anchor})  # fmt: skip
        depth = 4.2 + len(title) * 14 * s * PT + len(limit) * 11.2 * s * PT + len(members) * 5.4 * s
        return {
            "title": title, "flag": group_flag(group), "ended": group.ended, "limit": limit, "why": why,
            "members": members, "s": s, "height": depth + (len(why) * 11.6 * s * PT + 1.4 * s if why else 0) + 2.0,
        }  # fmt: skip

    def whole(self, title: str) -> Iterator[Unit]:
        """All cards by level, the strictest first, in columns."""
        edition = self.edition
        yield self.heading(title, number(len(edition.rows), "card"), bool(edition.rows))
        if not edition.rows:
            yield Unit("plain", 6, {"lines": ["No card is on the list."], "size": 9.6, "leading": 4.5}, 2)
        s = self.scale
        gap = 6.0
        wide = (WIDTH - gap * (self.columns - 1)) / self.columns
        for first, (level, places) in enumerate(by_level(edition).items()):
            data = {"state": self._state(level), "words": level_line(edition, level), "s": s}
            yield Unit("level", 6.4 * s, data, 3.0 * s if first else 1.6, True)
            again = Unit("level", 6.4 * s, {**data, "words": f"{data['words']}, continued"})
            columns = _columns(places, self.columns)
            for at in range(len(columns[0])):
                cells = [
                    {"x": number_ * (wide + gap), **self._name(edition.rows[column[at]], wide)}
                    for number_, column in enumerate(columns)
                    if at < len(column)
                ]
                keep = not at and len(columns[0]) > 1
                tall = max(5.3 * s, *(cell["face"]["tall"] + 2 * AIR for cell in cells if cell["face"]), 0)
                yield Unit("names", tall, {"cells": cells, "wide": wide, "s": s}, 0, keep, again)

    def _name(self, row: ListedCard, wide: float) -> dict[str, Any]:
        small = 7.4 * min(1.3, self.grown)
        face = face_beside(self.pictures, row.ref, self.face) if self.face else None
        wide -= face["words"] if face else 0
        ref, ref_size = self.setter.fitted(row.ref, Look(LABEL, small, 9), wide * 0.34)
        room = wide - self.setter.width(ref, Look(LABEL, ref_size, 9)) - 2.4 - (4.4 * self.grown if row.turn else 0)
        look = Look(LABEL, 9.6 * self.scale, 12, 600 if row.turn else 400)
        name, size = self.setter.fitted(row.name, look, room, max(7.0, look.size * 0.66))
        return {"name": name, "size": size, "weight": look.weight, "ref": ref, "ref_size": ref_size, "turn": row.turn,
                "face": face}  # fmt: skip

    def foot(self, note: bool = True) -> Iterator[Unit]:
        """What to do with a deck that is handed in, what the levels mean, and the fingerprints."""
        half = (WIDTH - 8) / 2
        look = Look(LABEL, 8.6, 11)
        left = self.setter.lines(registered(self.edition), look, half)
        right = self.setter.lines(status_line(self.edition), look, half)
        right += self.setter.lines(self.publication.note, look, half, _NOTE_LINES)
        turned = any(row.turn for row in self.edition.rows) and note
        if turned:
            right.append("")
        source = self.edition.news.announcement.source if self.edition.news and note else ""
        source_lines = self.setter.lines(f"Source: {one_line(source)}", look, half, 2) if source else []
        data = {
            "left": left, "right": right, "key": turned, "half": half, "source": source_lines,
            "print": grouped(self.edition.fingerprint), "before": grouped(self.edition.previous),
        }  # fmt: skip
        deep = max(len(left) + len(source_lines), len(right) + (1 if turned else 0)) * 11 * PT
        yield Unit("foot", 6.6 + deep + 11.5, data, 6.0)


def _columns(places: Sequence[int], count: int) -> list[Sequence[int]]:
    """Places in columns of the same length, or one more in the first of them.

    A few are read down; many, which may go over pages, across.
    """
    if len(places) > _READ_DOWN * count:
        return [places[at::count] for at in range(count)]
    least, more = divmod(len(places), count)
    ends = [at * least + min(at, more) for at in range(count + 1)]
    return [places[start:end] for start, end in pairwise(ends)]


def _parts(group: ListedGroup) -> Iterator[tuple[ListedGroup, str]]:
    """A group in parts that go on a page, each with what its title ends in."""
    starts = range(0, max(1, len(group.members)), _MEMBERS)
    for number_, start in enumerate(starts, start=1):
        end = f", {number_} of {len(starts)}" if len(starts) > 1 else ""
        yield group._replace(members=group.members[start : start + _MEMBERS]), end
