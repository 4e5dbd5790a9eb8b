"""What the benchmarks work on: Tidewrack, a game nobody plays, with as many cards as are asked for.

    python -m tests.benchmarks.inputs FOLDER [COUNT]

writes a project: the game's folder, its cards as CSV, sixty pictures. The same count gives the same bytes.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product
from pathlib import Path
from random import Random

from PIL import Image, ImageDraw

COUNTS = (540, 5_400, 30_000)
KEY = "tidewrack"
PICTURES = 60
PICTURE_SIZE = (600, 420)
BARRED = 50
"""Cards that the game's one format leaves out."""

COLUMNS = ("ref", "number", "name", "type", "line", "attack", "defense", "text", "rarity", "art")
COLOURS = {
    "beast": "#7d3b2c",
    "sailor": "#285878",
    "vessel": "#3d5f43",
    "relic": "#6a5420",
    "isle": "#57456e",
    "storm": "#545c63",
}
"""The types of card, and the colour of their frames."""
COPIES = {"common": 4, "uncommon": 3, "rare": 2, "mythic": 1}
"""The rarities, and how many copies of a card a deck may have."""
DECK_SIZE = (60, 75)

_SHARES = ("common",) * 11 + ("uncommon",) * 6 + ("rare",) * 3 + ("mythic",)


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


_FIRST = _words("""
Ashen Barnacled Battered Becalmed Bleached Blighted Bold Bottled Brackish Briny Bronze Chained Cold Coral Dark
Dauntless Deep Distant Dogged Drifting Drowned Dull Eastern Ebbing Errant Faded Far Foggy Foul Gaunt Gilded
Glass Green Grim Hoarse Hollow Hooded Hungry Idle Keen Kelpen Lame Last Leaden Listing Lonely Lost Low Mended
Misty Moonlit Muted Nameless Neap Northern Oaken Old Pale Patient Pitched Proud Quiet Ragged Rigged Rough
Rusty Salted Sandy Scarred Sculling Sealed Shoal Silt Sleek Slow Solemn Sombre Spring Stout Stray Sunken Swift
Tarred Tattered Tidal Torn Twin Vagrant Veiled Wary Weedy Western White Windy Wild Worn
""")
_SECOND = _words("""
Albatross Anchor Astrolabe Auk Barge Beacon Bell Bight Boatswain Bowsprit Breaker Buoy Capstan Captain
Castaway Cay Chandler Chart Clipper Cod Compass Conch Cooper Cormorant Corsair Crab Current Cutter Deckhand
Dinghy Diver Dolphin Eel Eddy Estuary Ferry Figurehead Fjord Flotsam Frigate Gale Galley Gannet Gunner Gull
Harbour Harpoon Heron Helm Herring Hull Jetty Keel Kelp Ketch Kraken Lagoon Lantern Lighter Lobster Lugger
Marlin Mast Mermaid Mooring Narwhal Net Oar Orca Osprey Otter Oyster Pearl Pelican Petrel Pilot Pirate Puffin
Purser Quay Raft Ray Reef Rigger Rudder Sailcloth Schooner Seal Sextant Shark Shipwright Skerry Skiff Sloop
Smuggler Spar Squall Squid Stowaway Strait Surf Surgeon Tern Tide Trawler Turtle Undertow Urchin Wake Walrus
Whaler Wharf Wherry Whirlpool Winch Wreck Yawl
""")
_LAST = ("", " of Salt", " of Tar", " Adrift", " Ashore", " Aweigh")
_LINE = _words("Coast Abyss Fleet Harbour Shoal Crew Cargo Lore")
_SAID = _words("""
a the each every any one two three this that its your their crew hull hold deck hand pile card captain vessel
storm tide cargo port reef wind draw stow haul lower raise cast turn sink salvage scatter trade spare pay keep
swap reveal gains loses counts until while after before unless whenever when if as then may must and or with
from into under beside across next first last other ready spent hidden open sunken afloat ashore damage cost
calm round watch
""")
_CALLED = ("Boarding", "Deep water", "Dead calm", "Ebb 2", "Flood 1", "First watch", "Ram", "Salvage", "Storm-proof")
_SKY = ((90, 190), (120, 190), (150, 220))
_SEA = ((30, 70), (60, 120), (80, 150))
_ASIDES = (
    "a spent card lies sideways",
    "count the hold first",
    "hidden cards stay hidden",
    "the captain chooses",
    "this lasts until the tide turns",
    "what is sunk stays sunk",
)


