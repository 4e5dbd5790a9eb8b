"""Every surface, with how many of its inputs a whole run has."""

from __future__ import annotations

from tests.hostile import file_surfaces as files
from tests.hostile import front_surfaces as fronts
from tests.hostile import game_surfaces as games
from tests.hostile import server_surfaces as servers
from tests.hostile import table_surfaces as tables
from tests.hostile.mutation import mutated_archive, mutated_json, of_unknown_names, repeated, swollen_archive
from tests.hostile.surface import Surface

MUTATIONS = 1_000_000
"""The inputs of a whole run."""
_LEAST = 20_000
"""The fewest of what a game, a session and a printer are read from."""

SURFACES: tuple[Surface, ...] = (
    Surface("modules", 60_000, games.modules, mutated_json, _LEAST),
    Surface("solo saves", 20_000, tables.solo_saves, mutated_json, _LEAST),
    Surface("battle saves", 10_000, tables.battle_saves, mutated_json),
    Surface("API requests", 7_000, fronts.api),
    Surface("announcements", 5_000, files.announcements),
    Surface("ban lists", 6_000, files.ban_lists),
    Surface("cards json", 20_000, files.cards("json"), mutated_json),
    Surface("cards csv", 40_000, files.cards("csv")),
    Surface("cards tsv", 5_000, files.cards("tsv")),
    Surface("cards yaml", 5_000, files.cards("yaml")),
    Surface("cards xlsx", 20_000, files.cards("xlsx"), mutated_archive),
    Surface("cards ods", 6_000, files.cards("ods"), mutated_archive),
    Surface("workbooks that swell", 200, files.cards("xlsx"), swollen_archive),
    Surface("decks json", 10_000, files.decks("json"), mutated_json),
    Surface("decks xml", 10_000, files.decks("cod")),
    Surface("decks", 5_000, files.decks("deck")),
    Surface("decks csv", 4_000, files.decks("csv")),
    Surface("decks of unknown cards", 500, files.deck_help, of_unknown_names),
    Surface("pasted decks", 4_000, files.pasted_decks),
    Surface("repeats in decks", 2_000, files.decks("deck"), repeated),
    Surface("repeats in pasted decks", 2_000, files.pasted_decks, repeated),
    Surface("repeats in cards csv", 2_000, files.cards("csv"), repeated),
    Surface("repeats in queries", 1_000, files.queries, repeated),
    Surface("repeats in carddb.toml", 2_000, files.settings, repeated),
    Surface("repeats in drawings", 2_000, games.drawings, repeated),
    Surface("repeats in guide.md", 1_000, games.rule_sheet, repeated),
    Surface("repeats in templates", 1_000, games.card_template, repeated),
    Surface("owned cards", 30_000, files.owned_cards),
    Surface("queries", 25_000, files.queries),
    Surface("questions", 70_000, files.questions, mutated_json),
    Surface("carddb.toml", 200_000, files.settings),
    Surface("printers", 353_000, files.printers, mutated_json, _LEAST),
    Surface("forms of the front", 3_000, fronts.forms),
    Surface("uploads", 5_000, fronts.uploads),
    Surface("studio", 5_000, fronts.studio),
    Surface("guide.md", 5_000, games.rule_sheet),
    Surface("game.yaml", 20_000, games.game_file, least=_LEAST),
    Surface("folders with traps", 1_000, games.folders_with_traps, games.with_trap),
    Surface("pictures in sheets", 20_000, games.pictures, least=_LEAST),
    Surface("pictures that swell", 500, games.pictures, games.that_swells),
    Surface("fonts that swell", 200, games.fonts, games.that_doubles),
    Surface("templates", 20_000, games.card_template, games.in_a_face, _LEAST),
    Surface("templates by grammar", 20_000, games.written_templates, games.from_grammar, _LEAST),
    Surface("templates that swell", 1_000, games.written_templates, games.of_a_manner),
    Surface("catalogues", 1_000, files.catalogues),
    Surface("copies that are put back", 1_000, servers.copies),
    Surface("entrances of a server", 20_000, servers.entrances, servers.in_any_way),
    Surface("paths in an access log", 5_000, servers.logged_paths, servers.of_a_link),
    Surface("addresses of imports", 20_000, servers.import_addresses, servers.of_a_private_network),
    Surface("names of players", 2_000, servers.player_names, servers.that_look_alike),
    Surface("numbers of players", 200, servers.player_numbers),
    Surface("stale forms of the desk", 500, servers.stale_forms),
    Surface("saves of tables", 2_000, servers.table_saves),
)
