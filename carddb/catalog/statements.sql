-- The statements of the catalogue by name, but for those that are put together from parts.

-- Reading cards, their revisions and translations.

-- name: settled_cards
-- Most catalogues hold one game, so this hint makes the database test the other conditions first.
SELECT id, ref, data, retired, FALSE FROM card
WHERE likely(game = ?) AND (in_force_from IS NULL OR in_force_from <= ?);

-- name: earlier_cards
SELECT card.id, card.ref, revision.data, revision.kind = 'retired', TRUE FROM card JOIN revision ON revision.id = (
    SELECT id FROM revision WHERE card_id = card.id AND (in_force_from IS NULL OR in_force_from <= ?)
    ORDER BY in_force_from DESC, id DESC LIMIT 1)
WHERE card.game = ? AND card.in_force_from > ?;

-- name: renames
SELECT card_id, changes ->> '$.name[0]', changes ->> '$.name[1]' FROM revision
WHERE json_type(changes, '$.name') IS NOT NULL AND in_force_from <= ?{of_cards} ORDER BY in_force_from, id;

-- name: translated_names
SELECT card_id, translation.name FROM translation JOIN card ON card.id = card_id
WHERE card.game = ? AND translation.name IS NOT NULL
AND (translation.in_force_from IS NULL OR translation.in_force_from <= ?){of_cards}
ORDER BY card_id, lang, translation.in_force_from, translation.id;

-- name: cards_in_language
SELECT card.ref, translation.data FROM card JOIN translation ON translation.id = (
    SELECT id FROM translation WHERE card_id = card.id AND lang = ?
    AND (in_force_from IS NULL OR in_force_from <= ?) ORDER BY in_force_from DESC, id DESC LIMIT 1)
WHERE card.game = ?;

-- name: next_revisions
SELECT card_id, min(revision.in_force_from) FROM card JOIN revision ON card_id = card.id
WHERE card.game = ? AND card.in_force_from > ? AND revision.in_force_from > ? GROUP BY card_id;

-- name: history
SELECT revision.in_force_from, recorded_at, author, source, kind, changes, revision.data
FROM revision JOIN card ON card.id = card_id
WHERE game = ? AND ref = ? ORDER BY revision.in_force_from, revision.id;

-- name: translation_history
SELECT translation.in_force_from, recorded_at, author, source, translation.data FROM translation
JOIN card ON card.id = card_id WHERE game = ? AND ref = ? AND lang = ?
ORDER BY translation.in_force_from, translation.id;

-- name: translations_written
SELECT card.ref, translation.recorded_at, translation.data FROM translation JOIN card ON card.id = card_id
WHERE game = ? AND lang = ? AND (translation.in_force_from IS NULL OR translation.in_force_from <= ?)
ORDER BY card.id, translation.in_force_from, translation.id;

-- name: translated_changes
SELECT card.ref, recorded_at, changes FROM revision JOIN card ON card.id = card_id
WHERE game = ? AND kind = 'changed' AND revision.in_force_from <= ?
AND EXISTS (SELECT 1 FROM translation WHERE translation.card_id = card.id);

-- name: edits
SELECT card.ref, source, changes FROM revision JOIN card ON card.id = card_id
WHERE card_id IN (SELECT card_id FROM revision WHERE source = ?) AND game = ? ORDER BY revision.id;

-- name: added_after
SELECT card.ref FROM revision JOIN card ON card.id = card_id
WHERE game = ? AND kind = 'added' AND substr(recorded_at, 1, 10) > ?;

-- name: change_days
SELECT coalesce(revision.in_force_from, substr(recorded_at, 1, 10)) AS day
FROM revision JOIN card ON card.id = card_id WHERE game = ? GROUP BY day HAVING day > ? AND day <= ? ORDER BY day;

-- name: sources
SELECT card.ref, source FROM revision JOIN card ON card.id = card_id
WHERE game = ? AND NOT card.retired GROUP BY card.ref, source ORDER BY max(revision.id) DESC;

-- name: cards_of_other_types
SELECT type, ref, (
    SELECT source FROM revision WHERE card_id = card.id ORDER BY id DESC LIMIT 1)
FROM card WHERE game = ? AND NOT retired AND type NOT IN (SELECT value FROM json_each(?)) ORDER BY type, ref;

-- Loading cards and translations.

-- name: add_card
INSERT INTO card (game, ref, name, type, "set", data, retired, in_force_from) VALUES (?, ?, ?, ?, ?, ?, 0, NULL);

-- name: change_card
UPDATE card SET name = ?, type = ?, "set" = ?, data = ?, retired = ?, in_force_from = ? WHERE id = ?;

-- name: add_revision
INSERT INTO revision (card_id, kind, in_force_from, recorded_at, author, source, changes, data)
VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: add_first_revisions
INSERT INTO revision (card_id, kind, in_force_from, recorded_at, author, source, changes, data)
SELECT id, 'added', NULL, ?, ?, ?, '{}', data FROM card WHERE id >= ? ORDER BY id;

-- name: add_words
INSERT INTO card_words (rowid, words) VALUES (?, ?);

