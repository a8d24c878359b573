import type { Migration } from './migration.ts';

/** A group is a name that connections share; it is there as long as one has it. */
export const connectionGroupsMigration: Migration = {
  id: '0011-connection-groups',
  sql: `ALTER TABLE connections ADD COLUMN group_name TEXT;`,
};
