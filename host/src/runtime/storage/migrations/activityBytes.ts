import type { Migration } from './migration.ts';

/** The bytes of the statements that the activity log keeps, so that their bound needs no reading of the log. */
export const activityBytesMigration: Migration = {
  id: '0031-activity-bytes',
  sql: `
    ALTER TABLE activity_chain ADD COLUMN statement_bytes INTEGER NOT NULL DEFAULT 0;
    UPDATE activity_chain SET statement_bytes = (SELECT coalesce(sum(octet_length(statement)), 0) FROM activity);
  `,
};
