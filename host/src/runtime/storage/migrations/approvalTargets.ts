import type { Migration } from './migration.ts';

/**
 * Standing approvals say which server they are for. Of older ones that isn't known, and an answer to an old dialog could have given them for a server that the
 * person never saw: they are removed, and the person is asked once more.
 */
export const approvalTargetsMigration: Migration = {
  id: '0030-approval-targets',
  sql: `
    DELETE FROM approval_grants;
    ALTER TABLE approval_grants ADD COLUMN target TEXT NOT NULL DEFAULT '';
  `,
};
