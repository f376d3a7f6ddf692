/**
 * The schema of a journal file, as the migrations that lead to it.
 *
 * 1. A migration that was published is never changed: the next version is a new row.
 * 2. The version of a file is its `user_version`, the number of migrations that it has been through.
 * 3. `log.id` is the number of the run, shifted by 32 bits, plus the sequence number before the row's first event, so
 *    that the log of one run lies together and needs no index. `n` counts the row's events.
 * 4. `crc` is the CRC-32 of the text beside it (see `checksum.ts`), or null in rows of files that began as version 1.
 */

/** Marks a SQLite file as Baton's: "BATN" in ASCII. */
export const APPLICATION_ID = 0x4241544e;

/** The text of a column as a JSON list of its parts; log and shape texts hold no raw control character but these two. */
const parts = (text: string, separator: "char(9)" | "char(10)"): string => {
  const quoted = `replace(replace(${text}, '\\', '\\\\'), '"', '\\"')`;
  const kept = separator === "char(10)" ? `replace(${quoted}, char(9), '\\t')` : quoted;
  return `'["' || replace(${kept}, ${separator}, '","') || '"]'`;
};

const FIRST = `
CREATE TABLE runs (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  changed INTEGER,
  status TEXT,
  child INTEGER,
  head TEXT
);
CREATE INDEX runs_by_change ON runs (changed, status, child);

CREATE TABLE log (id INTEGER PRIMARY KEY, n INTEGER NOT NULL, text TEXT NOT NULL);
CREATE TABLE shapes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
CREATE TABLE blobs (ref TEXT PRIMARY KEY, text NOT NULL);
CREATE TABLE snapshots (run INTEGER PRIMARY KEY, seq INTEGER NOT NULL, state TEXT NOT NULL);

-- For people with a shell: one row per event, with the fact as it was recorded.
CREATE VIEW events AS
WITH
  lines AS (
    SELECT log.id, line.key AS line, ${parts("line.value", "char(9)")} AS fields
    FROM log, json_each(${parts("log.text", "char(10)")}) AS line
  ),
  placed AS (
    SELECT id, fields, fields ->> 2 AS form,
      (id & 4294967295) + sum(fields ->> 0) OVER (PARTITION BY id ORDER BY line) - (fields ->> 0) AS after
    FROM lines
  ),
  whole AS (
    SELECT id, after, fields ->> 1 AS at, coalesce(
      (
        SELECT group_concat(piece.value || coalesce(hole.value, ''), '' ORDER BY piece.key)
        FROM shapes, json_each(${parts("shapes.text", "char(9)")}) AS piece
        LEFT JOIN json_each(fields) AS hole ON hole.key = piece.key + 3
        WHERE shapes.id = CAST(ltrim(form, 'b') AS INTEGER)
      ),
      fields ->> 3
    ) AS facts
    FROM placed
  )
SELECT runs.name AS run, after + fact.key + 1 AS seq,
  CAST(coalesce(fact.value ->> 'at', whole.at) AS INTEGER) AS at, fact.value ->> 'type' AS type, fact.value AS fact
FROM whole JOIN runs ON runs.id = whole.id >> 32, json_each(whole.facts) AS fact;
`;

/** What is stored says how to tell that it still is; rows from before have no checksum. */
const CHECKED = ["log", "shapes", "blobs", "snapshots"]
  .map((table) => `ALTER TABLE ${table} ADD COLUMN crc INTEGER;`)
  .join("\n");

/** What brings a file of version `i` to version `i + 1`. */
export const MIGRATIONS: readonly string[] = [FIRST, CHECKED];
