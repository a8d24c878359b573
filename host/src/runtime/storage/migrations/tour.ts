import type { Migration } from './migration.ts';

/** A data directory with connections was in use before there was a tour of the window. It is not offered there. */
export const tourMigration: Migration = {
  id: '0029-tour',
  sql: `
    INSERT OR IGNORE INTO preferences (name, value)
    SELECT 'tour', '{"answer":"skipped"}' WHERE EXISTS (SELECT 1 FROM connections);
  `,
};
