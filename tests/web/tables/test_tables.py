"""Tables over HTTP: saves as the terminal's, refusals that stay, hidden cards that are never sent, bounds."""

from __future__ import annotations

import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from carddb.app.tables.file import TableFile, front_of
from carddb.app.tables.seat import TableSeat
from carddb.app.tables.tables import TableBeginnings, Tables, TooManyTables, UnknownTable
from carddb.core.errors import UsageError
from carddb.door import Project
from carddb.play.playtest.front import PLAYTEST
from carddb.web.http.front import Front, FrontOptions
from carddb.web.http.modes import Forbidden
from carddb.web.tables import allowed
from tests.cli.pseudo_terminal import PseudoTerminal
from tests.conftest import Told
from tests.web.front import Server, serving
from tests.web.tables.client import TableClient, begun, posted

pytestmark = pytest.mark.door

RISHAR = ("rishar:the-long-wall.deck", "rishar:wolves-of-the-weald.deck")
CAHRD = ("cahrd:grain-roads.deck", "cahrd:walls-and-passes.deck")


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("own")) as running:
        yield running


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with serving(tmp_path_factory.mktemp("public"), public=True, tables=True) as running:
        yield running


def saved(client: TableClient) -> dict[str, Any]:
    answer = client.server.ask(f"{client.path}/save", owner=client.owner)
    assert answer.status == 200
    data: dict[str, Any] = answer.json()
    return data


def as_typed(log: list[dict[str, Any]]) -> Iterator[list[str]]:
    """The actions of a save as one types them at the terminal."""
    for entry in log:
        words = [entry["action"].replace("_", "-")]
        for name, value in entry["input"].items():
            if isinstance(value, dict):
                words += [f"{key}={number}" for key, number in value.items()]
            else:
                words += [str(item) if isinstance(value, list) else f"{name}={item}"
                          for item in (value if isinstance(value, list) else [value])]  # fmt: skip
        yield words


def test_a_round_is_saved_as_the_terminal_saves_it(own: Server, call: Callable[..., Told]) -> None:
    """The same actions give the same save, byte for byte, in the browser and at the terminal."""
    client = begun(own, "solo", module="generic-separate", seed="5", save="bytes.json")
    for action, fields in [("start_phase", {}), ("roll", {"face": "1"}), ("play", {"card": "A", "mode": "ops"})]:
        client.press(action, **fields)
    client.press("next_round")
    client.press("roll")
    log = saved(client)["log"]
    call("solo", "new", "--module", "generic-separate", "--seed", "5")
    for words in as_typed(log):
        assert call("solo", *words).code == 0
    assert Path("solo.json").read_bytes() == (own.front.project().folder / "bytes.json").read_bytes()


def test_an_open_table_and_its_save_are_listed_once(own: Server) -> None:
    """The room lists the open table of a save, not the save besides; a save of which no table is open is listed."""
    begun(own, "solo", module="generic-separate", seed="5", save="once.json")
    saves = own.front.project().folder
    (saves / "other.json").write_bytes((saves / "once.json").read_bytes())
    room = own.ask("/tables").body
    assert room.count(b"<small>once</small>") == 1 and b'value="once.json"' not in room
    assert b'value="other.json"' in room


def test_a_refusal_stays_in_the_log_with_its_rule(own: Server) -> None:
    """What was refused changes nothing, and stands in the log where it was tried, with a link to its rule."""
    client = begun(own, "solo", module="generic-separate", seed="7", save="refused.json")
    client.press("start_phase")
    client.press("play", card="D")
    client.press("roll", face="4")
    client.press("play", card="D", mode="ops")
    assert [line.partition(".")[0] for line in client.log[:2]] == ["Refused: play", "2S1 rolls 4: ABC"]
    assert "SD-12" in client.page() and "/referee?game=cdg-solo" in client.page()
    assert len(saved(client)["log"]) == 2


