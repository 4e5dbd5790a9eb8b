"""What is written without spaces is found by each of its characters.

Revision ID: 0005
"""

from alembic import op

from carddb.catalog.query_narrowing import indexed
from carddb.catalog.search import values_of

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Tells the words of every card anew."""
    database = op.get_bind()
    cards = database.exec_driver_sql("SELECT id, data FROM card ORDER BY id").fetchall()
    words = [(card_id, indexed(values_of(data))) for card_id, data in cards]
    database.exec_driver_sql("DROP TABLE card_words")
    database.exec_driver_sql(
        "CREATE VIRTUAL TABLE card_words USING fts5(words, content='', tokenize='ascii', detail=none, columnsize=0)"
    )
    if words:
        database.exec_driver_sql("INSERT INTO card_words (rowid, words) VALUES (?, ?)", words)
