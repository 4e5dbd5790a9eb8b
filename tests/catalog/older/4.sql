-- Fewer indexes, and the words of cards without their text.

DROP INDEX card_by_name;

DROP INDEX card_by_set;

CREATE TEMP TABLE kept AS SELECT rowid AS id, words FROM card_words;

DROP TABLE card_words;

CREATE VIRTUAL TABLE card_words USING fts5(words, content='', tokenize='ascii', detail=none, columnsize=0);

INSERT INTO card_words (rowid, words) SELECT id, words FROM kept ORDER BY id;

DROP TABLE kept;

UPDATE alembic_version SET version_num = '0004';

PRAGMA user_version = 4;