def test_undo_takes_back_and_says_so(own: Server) -> None:
    """Undo takes the last action back, says what it was, and the dice fall again as they fell."""
    client = begun(own, "solo", module="generic-separate", seed="7", save="undone.json")
    client.press("start_phase")
    client.press("roll")
    first = client.log[0]
    client.press("undo")
    assert client.log[0].startswith("Taken back: roll") and len(saved(client)["log"]) == 1
    client.press("roll")
    assert client.log[0] == first


def test_allowed_cards_have_buttons_and_the_others_a_reason(own: Server) -> None:
    """After a roll every up card of the side either has the plays that the rules allow, or says why it has none."""
    client = begun(own, "solo", module="generic-separate", seed="7", save="allowed.json")
    client.press("start_phase")
    client.press("roll", face="5")
    plays = [button["card"] for button in client.buttons() if button["action"] == "play"]
    page = client.page()
    idle = re.findall(r'class="up idle">.*?class="why">([^<]+)', page, re.S)
    assert plays and idle and all(len(reason) > 10 for reason in idle)


@pytest.mark.parametrize(
    "module",
    ["generic-separate", pytest.param("generic-card", marks=pytest.mark.full),
     pytest.param("generic-split", marks=pytest.mark.full), pytest.param("generic-virtual", marks=pytest.mark.full)],
)  # fmt: skip
def test_no_hidden_card_of_a_solo_table_is_ever_sent(own: Server, module: str) -> None:
    """No page of a round names a card that lies down or in a pile: no number, no title, no picture."""
    client = begun(own, "solo", module=module, seed="11", save=f"hidden-{module}.json")
    for action in ("start_phase", "roll"):
        client.press(action)
        data = saved(client)
        view = json.dumps(data["log"])
        up = {card[:-1] for side in data["sides"].values() for lying in side["display"].values()
              for card in lying or () if card.endswith("+")}  # fmt: skip
        hidden = {id_: card for id_, card in data["cards"].items() if id_ not in up and id_ not in view}
        page = client.page()
        titles = {data["cards"][id_]["title"] for id_ in up}
        for id_, card in hidden.items():
            assert not re.search(rf"{re.escape(id_)}\b", page) and (
                card["title"] in titles or card["title"] not in page
            )


def test_a_battle_shows_each_commander_one_hand_alone(own: Server) -> None:
    """Nothing that is sent to a seat, or to who watches, names a card of a hand that it does not see."""
    watcher = begun(own, "battle", deck_a=RISHAR[0], deck_b=RISHAR[1], seed="3", save="battle.json")
    seats = dict(zip("ab", watcher.seats, strict=True))
    for _ in range(5):
        for seat in seats.values():
            buttons = [button for button in seat.buttons() if button["action"] not in ("undo", "discard", "pass")]
            if buttons:
                button = {key: value for key, value in buttons[0].items() if key != "use"}
                seat.press(button.pop("action"), **button)
    watcher.page()
    session = TableSeat(own.front.project(), own.front.tables, watcher.path.rpartition("/")[2]).session
    assert len(session.log) > 4
    for army, others in (("a", ("b",)), ("b", ("a",))):
        state = session.army(army)
        own_names = {card.name for other in others for card in session.army(other).cards.values()}
        hidden = {state.cards[key].name for key in state.lying("hand")} - own_names
        told = " ".join(entry.told for entry in session.log)
        hidden = {name for name in hidden if name not in told}
        assert hidden
        for client in (*(seats[other] for other in others), watcher):
            assert not any(name in text for name in hidden for text in client.seen)


def test_a_commander_does_not_act_for_the_other(own: Server) -> None:
    """A seat that is not asked lays no card, and learns nothing by trying."""
    watcher = begun(own, "battle", deck_a=RISHAR[0], deck_b=RISHAR[1], seed="3", first="a", save="turns.json")
    a, b = watcher.seats
    a.press("name", card="soldier")
    before = saved(watcher)
    for card in ("soldier", "no such card"):
        b.press("play", card=card)
    assert {line for line in b.log if line.startswith("Refused")} == {b.log[0]}
    assert saved(watcher) == before
    assert watcher.press("play", card="soldier").status == 400
    assert saved(watcher) == before


