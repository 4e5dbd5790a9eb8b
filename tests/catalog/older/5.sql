-- The words of what is written without spaces; the structure stayed the same.

UPDATE alembic_version SET version_num = '0005';

PRAGMA user_version = 5;
