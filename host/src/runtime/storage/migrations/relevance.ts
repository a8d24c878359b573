import type { Migration } from './migration.ts';

/**
 * Query sets with their judgments, and the runs that they were searched in. Judgments are hours of work: a set of a connection that is removed
 * stays, for every connection with a table of that name. So does a saved way to search.
 */
export const relevanceMigration: Migration = {
  id: '0027-relevance',
  sql: `
    CREATE TABLE search_configurations (
      id            TEXT PRIMARY KEY,
      connection_id TEXT REFERENCES connections (id) ON DELETE SET NULL,
      -- A table as JSON.
      ref           TEXT NOT NULL,
      name          TEXT NOT NULL,
      -- The fields, with weights where a person chose some; null: the form's defaults.
      fields        TEXT,
      -- An object: options by id.
      options       TEXT NOT NULL,
      updated_at    TEXT NOT NULL
    ) STRICT;
    CREATE TABLE query_sets (
      id            TEXT PRIMARY KEY,
      connection_id TEXT REFERENCES connections (id) ON DELETE SET NULL,
      ref           TEXT NOT NULL,
      name          TEXT NOT NULL,
      created_at    TEXT NOT NULL
    ) STRICT;
    CREATE TABLE judged_queries (
      id     INTEGER PRIMARY KEY AUTOINCREMENT,
      set_id TEXT NOT NULL REFERENCES query_sets (id) ON DELETE CASCADE,
      text   TEXT NOT NULL,
      UNIQUE (set_id, text)
    ) STRICT;
    CREATE TABLE judgments (
      query_id INTEGER NOT NULL REFERENCES judged_queries (id) ON DELETE CASCADE,
      -- The key of the row, as JSON.
      row_key  TEXT NOT NULL,
      grade    INTEGER NOT NULL CHECK (grade BETWEEN 0 AND 3),
      PRIMARY KEY (query_id, row_key)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE relevance_runs (
      id         TEXT PRIMARY KEY,
      set_id     TEXT NOT NULL REFERENCES query_sets (id) ON DELETE CASCADE,
      started_at TEXT NOT NULL,
      -- The settings of the run and its figures in all, as JSON.
      summary    TEXT NOT NULL,
      -- The figures of each query, as JSON.
      queries    TEXT NOT NULL
    ) STRICT;
    CREATE INDEX relevance_runs_of_set ON relevance_runs (set_id, started_at);
  `,
};
