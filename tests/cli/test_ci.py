"""The run for a game in Git: every check is told, everything that can be printed is there, and faults fail it."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from xml.etree import ElementTree

import pikepdf
import pytest
import yaml

from carddb.app.conformance import CiCheck, CiReport
from carddb.findings import error, warning
from tests.conftest import Told

Call = Callable[..., Told]
CARDS = """\
ref,name,type,rarity,strength,life,text
A-1,Archer,soldier,uncommon,3,1,Shoots at two fields.
"""


@pytest.mark.full
@pytest.mark.door
@pytest.mark.usefixtures("usual_size_only")
def test_a_run_checks_prints_and_tells_changes(folder: Path, call: Call) -> None:
    """An illegal deck fails, by its name; sheets, errata and the report are written all the same."""
    assert call("init", ".", "--game", "empires-and-generals").code == 0
    Path("decks").mkdir()
    Path("decks/short.deck").write_text("Name: Short\nGame: empires-and-generals\n\n1 Archer\n", "utf-8")
    Path("cards.csv").write_text(CARDS, "utf-8")
    assert call("-q", "load", "cards.csv").code == 0
    call("export", "-o", "old.csv")
    Path("cards.csv").write_text(CARDS.replace("two", "three"), "utf-8")
    call("-q", "load", "cards.csv")
    told = call("ci", "-o", "out", "--since", "old.csv", "--paper", "a4")
    assert told.code == 1, told.err
    out = Path("out")
    printed = {"cards.pdf", "components.pdf", "rules.pdf", "errata.pdf", "changes.md", "changes.html"}
    assert {path.name for path in out.iterdir()} >= {*printed, "report.md", "junit.xml"}
    suites = {suite.get("name"): suite for suite in ElementTree.parse(out / "junit.xml").getroot()}
    assert list(suites) == ["conform", "faces", "decks", "print", "credits", "changes"]
    for suite in suites.values():
        assert suite.get("tests") == str(len(suite)) and suite.get("failures") == str(len(suite.findall(".//failure")))
    (case,) = suites["decks"]
    assert case.get("name") == str(Path("decks/short.deck")) and case.find("failure") is not None
    report = (out / "report.md").read_text("utf-8")
    assert "| decks | 1 | 1 |" in report and "~~two~~ **three**" in report
    for name in ("cards.pdf", "rules.pdf"):
        with pikepdf.open(out / name) as pdf:
            assert [round(float(side)) for side in pdf.pages[0].mediabox[2:]] == [595, 842], name
    assert json.loads((out / "publication.json").read_text("utf-8"))["files"]


def test_a_check_tells_its_errors_first() -> None:
    """An error is told, and is the message of the failure, however many warnings there are before it."""
    findings = [*[warning("text_small", "it is small")] * 30, error("text_lost", "it is lost")]
    check = CiCheck("faces", "preflight", tuple(findings))
    report = CiReport("Lanterns", date(2026, 6, 20), (check,), {})
    assert check.lines[0] == "error text_lost: it is lost" and check.lines[-1] == "and 6 more"
    assert "it is lost" in ElementTree.fromstring(report.junit()).findall(".//failure")[0].attrib["message"]


def test_the_action_calls_options_that_exist(call: Call) -> None:
    """It is composite, its options are those of the program, and inputs reach the shell as variables only."""
    action = yaml.safe_load((Path(__file__).parents[2] / ".github/actions/carddb/action.yml").read_text("utf-8"))
    assert action["runs"]["using"] == "composite"
    used = call("ci", "--help").out
    for step in action["runs"]["steps"]:
        assert "${{" not in step["run"] and step["shell"] == "bash"
        for option in ("--game", "--since", "--site") if "carddb ci" in step["run"] else ():
            assert option in step["run"] and option in used
    assert {"install", "game", "games", "cards", "since", "site", "output"} == action["inputs"].keys()