@dataclass(frozen=True, slots=True)
class Project:
    """A folder to run `carddb` in, and the card file that lies in it."""

    folder: Path
    cards: Path


def write_project(folder: Path, count: int, pictures: bool = True) -> Project:
    """A project with `count` cards; without `pictures` the cards name none."""
    game = folder / KEY
    (game / "templates").mkdir(parents=True, exist_ok=True)
    (folder / "carddb.toml").write_text(f'game = "{KEY}"\ngames = ["{KEY}"]\n', "utf-8")
    (game / "game.yaml").write_text(game_file(count), "utf-8")
    (game / "templates" / "unit.svg").write_text(_TEMPLATE, "utf-8")
    if pictures:
        write_pictures(folder / "art")
    cards = folder / f"cards-{count}.csv"
    with cards.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(row if pictures else {**row, "art": ""} for row in rows(count))
    return Project(folder, cards)


def rows(count: int) -> Iterator[dict[str, str | int]]:
    """The cards, no two of one name."""
    random = Random(f"{KEY} {count}")
    names = random.sample([f"{a} {b}{c}" for a, b, c in product(_FIRST, _SECOND, _LAST)], count)
    for number, name in enumerate(names, 1):
        kind = random.choice(tuple(COLOURS))
        yield {
            "ref": reference(number),
            "number": number,
            "name": name,
            "type": kind,
            "line": f"{kind.capitalize()} - {' '.join(random.sample(_LINE, 2))}",
            "attack": random.randint(0, 12),
            "defense": random.randint(0, 12),
            "text": _rules(random),
            "rarity": random.choice(_SHARES),
            "art": f"art/{random.randrange(PICTURES):02}.jpg",
        }


def reference(number: int) -> str:
    """`TW-00001`."""
    return f"TW-{number:05}"


def barred(count: int) -> list[str]:
    """The references of the cards that the format leaves out."""
    return sorted(map(reference, Random(f"barred {count}").sample(range(1, count + 1), BARRED)))


def _rules(random: Random) -> str:
    """About 220 characters, the first words bold, the last italic."""
    called, aside = random.choice(_CALLED), random.choice(_ASIDES)
    return f"**{called}:** {_sentence(random)} {_sentence(random)} *({aside})*"


def _sentence(random: Random) -> str:
    """About ninety characters."""
    words: list[str] = []
    while sum(map(len, words)) + len(words) < 88:
        words.append(random.choice(_SAID))
    return " ".join(words).capitalize() + "."


def write_pictures(folder: Path) -> None:
    """Sixty seascapes as JPEG, as rough as scanned drawings are."""
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(PICTURES):
        _seascape(Random(number)).save(folder / f"{number:02}.jpg", quality=85)


