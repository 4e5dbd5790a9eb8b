-- Every front of a card in a print job.

DROP TABLE print_job_card;

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

PRAGMA user_version = 10;
