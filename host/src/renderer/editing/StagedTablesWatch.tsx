import { useEffect } from 'react';
import { watch } from '../api/watches/watch.ts';
import { setStagedTables } from '../state/stagedTables.ts';

/** Follows how much is staged in which tables, also of those that no tab shows. */
export function StagedTablesWatch(): null {
  useEffect(() => watch<'stagedTables'>({ is: 'stagedTables' }, { onValue: setStagedTables }), []);
  return null;
}
