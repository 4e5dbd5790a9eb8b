"""Fewer indexes, for a card is found by the words of its name; and those words only once.

Revision ID: 0004
"""

from alembic import op

revision = "0004"
down_revision = "0003"

STATEMENTS = (
    "DROP INDEX card_by_name",
    "DROP INDEX card_by_set",
    "CREATE TEMP TABLE kept AS SELECT rowid AS id, words FROM card_words",
    "DROP TABLE card_words",
    "CREATE VIRTUAL TABLE card_words USING fts5(words, content='', tokenize='ascii', detail=none, columnsize=0)",
    "INSERT INTO card_words (rowid, words) SELECT id, words FROM kept ORDER BY id",
    "DROP TABLE kept",
)


def upgrade() -> None:
    """Takes away the indexes by name and set, and the text that the index of words had kept."""
    for statement in STATEMENTS:
        op.get_bind().exec_driver_sql(statement)
