"""The checks that every game must pass, and the run of all checks and prints that follows a change of a game."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Any
from xml.etree import ElementTree

from carddb.app.decks.check import CheckRequest
from carddb.app.decks.check_many import UnreadableDeck, check_decks, deck_files
from carddb.app.documents import KINDS, PAPERS, game_credits, print_credits, print_rule_sheet
from carddb.app.printing.changes import ChangeRequest, changes_file
from carddb.app.printing.changes import changes as changes_of
from carddb.app.printing.component_prints import ComponentRequest, print_game_components
from carddb.app.printing.options import PaperOptions
from carddb.app.printing.preflight import inspect_faces
from carddb.app.printing.sheet_job import PrintRequest, print_sheets
from carddb.app.workspace.clock import today
from carddb.app.workspace.day_cards import catalogue_gaps
from carddb.app.workspace.workspace import Workspace, root_of
from carddb.core.errors import CarddbError, UsageError
from carddb.core.groups import grouped
from carddb.core.options import Option
from carddb.core.plain_text import amount, without_controls
from carddb.findings import Finding, counts, exit_code, gravest_first
from carddb.games import Game, load
from carddb.games.opening.cross_references import Coverage, coverage, gaps
from carddb.games.opening.cross_references import counts as rule_counts
from carddb.press.components.selection import EVERY_MODULE
from carddb.press.conform import CheckResult
from carddb.press.conform import conform as check_game
from carddb.press.documents.credits import uncredited
from carddb.press.documents.guide import rules_in_guide


def rule_coverage(game: Game) -> list[Coverage]:
    """Returns, for each rule of a game, whether it is checked, printed, or left to the players."""
    return coverage(game, rules_in_guide(game))


def coverage_json(game: Game, rows: list[Coverage], shown: list[Coverage]) -> dict[str, Any]:
    """Returns what `rules coverage --json` shows: the counts of all `rows`, and the rules of those `shown`."""
    rules = [
        {"id": row.rule, "tags": row.tags, "checked": row.checked, "printed": row.printed, "missing": row.missing}
        for row in shown
    ]
    return {"schema": "carddb.coverage/1", "game": game.key, "counts": rule_counts(rows), "rules": rules}


@dataclass(frozen=True, slots=True)
class Conformance:
    """The results of the checks of one game, and the parts that it still lacks, in the order in which to make them."""

    key: str
    results: tuple[CheckResult, ...]
    missing: tuple[str, ...] = ()

    @property
    def findings(self) -> list[Finding]:
        return [finding for result in self.results for finding in result.findings]

    @property
    def waiting(self) -> dict[str, list[str]]:
        """The checks that were left out because a file is missing, as `{file: [check]}`."""
        return grouped((result.waits_for, result.name) for result in self.results if result.waits_for)

    def to_json(self) -> dict[str, Any]:
        """Returns the entry of this game in `conform --json`."""
        checks = [
            {
                "name": result.name,
                "claim": result.claim,
                "counts": counts(result.findings),
                "findings": [finding.to_json() for finding in result.findings],
                **({"waits_for": result.waits_for} if result.waits_for else {}),
            }
            for result in self.results
        ]
        totals = {"ok": exit_code(self.findings) == 0, "counts": counts(self.findings)}
        return {"game": self.key, **totals, "checks": checks, "missing": list(self.missing)}


def conform(project: Workspace, keys: Sequence[str], on: date) -> Iterator[Conformance]:
    """Yields the check results of each of the games `keys` (none: all). Raises UsageError for an unknown one."""
    folders = project.folders
    for key in keys:
        if key not in folders:
            raise UsageError(f"there is no game {key!r}", project.where_games_are(key))
    for key in keys or folders:
        with project.working(key) as step:
            results = []
            for result in check_game(folders[key], on, project.art_folder):
                step(f"{key}: {result.name}")
                results.append(result)
            game, _ = load(folders[key])
            if game and (gaps_ := catalogue_gaps(project, [game])):
                claim = "The catalogue has the game's ban lists, and no card of a type that the game no longer has."
                results.append(CheckResult("catalogue_fits", claim, gaps_))
        yield Conformance(key, tuple(results), tuple(gaps(game)) if game else ())


REPORT, JUNIT, CHANGES = "report.md", "junit.xml", "changes.md"
"""The files in the folder of the results with the report for people, the report for programs, and the changes."""
_MOST_LINES = 25
"""The most findings of a check that a report lists."""


@dataclass(frozen=True, slots=True)
class CiRequest:
    """A request to check and print a game: the paper, the day, and the earlier state from which changes are listed."""

    # fmt: off
    game: Annotated[str | None, Option("The game (default: the project's).", metavar="G")] = None
    since: Annotated[str, Option(
        "List the changes since this day or this earlier card file, with errata.", "", metavar="DAY|FILE")] = ""
    paper: Annotated[str, Option("The paper of the PDFs.", "letter")] = "letter"
    on: Annotated[date | None, Option("The day of the cards and ban lists (default: today).", metavar="DAY")] = None
    # fmt: on


@dataclass(frozen=True, slots=True)
class CiCheck:
    """One check: its part of the run, its name and findings, and why it could not be done (empty if it was)."""

    part: str
    name: str
    findings: tuple[Finding, ...] = ()
    fault: str = ""

    @property
    def passed(self) -> bool:
        return not self.fault and exit_code(self.findings) == 0

    @property
    def lines(self) -> list[str]:
        """The fault, then the most serious findings, a line for each; a last line counts any others."""
        grave = gravest_first(self.findings)
        shown = [_line(finding) for finding in grave[:_MOST_LINES]]
        more = [f"and {len(grave) - _MOST_LINES} more"] if len(grave) > _MOST_LINES else []
        return [*filter(None, [self.fault]), *shown, *more]


@dataclass(frozen=True, slots=True)
class CiReport:
    """The checks of a run, and the files that were printed, by path."""

    game: str
    on: date
    checks: tuple[CiCheck, ...]
    files: Mapping[str, bytes]

    @property
    def _parts(self) -> dict[str, list[CiCheck]]:
        """The checks of each part of the run, by the name of the part."""
        return grouped((check.part, check) for check in self.checks)

    def markdown(self) -> str:
        """Returns the report in Markdown: a table of the parts, the findings of each check, and the changes."""
        head = "| part | checks | failed | errors | warnings |"
        lines = [f"# {self.game}, {self.on}", "", head, "|---|--:|--:|--:|--:|"]
        for part, checks in self._parts.items():
            tally = counts(finding for check in checks for finding in check.findings)
            lines.append(f"| {part} | {len(checks)} | {_failed(checks)} | {tally['error']} | {tally['warning']} |")
        for check in self.checks:
            if check.lines:
                lines += ["", f"## {check.part}: {check.name}", "", "```text", *check.lines, "```"]
        if changes := self.files.get(CHANGES, b"").decode():
            lines += ["", f"#{changes}".replace("\n#", "\n##").rstrip()]
        return "\n".join(lines) + "\n"

    def junit(self) -> bytes:
        """Returns the report as JUnit XML: a suite for each part, a case for each check, a failure if it failed."""
        root = ElementTree.Element("testsuites", name=f"carddb {self.game}")
        for part, checks in self._parts.items():
            sums = {"tests": str(len(checks)), "failures": str(_failed(checks)), "errors": "0", "skipped": "0"}
            suite = ElementTree.SubElement(root, "testsuite", {"name": part, **sums})
            for check in checks:
                case = ElementTree.SubElement(suite, "testcase", classname=part, name=without_controls(check.name))
                if not check.passed:
                    failure = ElementTree.SubElement(case, "failure", message=without_controls(check.lines[0]))
                    failure.text = "\n".join(map(without_controls, check.lines))
                elif check.lines:
                    ElementTree.SubElement(case, "system-out").text = "\n".join(map(without_controls, check.lines))
        ElementTree.indent(root)
        data: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
        return data + b"\n"


def _failed(checks: Sequence[CiCheck]) -> int:
    return sum(not check.passed for check in checks)


def _line(finding: Finding) -> str:
    place = f"{finding.where[0]}: " if finding.where and str(finding.where[0]) else ""
    return f"{place}{finding.severity.value} {finding.code}: {_with_remedy(finding.message, finding.fix)}"


def _with_remedy(message: str, remedy: str) -> str:
    """Returns the message, followed by the remedy in brackets, on one line."""
    return " ".join(f"{message} ({remedy})".split() if remedy else message.split())


def run_ci(project: Workspace, request: CiRequest) -> CiReport:
    """Checks and prints a game; a part that cannot be done is a failed check. Raises UsageError for an unknown game."""
    game, day = project.only_game(request.game), request.on or today()
    document_paper = request.paper if request.paper in PAPERS else PAPERS[0]
    key, checks, files = game.key, list[CiCheck](), dict[str, bytes]()

    def conforming() -> Iterator[CiCheck]:
        for report in conform(project, [key], day):
            yield from (CiCheck("conform", result.name, tuple(result.findings)) for result in report.results)

    def faces() -> Iterator[CiCheck]:
        yield CiCheck("faces", "preflight", inspect_faces(project, [f"game:{key}"], key, day, PaperOptions()).findings)

    def decks() -> Iterator[CiCheck]:
        folder = root_of(project) / "decks"
        paths = [Path(os.path.relpath(str(path))) for path in deck_files(folder)[0]] if folder.is_dir() else []
        for report in check_decks(project, paths, CheckRequest(key, on=day)) if paths else ():
            if isinstance(report, UnreadableDeck):
                yield CiCheck("decks", report.file, fault=_with_remedy(report.error.message, report.error.remedy))
            else:
                yield CiCheck("decks", report.deck.file or report.deck.name, tuple(report.findings))

    def prints() -> Iterator[CiCheck]:
        paper = PaperOptions(paper=request.paper)
        sheets = print_sheets(project, PrintRequest((f"game:{key}",), CheckRequest(key, on=day), paper))
        files["cards.pdf"] = sheets.data
        yield CiCheck("print", "cards.pdf", tuple(sheets.face_findings))
        if any(part.drawn for part in game.spec.components.values()):
            printed = print_game_components(project, ComponentRequest(key, module=EVERY_MODULE), day, paper)
            files["components.pdf"] = printed.data
            yield CiCheck("print", "components.pdf", printed.findings)
        if game.folder.guide_file.is_file():
            sheet = print_rule_sheet(project, key, "pdf", document_paper, "", on=day, voice="whole")
            files["rules.pdf"] = sheet.data
            yield CiCheck("print", "rules.pdf", sheet.findings)

    def credited() -> Iterator[CiCheck]:
        credits = game_credits(project, key, day)
        for kind in KINDS if credits else ():
            files[f"credits.{kind}"] = print_credits(project, key, kind, document_paper, day).data
        yield CiCheck("credits", amount(len(credits), "picture"), tuple(uncredited(credits)))

    def changed() -> Iterator[CiCheck]:
        report = changes_of(project, ChangeRequest(game=key, since=request.since, until=str(request.on or "")))
        told, page, errata = (changes_file(report, kind) for kind in ("md", "html", "pdf"))
        files.update({CHANGES: told, "changes.html": page, "errata.pdf": errata})
        yield CiCheck("changes", report.notes.sums, ())

    parts = {"conform": conforming, "faces": faces, "decks": decks, "print": prints, "credits": credited}
    parts |= {"changes": changed} if request.since else {}
    for part, work in parts.items():
        with project.working(part):
            try:
                checks.extend(work())
            except CarddbError as fault:
                checks.append(CiCheck(part, part, fault.findings, _with_remedy(fault.message, fault.remedy)))
    return CiReport(game.spec.name, day, tuple(checks), {path: data for path, data in files.items() if data})