-- name: take_words
INSERT INTO card_words (card_words, rowid, words) VALUES ('delete', ?, ?);

-- name: revisions_of_game
SELECT ref, revision.in_force_from, kind, revision.data FROM revision JOIN card ON card.id = card_id
WHERE game = ? ORDER BY revision.in_force_from, revision.id;

-- name: translations_on_a_day
SELECT card.ref, translation.lang, translation.data FROM card
JOIN (SELECT DISTINCT card_id, lang FROM translation) AS translated ON translated.card_id = card.id
JOIN translation ON translation.id = (
    SELECT id FROM translation WHERE card_id = card.id AND lang = translated.lang
    AND (in_force_from IS NULL OR in_force_from <= ?) ORDER BY in_force_from DESC, id DESC LIMIT 1)
WHERE card.game = ?;

-- name: add_translation
INSERT INTO translation (id, card_id, lang, name, in_force_from, recorded_at, author, source, data)
VALUES (?, (SELECT id FROM card WHERE game = ? AND ref = ?), ?, ?, ?, ?, ?, ?, ?);

-- name: add_translated_words
INSERT INTO translation_words (rowid, words) VALUES (?, ?);

-- Printings, and what is on paper.

-- name: retire_printing
UPDATE printing SET retired = 1, recorded_at = ?, author = ?, source = ? WHERE game = ? AND code = ?;

-- name: print_job_cards
SELECT ref, name, copies, front, back FROM print_job_card WHERE print_job_id = ? ORDER BY ref, front;

-- name: add_print_job_card
INSERT INTO print_job_card (print_job_id, ref, name, copies, front, back) VALUES (?, ?, ?, ?, ?, ?);

-- name: add_print_job
INSERT INTO print_job (game, title, size, printed_on, recorded_at) VALUES (?, ?, ?, ?, ?) RETURNING id;

-- name: newest_print_job
SELECT id, title, size FROM print_job WHERE game = ? ORDER BY id DESC LIMIT 1;

-- name: print_job_of_title
SELECT id FROM print_job WHERE game = ? AND size = ? AND title = ? AND printed_on <= ?
ORDER BY id DESC LIMIT 1;

-- name: numbered_print_job
SELECT id, title, size, printed_on FROM print_job WHERE game = ? ORDER BY id LIMIT 1 OFFSET ?;

-- name: last_print_day
SELECT max(printed_on) FROM print_job WHERE game = ?;

-- name: last_printed_cards
WITH latest AS (
    SELECT ref, max(print_job_id) AS job
    FROM print_job_card JOIN print_job ON print_job.id = print_job_id
    WHERE game = ? AND size = ? AND printed_on <= ?
    GROUP BY ref
)
SELECT ref, name, copies, front, back
FROM latest JOIN print_job_card USING (ref) WHERE print_job_id = job
ORDER BY ref, front;

-- Ban lists.

-- name: ban_terms
SELECT in_force_from, data FROM ban_terms WHERE game = ? AND sample = ? ORDER BY in_force_from, id;

-- name: announcements
SELECT data FROM announcement WHERE game = ? AND sample = ? ORDER BY made, id;

-- name: add_ban_terms
INSERT INTO ban_terms (game, sample, in_force_from, recorded_at, author, source, data) VALUES (?, ?, ?, ?, ?, ?, ?);

-- name: add_announcement
INSERT INTO announcement (game, sample, name, made, effective, recorded_at, author, source, data)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?);

-- What is wrong with a catalogue: each statement finds the rows of one fault.

-- name: cards_without_a_revision
SELECT game, ref FROM card WHERE NOT EXISTS (SELECT 1 FROM revision WHERE card_id = card.id);

-- name: list_indexed_words
CREATE VIRTUAL TABLE temp.indexed_words USING fts5vocab('main', 'card_words', 'instance');

-- name: cards_without_words
SELECT game, ref FROM card
WHERE name GLOB '*[0-9A-Za-z]*' AND id NOT IN (SELECT doc FROM temp.indexed_words);

-- name: words_without_a_card
SELECT DISTINCT 'word index', doc FROM temp.indexed_words
WHERE doc NOT IN (SELECT id FROM card);

-- name: list_indexed_translations
CREATE VIRTUAL TABLE temp.translated_words USING fts5vocab('main', 'translation_words', 'instance');

-- name: translations_without_words
SELECT game, ref || ' in ' || lang FROM translation JOIN card ON card.id = card_id
WHERE translation.name GLOB '*[0-9A-Za-z]*' AND translation.id NOT IN (SELECT doc FROM temp.translated_words);

-- name: cards_behind_their_revision
SELECT game, ref FROM card JOIN revision ON revision.id = (
    SELECT id FROM revision WHERE card_id = card.id ORDER BY in_force_from DESC, id DESC LIMIT 1)
WHERE revision.data <> card.data;

-- name: cards_recorded_ahead
SELECT game, ref, max(recorded_at) FROM card JOIN revision ON revision.card_id = card.id
WHERE recorded_at > strftime('%Y-%m-%d', 'now', '+2 days') GROUP BY card.id ORDER BY game, ref;