ARMY = """Game: rishar
Commander: {}
Path: steel
Role: guardian
Kind: pc
Chosen: oathbound

## Army
1 Soldier
1 Spearmen
"""


def offered(seat: TableClient) -> list[dict[str, str]]:
    """What the buttons of a seat do, but for what may be done at any time."""
    return [button for button in seat.buttons() if button["action"] not in ("undo", "discard")]


def fought(watcher: TableClient, first_choice: str) -> None:
    """A Battle played by its buttons until it is over: what is chosen first where it is offered, else the first."""
    seats = watcher.seats
    for _ in range(60):
        seat, buttons = next(((seat, buttons) for seat in seats if (buttons := offered(seat))), (watcher, []))
        if not buttons:
            return
        button = next((each for each in buttons if each["action"] == first_choice), buttons[0])
        seat.press(button.pop("action"), **{name: value for name, value in button.items() if name != "use"})
    raise AssertionError("the Battle does not end")


READING = ({"option.unable_defense": "unopposed"}, ["--option", "unable_defense=unopposed"])
BEFORE = (
    {"after": "first-battle.json", "new_day": "1", "refresh": "1"},
    ["--after", "first-battle.json", "--new-day", "--refresh"],
)


@pytest.mark.parametrize("first_choice", ["pass", pytest.param("play", marks=pytest.mark.full)])
def test_a_battle_is_saved_as_the_terminal_saves_it(
    own: Server, call: Callable[..., Told], monkeypatch: pytest.MonkeyPatch, first_choice: str
) -> None:
    """Two Battles by buttons are byte for byte what the terminal saves for the same actions.

    The first with a house reading, the second with what the first left.
    """
    folder = own.front.project().folder
    monkeypatch.setattr("sys.stdin", io.StringIO())
    texts = {f"text_{key}": ARMY.format(name) for key, name in (("a", "Ada"), ("b", "Ben"))}
    for key, text in texts.items():
        Path(f"{key}.deck").write_text(text, "utf-8")
    for save, (fields, options) in (("first-battle.json", READING), ("second-battle.json", BEFORE)):
        watcher = begun(own, "battle", **texts, first="a", seed="3", save=save, force="1", **fields)
        fought(watcher, first_choice)
        log = saved(watcher)["log"]
        assert len(log) >= 3
        begin = ["text_a.deck", "text_b.deck", "--session", save, "--first", "a", "--seed", "3", *options]
        assert call("battle", *begin).code == 0
        for words in as_typed(log):
            assert call("battle", "--session", save, *words).code == 0
        assert Path(save).read_bytes() == (folder / save).read_bytes()


def test_a_battle_follows_only_one_that_allows_it(own: Server) -> None:
    """A Battle before that is not over, or is none of the project, is told in the room."""
    begun(own, "battle", deck_a=RISHAR[0], deck_b=RISHAR[1], save="before.json")
    for name, words in (("before.json", "No Battle after"), ("../x.json", "cannot be the name of a save")):
        form = {"deck_a": RISHAR[0], "deck_b": RISHAR[1], "save": "after.json", "after": name}
        answer = posted(own, "/tables/begin/battle", form)
        assert answer.status == 400 and words in answer.body.decode()


