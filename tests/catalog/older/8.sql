-- Words of cards in other languages.

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

CREATE TRIGGER translation_no_delete BEFORE DELETE ON translation
BEGIN
    SELECT RAISE(ABORT, 'a translation is never removed');
END;

CREATE TRIGGER translation_no_update BEFORE UPDATE ON translation
BEGIN
    SELECT RAISE(ABORT, 'a translation is never changed');
END;

CREATE VIRTUAL TABLE translation_words USING fts5(words, content='', tokenize='ascii', detail=none, columnsize=0);

PRAGMA user_version = 8;
