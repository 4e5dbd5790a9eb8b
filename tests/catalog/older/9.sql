-- Printings that are retired.

DROP TABLE printing;

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

PRAGMA user_version = 9;