def test_two_seats_at_a_playtest_table_see_what_is_theirs(own: Server) -> None:
    """Each seat sees its own hand and not the other's, by any word of any answer; what is played all see."""
    watcher = begun(own, "playtest", deck_1=CAHRD[0], deck_2=CAHRD[1], seed="3", save="two.json")
    one, two = watcher.seats
    one.press("draw", zone="deck", to="hand", count="3")
    two.press("draw", zone="deck", to="hand", count="3")
    two.press("look", zone="deck.2", count="3")
    one.press("shuffle", zone="deck.1")
    for client in (one, two, watcher):
        client.page()
    session = TableSeat(own.front.project(), own.front.tables, watcher.path.rpartition("/")[2]).session
    for client, number in ((one, 1), (two, 2), (watcher, None)):
        seen = {session.cards[piece.number].name for name, pile in session.piles.items() for piece in pile
                if session.sees(number, name, piece)}  # fmt: skip
        hidden = {line.name for line in session.cards} - seen
        assert hidden and not any(name in text for name in hidden for text in client.seen)
        assert all(name in client.seen[-1] for name in seen)
    card = session.cards[session.piles["hand.1"][0].number].name
    one.press("move", cards="hand.1:1", to="commander.1")
    assert card in two.page() and card in two.log[0] and card in watcher.page()


def test_a_page_that_is_out_of_date_plays_nothing(own: Server) -> None:
    """An action from a page that does not show the table as it is changes nothing, and says so."""
    watcher = begun(own, "playtest", deck_1=CAHRD[0], deck_2=CAHRD[1], seed="3", save="stale.json")
    one, two = watcher.seats
    mark = one.mark
    two.press("pass")
    one.press("draw", mark=mark, zone="deck", to="hand")
    assert "has played in the meantime" in one.log[0] and len(saved(watcher)["log"]) == 1


