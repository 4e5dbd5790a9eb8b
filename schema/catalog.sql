-- A new catalogue. Generated from the model by `python -m carddb.catalog.model`; a test compares the two.

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

CREATE TABLE printing (
    id INTEGER NOT NULL,
    game TEXT NOT NULL,
    code TEXT NOT NULL,
    card_id INTEGER NOT NULL,
    "set" TEXT NOT NULL,
    position TEXT,
    released TEXT,
    art TEXT,
    quantity INTEGER,
    flavor TEXT,
    artist TEXT,
    retired INTEGER DEFAULT 0 NOT NULL,
    recorded_at TEXT NOT NULL,
    author TEXT NOT NULL,
    source TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT printing_once UNIQUE (game, code),
    CONSTRAINT printing_game CHECK (trim("game") <> '' AND instr("game", char(10)) = 0 AND instr("game", char(13)) = 0),
    CONSTRAINT printing_code CHECK (trim("code") <> '' AND instr("code", char(10)) = 0 AND instr("code", char(13)) = 0),
    CONSTRAINT printing_set CHECK (trim("set") <> '' AND instr("set", char(10)) = 0 AND instr("set", char(13)) = 0),
    CONSTRAINT printing_released CHECK (released IS date(released, '+0 days')),
    CONSTRAINT printing_quantity CHECK (quantity > 0),
    CONSTRAINT printing_retired CHECK (retired IN (0, 1)),
    CONSTRAINT printing_recorded_at CHECK (recorded_at IS strftime('%Y-%m-%dT%H:%M:%SZ', recorded_at, '+0 days')),
    FOREIGN KEY(card_id) REFERENCES card (id)
) STRICT;

CREATE INDEX printing_of_card ON printing (card_id);

CREATE TABLE translation (
    id INTEGER NOT NULL,
    card_id INTEGER NOT NULL,
    lang TEXT NOT NULL,
    name TEXT,
    in_force_from TEXT,
    recorded_at TEXT NOT NULL,
    author TEXT NOT NULL,
    source TEXT NOT NULL,
    data TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT translation_lang CHECK (trim("lang") <> '' AND instr("lang", char(10)) = 0 AND instr("lang", char(13)) = 0),
    CONSTRAINT translation_name CHECK (trim("name") <> '' AND instr("name", char(10)) = 0 AND instr("name", char(13)) = 0),
    CONSTRAINT translation_in_force_from CHECK (in_force_from IS date(in_force_from, '+0 days')),
    CONSTRAINT translation_recorded_at CHECK (recorded_at IS strftime('%Y-%m-%dT%H:%M:%SZ', recorded_at, '+0 days')),
    CONSTRAINT translation_data CHECK (json_valid(data) AND substr(data, 1, 1) = '{'),
    FOREIGN KEY(card_id) REFERENCES card (id)
) STRICT;

CREATE INDEX translation_by_name ON translation (name) WHERE name IS NOT NULL;

CREATE INDEX translation_in_force ON translation (card_id, lang, in_force_from);

CREATE TABLE print_job (
    id INTEGER NOT NULL,
    game TEXT NOT NULL,
    title TEXT NOT NULL,
    size TEXT NOT NULL,
    printed_on TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT print_job_game CHECK (trim("game") <> '' AND instr("game", char(10)) = 0 AND instr("game", char(13)) = 0),
    CONSTRAINT print_job_printed_on CHECK (printed_on IS date(printed_on, '+0 days')),
    CONSTRAINT print_job_recorded_at CHECK (recorded_at IS strftime('%Y-%m-%dT%H:%M:%SZ', recorded_at, '+0 days'))
) STRICT;

CREATE INDEX print_job_by_title ON print_job (game, size, title);

CREATE TABLE print_job_card (
    print_job_id INTEGER NOT NULL,
    ref TEXT NOT NULL,
    name TEXT NOT NULL,
    copies INTEGER NOT NULL,
    front TEXT NOT NULL,
    back TEXT NOT NULL,
    PRIMARY KEY (print_job_id, ref, front),
    CONSTRAINT print_job_card_copies CHECK (copies > 0),
    FOREIGN KEY(print_job_id) REFERENCES print_job (id)
)
 WITHOUT ROWID, STRICT;

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
    CONSTRAINT ban_terms_game CHECK (trim("game") <> '' AND instr("game", char(10)) = 0 AND instr("game", char(13)) = 0),
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
    CONSTRAINT announcement_game CHECK (trim("game") <> '' AND instr("game", char(10)) = 0 AND instr("game", char(13)) = 0),
    CONSTRAINT announcement_name CHECK (trim("name") <> '' AND instr("name", char(10)) = 0 AND instr("name", char(13)) = 0),
    CONSTRAINT announcement_sample CHECK (sample IN (0, 1)),
    CONSTRAINT announcement_effective CHECK (effective IS date(effective, '+0 days')),
    CONSTRAINT announcement_made CHECK (made IS strftime('%Y-%m-%dT%H:%M:%SZ', made, '+0 days')),
    CONSTRAINT announcement_recorded_at CHECK (recorded_at IS strftime('%Y-%m-%dT%H:%M:%SZ', recorded_at, '+0 days')),
    CONSTRAINT announcement_data CHECK (json_valid(data) AND substr(data, 1, 1) = '{')
) STRICT;

CREATE TRIGGER revision_no_delete BEFORE DELETE ON revision
BEGIN
    SELECT RAISE(ABORT, 'a revision is never removed');
END;

CREATE TRIGGER revision_no_update BEFORE UPDATE ON revision
BEGIN
    SELECT RAISE(ABORT, 'a revision is never changed');
END;

CREATE TRIGGER translation_no_delete BEFORE DELETE ON translation
BEGIN
    SELECT RAISE(ABORT, 'a translation is never removed');
END;

CREATE TRIGGER translation_no_update BEFORE UPDATE ON translation
BEGIN
    SELECT RAISE(ABORT, 'a translation is never changed');
END;

CREATE TRIGGER ban_terms_no_delete BEFORE DELETE ON ban_terms
BEGIN
    SELECT RAISE(ABORT, 'the terms of a ban list are never removed');
END;

CREATE TRIGGER ban_terms_no_update BEFORE UPDATE ON ban_terms
BEGIN
    SELECT RAISE(ABORT, 'the terms of a ban list are never changed');
END;

CREATE TRIGGER announcement_no_delete BEFORE DELETE ON announcement
BEGIN
    SELECT RAISE(ABORT, 'an announcement is never removed');
END;

CREATE TRIGGER announcement_no_update BEFORE UPDATE ON announcement
BEGIN
    SELECT RAISE(ABORT, 'an announcement is never changed');
END;

CREATE VIRTUAL TABLE card_words USING fts5(words, content='', tokenize='ascii', detail=none, columnsize=0);

CREATE VIRTUAL TABLE translation_words USING fts5(words, content='', tokenize='ascii', detail=none, columnsize=0);

PRAGMA application_id = 1128354372;

PRAGMA user_version = 11;
