-- The database of events: players, their deck lists in every version, the verdicts of these, notes on players, and the
-- log of the rounds. In an older file it makes the tables that are missing.

CREATE TABLE IF NOT EXISTS event (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE CHECK (key <> ''),
    name TEXT NOT NULL CHECK (name <> ''),
    game TEXT NOT NULL,
    format TEXT,
    day TEXT NOT NULL,
    deadline TEXT NOT NULL,
    zone TEXT NOT NULL,
    editions TEXT NOT NULL CHECK (json_type(editions) = 'array'),
    options TEXT NOT NULL CHECK (json_type(options) = 'object'),
    registration INTEGER NOT NULL CHECK (registration IN (0, 1)),
    open_lists INTEGER NOT NULL CHECK (open_lists IN (0, 1)),
    locked INTEGER NOT NULL CHECK (locked IN (0, 1)),
    join_code TEXT NOT NULL,
    secret_hash TEXT,
    made_at TEXT NOT NULL,
    last_player INTEGER NOT NULL DEFAULT 0,
    rounds TEXT NOT NULL DEFAULT '{}' CHECK (json_type(rounds) = 'object')
) STRICT;

CREATE TABLE IF NOT EXISTS player (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    name TEXT NOT NULL CHECK (name <> ''),
    folded_name TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE,
    locked INTEGER CHECK (locked IN (0, 1)),
    open_list INTEGER NOT NULL CHECK (open_list IN (0, 1)),
    registered_at TEXT NOT NULL,
    UNIQUE (event_id, folded_name)
) STRICT;

CREATE TABLE IF NOT EXISTS entry (
    id INTEGER PRIMARY KEY,
    player_id INTEGER NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    version INTEGER NOT NULL CHECK (version > 0),
    text TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    recorded_by TEXT NOT NULL CHECK (recorded_by IN ('player', 'organiser')),
    deck TEXT NOT NULL,
    fingerprint TEXT NOT NULL,
    verdict TEXT NOT NULL,
    reason TEXT NOT NULL,
    findings TEXT NOT NULL CHECK (json_type(findings) = 'array'),
    counts TEXT NOT NULL CHECK (json_type(counts) = 'object'),
    legal_until TEXT,
    basis TEXT NOT NULL,
    since TEXT NOT NULL,
    checked_at TEXT NOT NULL,
    objection TEXT NOT NULL DEFAULT '',
    UNIQUE (player_id, version)
) STRICT;

CREATE TABLE IF NOT EXISTS note (
    id INTEGER PRIMARY KEY,
    player_id INTEGER NOT NULL REFERENCES player (id) ON DELETE CASCADE,
    kind TEXT NOT NULL CHECK (kind IN ('note', 'message', 'warning', 'game_loss', 'match_loss', 'disqualification')),
    text TEXT NOT NULL CHECK (text <> ''),
    recorded_at TEXT NOT NULL,
    undone_at TEXT,
    read_at TEXT
) STRICT;

CREATE TABLE IF NOT EXISTS act (
    id INTEGER PRIMARY KEY,
    event_id INTEGER NOT NULL REFERENCES event (id) ON DELETE CASCADE,
    recorded_at TEXT NOT NULL,
    recorded_by TEXT NOT NULL,
    what TEXT NOT NULL,
    details TEXT NOT NULL CHECK (json_type(details) = 'object')
) STRICT;

PRAGMA application_id = 1163281742;

PRAGMA user_version = 4;
