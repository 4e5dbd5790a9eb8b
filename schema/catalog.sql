-- A new catalogue. Whoever changes it raises the number at its end, and VERSION of carddb/catalog/connection.py.
-- Cards and revisions are tested before they are written (carddb/catalog/load.py repeats their checks, which a large load
-- leaves out for speed); all other rows are tested here.
-- Dates and times are ISO texts (without '+0 days' SQLite would return 2026-02-30 unchanged); values of cards are
-- canonical JSON.

-- A card, in the state that its latest revision gave it. `in_force_from` is the day of that revision (NULL: from the
-- beginning). The state on earlier days is in the revisions.
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

-- A change of one card; rows are added and never changed. `changes` is `{field: [old, new]}`, empty if there was no old
-- state. `data` is the whole new state, so that the state on a day needs no replay.
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

-- A printing of a card: its code, its set, its number there, and its day of release; `quantity` is the copies in a
-- playset. A `retired` printing no longer counts; time, author and source then are those of its retirement.
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

-- A card's texts in another language from a day on (NULL: from the beginning); rows are added and never changed. `data`
-- holds every translated field, or nothing for a withdrawn translation. `name` is a column of its own, so that decks can
-- use it.
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

-- A print job: its game, its title, the size of its cards, the day of printing and the time of recording.
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

-- A card as it was on paper after a print job: its name then, its copies, and digests of its two sides; `back` is empty
-- if none was printed. A card printed with several pictures has a row for each front.
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

-- The terms of a game's ban lists from a day on: lists, levels, groups; rows are added and never changed. `sample` marks
-- terms that came with the sample cards.
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

-- An announcement of ban lists, by its id; rows are added and never changed.
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

-- Words of names and texts by card id, and of translations by translation id. The indexes store no text; they split at
-- and lower ASCII, and other text comes folded.
CREATE VIRTUAL TABLE card_words USING fts5(words, content='', tokenize='ascii', detail=none, columnsize=0);

CREATE VIRTUAL TABLE translation_words USING fts5(words, content='', tokenize='ascii', detail=none, columnsize=0);

PRAGMA application_id = 1128354372;

PRAGMA user_version = 10;