def _seascape(random: Random) -> Image.Image:
    """A sky that pales towards the horizon, a sun in it, waves that grow towards the front, and grain over all."""
    width, height = PICTURE_SIZE
    horizon = random.randint(140, 240)
    sky, sea = (tuple(random.randint(*span) for span in spans) for spans in (_SKY, _SEA))
    picture = Image.new("RGB", PICTURE_SIZE, sea)
    dusk = Image.linear_gradient("L").resize((width, horizon))
    picture.paste(Image.composite(Image.new("RGB", dusk.size, "#f4e3c2"), Image.new("RGB", dusk.size, sky), dusk))
    draw = ImageDraw.Draw(picture)
    x, radius = random.randint(80, width - 80), random.randint(20, 45)
    draw.ellipse((x - radius, horizon - 2 * radius, x + radius, horizon), fill="#fff6dc")
    for _ in range(500):
        y = random.randint(horizon, height)
        length = 6 + (y - horizon) // 3
        x = random.randint(-length, width)
        shade = random.randint(-30, 45)
        draw.line((x, y, x + length, y), tuple(tone + shade for tone in sea), 1 + length // 30)
    grain = Image.frombytes("L", PICTURE_SIZE, random.randbytes(width * height)).convert("RGB")
    return Image.blend(picture, grain, 0.08)


def game_file(count: int) -> str:
    """The `game.yaml` of a game with so many cards."""
    digits = max(4, len(str(count)))
    kinds = [f"  {key}: {{label: {key.capitalize()}, face: unit.svg}}" for key in COLOURS]
    colours = [f'    {key}: "{colour}"' for key, colour in COLOURS.items()]
    limits = [f'- {{copies: "rarity:{key}", max: {most}, code: too_many_copies}}' for key, most in COPIES.items()]
    return _GAME.format(
        key=KEY,
        kinds="\n".join(kinds),
        rarities=", ".join(COPIES),
        least=DECK_SIZE[0],
        most=DECK_SIZE[1],
        limits="\n".join(limits),
        barred=",".join(barred(count)),
        colours="\n".join(colours),
        total=f"{count:0{digits}}",
    )


_GAME = """\
key: {key}
prefix: tw
name: Tidewrack
notice: A game for measuring with.
card_size: poker
identity: [name]

fields:
  number: {{type: integer, required: true, min: 1, label: Number}}
  line: {{type: text, required: true, label: Type line}}
  attack: {{type: integer, required: true, min: 0, max: 12, label: Attack}}
  defense: {{type: integer, required: true, min: 0, max: 12, label: Defense}}
  text: {{type: text, label: Rules}}
  rarity: {{type: choice, of: [{rarities}], required: true, label: Rarity}}

types:
{kinds}

sections:
  main: {{label: Main, size: [{least}, {most}], code: main_size}}

limits:
{limits}

formats:
  harbour: {{name: Harbour, pool: [{{must: "-ref={barred}", code: barred, label: not barred}}]}}
default_format: harbour

fonts:
  IBM Plex Sans Condensed:
    package: fontpkg_ibm_plex_sans_condensed
    licence: OFL-1.1
    files:
      "400": files/IBMPlexSansCondensed-Regular.ttf
      "700": files/IBMPlexSansCondensed-Bold.ttf
      "400 italic": files/IBMPlexSansCondensed-Italic.ttf

data:
  total: "{total}"
  colours:
{colours}
"""

_TEMPLATE = """\
{# A frame in the colour of the type, a panel on it, and there a title, art, rules and two figures. #}
{% set sans = "IBM Plex Sans Condensed" %}
{% set ink = "#26221d" %}
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 63.5 88.9">
<title>{{ card.name }}</title>
<rect width="63.5" height="88.9" fill="{{ data.colours[card.type] }}"/>
<rect x="2" y="2" width="59.5" height="84.9" rx="3" fill="#faf5e9" stroke="{{ ink }}" stroke-width="0.28"/>
<g font-family="{{ sans }}" fill="{{ ink }}">
<text x="5" y="8.8" font-weight="700" font-size="12pt" data-field="name">{{ card.name }}</text>
<text x="5" y="12.4" font-size="7.5pt" data-field="line">{{ card.line }}</text>
{% if card.art %}
<image href="{{ card.art }}" x="7.75" y="13.6" width="48" height="33.6" data-field="art"/>
{% endif %}
<rect x="4.75" y="48.4" width="54" height="28.2" fill="#ffffff" stroke="{{ ink }}" stroke-width="0.18"/>
<text data-box="6 49.4 51.5 26.2" font-size="8.5pt" data-leading="1.2" data-field="text">{{ card.text }}</text>
<g text-anchor="middle">
{% for x, name in [(4.75, "attack"), (48.75, "defense")] %}
<rect x="{{ x }}" y="77.4" width="10" height="8.2" fill="#e6dbc0" stroke="{{ ink }}" stroke-width="0.18"/>
<text x="{{ x + 5 }}" y="83.45" font-weight="700" font-size="16pt" data-field="{{ name }}">{{ card[name] }}</text>
{% endfor %}
<text x="31.75" y="82.6" font-size="6pt" data-field="number">
{{- ("0000" ~ card.number)[-(data.total | length):] }}/{{ data.total }} - {{ card.rarity | capitalize }}</text>
</g>
</g>
</svg>
"""


if __name__ == "__main__":
    made = write_project(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else COUNTS[0])
    print(made.cards)
