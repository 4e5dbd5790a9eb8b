-- Ban lists: their terms, and announcements.

CREATE TABLE ban_terms (
    id INTEGER NOT NULL,
    game TEXT NOT NULL,
    sample INTEGER NOT NULL,
    in_force_from TEXT,
    recorded_at TEXT NOT NULL,
    author TEXT NOT NULL,
    source TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT ban_terms_game CHECK (trim("game") <> '' AND
        instr("game", char(10)) = 0 AND instr("game", char(13)) = 0),
    CONSTRAINT ban_terms_sample CHECK (sample IN (0, 1)),
    CONSTRAINT ban_terms_in_force_from CHECK (in_force_from IS date(in_force_from, '+0 days')),
    CONSTRAINT ban_terms_recorded_at CHECK (recorded_at IS strftime('%Y-%m-%dT%H:%M:%SZ', recorded_at, '+0 days')),
    CONSTRAINT ban_terms_data CHECK (json_valid(data) AND substr(data, 1, 1) = '{')
) STRICT;

CREATE INDEX ban_terms_in_force ON ban_terms (game, sample, in_force_from);

CREATE TABLE announcement (
    id INTEGER NOT NULL,
    game TEXT NOT NULL,
    sample INTEGER NOT NULL,
    name TEXT NOT NULL,
    made TEXT NOT NULL,
    effective TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    author TEXT NOT NULL,
    source TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT announcement_once UNIQUE (game, sample, name),
    CONSTRAINT announcement_game CHECK (trim("game") <> '' AND
        instr("game", char(10)) = 0 AND instr("game", char(13)) = 0),
    CONSTRAINT announcement_name CHECK (trim("name") <> '' AND
        instr("name", char(10)) = 0 AND instr("name", char(13)) = 0),
    CONSTRAINT announcement_sample CHECK (sample IN (0, 1)),
    CONSTRAINT announcement_effective CHECK (effective IS date(effective, '+0 days')),
    CONSTRAINT announcement_made CHECK (made IS strftime('%Y-%m-%dT%H:%M:%SZ', made, '+0 days')),
    CONSTRAINT announcement_recorded_at CHECK (recorded_at IS strftime('%Y-%m-%dT%H:%M:%SZ', recorded_at, '+0 days')),
    CONSTRAINT announcement_data CHECK (json_valid(data) AND substr(data, 1, 1) = '{')
) STRICT;

CREATE TRIGGER ban_terms_kept BEFORE DELETE ON ban_terms
BEGIN
    SELECT RAISE(ABORT, 'the terms of a ban list are never removed');
END;

CREATE TRIGGER ban_terms_fixed BEFORE UPDATE ON ban_terms
BEGIN
    SELECT RAISE(ABORT, 'the terms of a ban list are never changed');
END;

CREATE TRIGGER announcement_kept BEFORE DELETE ON announcement
BEGIN
    SELECT RAISE(ABORT, 'an announcement is never removed');
END;

CREATE TRIGGER announcement_fixed BEFORE UPDATE ON announcement
BEGIN
    SELECT RAISE(ABORT, 'an announcement is never changed');
END;

UPDATE alembic_version SET version_num = '0003';

PRAGMA user_version = 3;
