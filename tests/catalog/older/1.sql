-- Cards, their revisions, and the words they are searched by.

CREATE TABLE card (
    game TEXT NOT NULL,
    ref TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL,
    "set" TEXT NOT NULL,
    data TEXT NOT NULL,
    id INTEGER NOT NULL,
    retired INTEGER NOT NULL,
    in_force_from TEXT,
    PRIMARY KEY (id),
    CONSTRAINT card_once UNIQUE (game, ref),
    CONSTRAINT card_game CHECK (trim("game") <> '' AND instr("game", char(10)) = 0 AND instr("game", char(13)) = 0),
    CONSTRAINT card_ref CHECK (trim("ref") <> '' AND instr("ref", char(10)) = 0 AND instr("ref", char(13)) = 0),
    CONSTRAINT card_name CHECK (trim("name") <> '' AND instr("name", char(10)) = 0 AND instr("name", char(13)) = 0),
    CONSTRAINT card_type CHECK (trim("type") <> '' AND instr("type", char(10)) = 0 AND instr("type", char(13)) = 0),
    CONSTRAINT card_set CHECK (trim("set") <> '' AND instr("set", char(10)) = 0 AND instr("set", char(13)) = 0),
    CONSTRAINT card_data CHECK (json_valid(data) AND substr(data, 1, 1) = '{'),
    CONSTRAINT card_retired CHECK (retired IN (0, 1)),
    CONSTRAINT card_in_force_from CHECK (in_force_from IS date(in_force_from, '+0 days'))
) STRICT;

CREATE INDEX card_by_day ON card (game, in_force_from) WHERE in_force_from IS NOT NULL;

CREATE INDEX card_by_name ON card (game, name);

CREATE INDEX card_by_set ON card (game, "set");

CREATE TABLE revision (
    kind TEXT NOT NULL,
    in_force_from TEXT,
    recorded_at TEXT NOT NULL,
    author TEXT NOT NULL,
    source TEXT NOT NULL,
    id INTEGER NOT NULL,
    card_id INTEGER NOT NULL,
    changes TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT revision_in_force_from CHECK (in_force_from IS date(in_force_from, '+0 days')),
    CONSTRAINT revision_recorded_at CHECK (recorded_at IS strftime('%Y-%m-%dT%H:%M:%SZ', recorded_at, '+0 days')),
    CONSTRAINT revision_kind CHECK (kind IN ('added', 'changed', 'retired', 'restored')),
    CONSTRAINT revision_always CHECK ((kind = 'added') = (in_force_from IS NULL)),
    CONSTRAINT revision_changes CHECK (json_valid(changes) AND substr(changes, 1, 1) = '{'),
    CONSTRAINT revision_data CHECK (json_valid(data) AND substr(data, 1, 1) = '{'),
    FOREIGN KEY(card_id) REFERENCES card (id)
) STRICT;

CREATE UNIQUE INDEX revision_first ON revision (card_id) WHERE in_force_from IS NULL;

CREATE INDEX revision_in_force ON revision (card_id, in_force_from);

CREATE INDEX revision_rename ON revision (card_id) WHERE json_type(changes, '$.name') IS NOT NULL;

CREATE TRIGGER revision_kept BEFORE DELETE ON revision
BEGIN
    SELECT RAISE(ABORT, 'a revision is never removed');
END;

CREATE TRIGGER revision_fixed BEFORE UPDATE ON revision
BEGIN
    SELECT RAISE(ABORT, 'a revision is never changed');
END;

CREATE VIRTUAL TABLE card_words USING fts5(words, tokenize='ascii', detail=none, columnsize=0);

PRAGMA application_id = 1128354372;

CREATE TABLE alembic_version (
    version_num VARCHAR(32) NOT NULL,
    CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);

INSERT INTO alembic_version (version_num) VALUES ('0001');

PRAGMA user_version = 1;
