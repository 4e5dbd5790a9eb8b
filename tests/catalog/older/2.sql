-- What was printed.

CREATE TABLE printing (
    id INTEGER NOT NULL,
    game TEXT NOT NULL,
    title TEXT NOT NULL,
    size TEXT NOT NULL,
    printed_on TEXT NOT NULL,
    recorded_at TEXT NOT NULL,
    PRIMARY KEY (id),
    CONSTRAINT printing_game CHECK (trim("game") <> '' AND instr("game", char(10)) = 0 AND instr("game", char(13)) = 0),
    CONSTRAINT printing_printed_on CHECK (printed_on IS date(printed_on, '+0 days')),
    CONSTRAINT printing_recorded_at CHECK (recorded_at IS strftime('%Y-%m-%dT%H:%M:%SZ', recorded_at, '+0 days'))
) STRICT;

CREATE INDEX printing_of ON printing (game, size, title);

CREATE TABLE printed (
    printing_id INTEGER NOT NULL,
    ref TEXT NOT NULL,
    name TEXT NOT NULL,
    copies INTEGER NOT NULL,
    front TEXT NOT NULL,
    back TEXT NOT NULL,
    PRIMARY KEY (printing_id, ref),
    CONSTRAINT printed_copies CHECK (copies > 0),
    FOREIGN KEY(printing_id) REFERENCES printing (id)
)
 WITHOUT ROWID, STRICT;

UPDATE alembic_version SET version_num = '0002';

PRAGMA user_version = 2;