def test_the_terminal_is_told_when_the_browser_played_on(own: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """A line typed at a table that was played on elsewhere is not taken; the table is shown as it is."""
    client = begun(own, "solo", module="generic-separate", seed="7", save="both.json")
    project = own.front.project()
    game = project.game("cdg-solo")
    front = front_of(game)
    assert front is not None
    terminal = TableFile(project, project.folder / "both.json", game, front)
    terminal.load()
    assert not terminal.is_changed()
    client.press("start_phase")
    assert terminal.is_changed()
    assert terminal.load().step == "round_ready" and not terminal.is_changed()


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals as on POSIX")
def test_a_terminal_with_an_older_save_loses_nothing(own: Server) -> None:
    """A line typed at a terminal after the page played on is not taken and told; the next one is, after the page's."""
    client = begun(own, "solo", module="generic-separate", seed="7", save="older.json")
    with PseudoTerminal(own.front.project().folder, "solo", "--session", "older.json", "table") as terminal:
        client.press("start_phase")
        before = saved(client)
        told = terminal.type("start")
        assert "The game was continued in another window" in told and saved(client) == before
        terminal.type("roll 1")
        terminal.type("quit")
    assert [entry["action"] for entry in saved(client)["log"]] == ["start_phase", "roll"]


def test_a_table_goes_on_from_a_save(own: Server) -> None:
    """The save that is downloaded begins the same table again; another file is refused in words."""
    client = begun(own, "solo", module="generic-card", seed="2", save="first.json")
    client.press("start_phase")
    again = begun(own, "save", file=json.dumps(saved(client)))
    assert saved(again) == saved(client) and again.path != client.path
    for text in ("{}", "no JSON", '{"game": "rishar", "version": 1}', '{"game": "playtest"}'):
        answer = posted(own, "/tables/begin/save", {"file": text})
        assert answer.status == 400 and 'role="alert"' in answer.body.decode()


def test_seats_and_saves_have_names(own: Server) -> None:
    """Players who are named sit under their names; a save is named in a word and listed by it."""
    fields = {"deck_1": CAHRD[0], "deck_2": CAHRD[0], "player_1": "Ann", "player_2": "Bo", "save": "evening"}
    page = own.ask(posted(own, "/tables/begin/playtest", fields).headers["location"]).body.decode()
    assert ">Ann</a>" in page and ">Bo</a>" in page
    assert "side=back" in page and 'class="down"><' not in page
    assert (own.front.project().folder / "evening.json").is_file()
    assert "<small>evening</small>" in own.ask("/tables").body.decode()


def test_a_save_that_is_there_is_not_written_over(own: Server) -> None:
    """A table is begun on a save that is there only by force, and never on another file; the save can be opened."""
    begun(own, "playtest", deck_1=CAHRD[0], save="there.json")
    answer = posted(own, "/tables/begin/playtest", {"deck_1": CAHRD[0], "save": "there.json"})
    assert answer.status == 400 and "There is a table in there.json already" in answer.body.decode()
    solo = posted(own, "/tables/begin/solo", {"module": "generic-card", "save": "there.json"}).body.decode()
    assert "There is a table in there.json already" in solo and "--force" not in solo
    assert "Deck" in begun(own, "own", save="there.json").page()
    folder = own.front.project().folder
    for name, data in ((".carddb-drafts.json", '{"schema": "x", "drafts": []}'), ("package.json", '{"version": 1}')):
        (folder / name).write_text(data, "utf-8")
        answer = posted(own, "/tables/begin/playtest", {"deck_1": CAHRD[0], "save": name, "force": "1"})
        assert answer.status == 400 and "is not a saved table" in answer.body.decode()
        assert (folder / name).read_text("utf-8") == data
    for name in ("../x.json", "/etc/passwd", "carddb.db", "none.json"):
        assert posted(own, "/tables/begin/own", {"save": name}).status == 400


def test_faults_of_a_deck_are_said_in_the_room(own: Server) -> None:
    """An army that is not legal, and decks of two games, are refused with what is wrong."""
    illegal = posted(
        own, "/tables/begin/battle", {"text_a": "Game: rishar\n\n1 Nobody\n", "deck_b": RISHAR[1], "save": "i.json"}
    )
    assert illegal.status == 400 and "is not legal" in illegal.body.decode()
    mixed = posted(own, "/tables/begin/playtest", {"deck_1": CAHRD[0], "deck_2": RISHAR[1], "save": "m.json"})
    assert mixed.status == 400 and "several games" in mixed.body.decode()


def test_a_front_for_others_has_tables_only_where_that_is_said(tmp_path: Path) -> None:
    """What stands before every address of a table refuses, but on one's own front and with `--tables`."""
    for options in (FrontOptions(), FrontOptions(public=True, tables=True)):
        allowed(Front(Project(tmp_path), options))
    with pytest.raises(Forbidden):
        allowed(Front(Project(tmp_path), FrontOptions(public=True)))


@pytest.mark.full
def test_a_public_front_has_tables_only_where_that_is_said(public: Server, tmp_path: Path) -> None:
    """Without `--tables` a public front answers 403, names no tables, and serves no events."""
    with serving(tmp_path, public=True) as without:
        for path in ("/tables", f"/tables/{'0' * 12}-{'x' * 32}", f"/tables/{'0' * 12}-{'x' * 32}/events"):
            assert without.ask(path, owner=False).status == 403
        assert "/tables" not in without.ask("/check", owner=False).body.decode()
    room = public.ask("/tables", owner=False).body.decode()
    assert "A deck to try" in room and 'name="save"' not in room


def test_a_front_for_others_opens_no_file_of_the_project(tmp_path: Path) -> None:
    """Neither a module of one's own nor a save is read for a stranger, and none is listed or written over."""
    save = tmp_path / "mine.json"
    save.write_text("{}", "utf-8")
    (tmp_path / "tables").mkdir()
    beginnings = TableBeginnings(Project(tmp_path), Tables(tmp_path / "tables"), own=False)
    with pytest.raises(UsageError):
        beginnings.of_game("solo", {"module": "mine.json"})
    with pytest.raises(UsageError):
        beginnings.of_project("mine.json")
    with pytest.raises(UsageError):
        beginnings.of_game("solo", {"module": "generic-separate"}, save="mine.json", force=True)
    assert beginnings.saves() == [] and save.read_text("utf-8") == "{}"


def test_a_playtest_of_a_game_that_is_gone_is_listed(tmp_path: Path) -> None:
    """A save whose game is elsewhere stands in the list all the same, and opening it says so."""
    (tmp_path / "evening.json").write_text('{"game": "playtest", "of": "nowhere"}', "utf-8")
    (tmp_path / "tables").mkdir()
    beginnings = TableBeginnings(Project(tmp_path), Tables(tmp_path / "tables"), own=True)
    assert beginnings.saves() == [("evening.json", PLAYTEST)]
    with pytest.raises(UsageError, match="nowhere"):
        beginnings.of_project("evening.json")


@pytest.mark.full
def test_strangers_play_without_files_of_the_owner(public: Server) -> None:
    """A public table lies in the front's own folder; a module file of the owner is not read, a link is needed."""
    watcher = begun(public, "playtest", deck_1=CAHRD[0], deck_2=CAHRD[1], seed="3", save="mine.json")
    one, _ = watcher.seats
    one.press("draw", zone="deck", to="hand")
    assert "draws a card" in one.log[0]
    folder = public.front.project().folder
    assert not list(folder.glob("*.json"))
    (folder / "mine.json").write_text("{}", "utf-8")
    answer = posted(
        public, "/tables/begin/solo", {"module": "generic-separate", "own_module": "mine.json"}, owner=False
    )
    assert answer.status == 400 and "There is no module" in answer.body.decode()
    assert posted(public, "/tables/begin/own", {"save": "mine.json"}, owner=False).status == 400
    assert public.ask(f"{one.path}/save", owner=False).status == 403
    for path in (one.path[:-1], one.path + "x", "/tables/x", one.path[:-4] + "AAAA"):
        assert public.ask(path, owner=False).status == 404


def test_a_table_is_found_by_the_next_process(tmp_path: Path) -> None:
    """Tables of another process that have the same folder find a table by the same link."""
    table = Tables(tmp_path).lay("battle", "rishar", ["", "a", "b"], tmp_path / "x.json", is_own=False)
    assert Tables(tmp_path).find(table.link("a")) == (table, "a")


@pytest.mark.full
def test_a_table_outlives_the_process_that_is_ended(public: Server) -> None:
    """When the working process is ended, the next one finds the table as it was."""
    watcher = begun(public, "playtest", deck_1=CAHRD[0], seed="3")
    watcher.press("draw", zone="deck", to="hand")
    log = watcher.log
    public.front.worker.end()
    assert watcher.log == log


def test_a_page_is_told_of_a_change(own: Server) -> None:
    """The events of a table say that it has changed, and nothing of what."""
    import http.client

    watcher = begun(own, "playtest", deck_1=CAHRD[0], deck_2=CAHRD[1], seed="3", save="told.json")
    one, two = watcher.seats
    connection = http.client.HTTPConnection("127.0.0.1", own.port, timeout=30)
    connection.request("GET", f"{two.path}/events", headers={"Authorization": f"Bearer {own.front.token}"})
    answer = connection.getresponse()
    assert answer.headers["content-type"].startswith("text/event-stream")
    lines = [answer.readline() for _ in range(2)]
    one.press("draw", zone="deck", to="hand")
    lines += [answer.readline() for _ in range(2)]
    connection.close()
    assert lines[2:] == [b"event: changed\n", b"data: \n"]


def test_the_number_of_tables_is_bounded_and_old_ones_make_room(tmp_path: Path) -> None:
    """A further table than there may be is refused; one at which nobody has moved for a day is closed for it."""
    tables = Tables(tmp_path, most=2)
    first, second = (tables.lay("solo", "cdg-solo", ["1"], tmp_path / f"{name}.json", is_own=False) for name in "ab")
    first.path.write_text("{}", "utf-8")
    with pytest.raises(TooManyTables):
        tables.lay("solo", "cdg-solo", ["1"], tmp_path / "c.json", is_own=False)
    os.utime(tmp_path / f"{first.name}.table", (0, time.time() - 86_401))
    third = tables.lay("solo", "cdg-solo", ["1"], tmp_path / "c.json", is_own=False)
    assert not first.path.exists() and {table.name for table in tables.all()} == {second.name, third.name}
    with pytest.raises(UnknownTable):
        tables.find(first.link("1"))


def test_an_own_save_stays_when_its_table_is_closed(tmp_path: Path) -> None:
    """Closing a table of a project's save leaves the save; a move keeps a table open."""
    tables = Tables(tmp_path / "t")
    (tmp_path / "t").mkdir()
    save = tmp_path / "solo.json"
    save.write_text("{}", "utf-8")
    table = tables.lay("solo", "cdg-solo", ["1"], save, is_own=True)
    assert tables.lay("solo", "cdg-solo", ["1"], save, is_own=True) == table
    os.utime(tmp_path / "t" / f"{table.name}.table", (0, time.time() - 86_401))
    tables.touch(table)
    assert tables.find(table.link("1"))[0] == table
    os.utime(tmp_path / "t" / f"{table.name}.table", (0, 0))
    tables.close_old()
    assert save.exists() and not list(tables.all())


def test_links_cannot_be_guessed(tmp_path: Path) -> None:
    """Each seat has 24 random bytes of its own; the name of a table and another seat's secret do not open it."""
    tables = Tables(tmp_path)
    one, two = (tables.lay("battle", "rishar", ["", "a", "b"], tmp_path / f"{n}.json", is_own=False) for n in "xy")
    secrets = [*one.seats.values(), *two.seats.values()]
    assert len(set(secrets)) == 6 and {len(secret) for secret in secrets} == {32}
    with pytest.raises(UnknownTable):
        tables.find(f"{one.name}-{two.seats['a']}")
    assert tables.find(one.link("b")) == (one, "b")


def test_a_mark_tells_nothing_of_a_save(tmp_path: Path) -> None:
    """The mark of a page is another for every table, though its save is the same."""
    table = Tables(tmp_path).lay("solo", "cdg-solo", ["1"], tmp_path / "x.json", is_own=False)
    assert table.mark("save") == table.mark("save") != table.mark("save2")
    assert table.mark("save") != replace(table, stamp="other").mark("save")


@pytest.mark.skipif(os.name != "posix", reason="signals as on POSIX")
def test_a_server_that_is_killed_while_it_writes_leaves_the_save_whole(tmp_path: Path) -> None:
    """SIGKILL while one action after another is saved: the save is that of a whole action, and is gone on with."""
    with subprocess.Popen([sys.executable, "-c", _PLAYING, str(tmp_path)], stdout=subprocess.PIPE) as playing:
        assert playing.stdout is not None
        for _ in range(4):
            playing.stdout.readline()
        playing.send_signal(signal.SIGKILL)
    project = Project(tmp_path)
    file = TableFile(project, tmp_path / "killed.json", project.game("cahrd"), PLAYTEST)
    session = file.load()
    assert len(session.log) >= 3
    with file.locked():
        file.save(session)


_PLAYING = """\
import sys
from pathlib import Path
from carddb.app.decks.page import chosen_text, deck_choices
from carddb.door import Project
from carddb.play.playtest.front import PLAYTEST
from carddb.app.tables.tables import TableBeginnings
from carddb.app.tables.seat import TableSeat
from carddb.app.tables.tables import Tables
folder = Path(sys.argv[1])
(folder / "tables").mkdir()
project, tables = Project(folder), Tables(folder / "tables")
text = chosen_text(deck_choices(project), "cahrd:grain-roads.deck")
table = TableBeginnings(project, tables, True).playtest([text], seed=1, save="killed.json")
while True:
    seat = TableSeat(project, tables, table.link("1"))
    seat.play("shuffle", {"zone": "deck.1"}, seat.mark)
    print(len(seat.session.log), flush=True)
"""
