import type { TableRef } from '@tabularium/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { tableName } from '../../common/tableName.ts';
import { useTables } from '../api/queries.ts';
import { announceTableChange } from '../state/tableChanges.ts';

/** The table that has the name of the one to be created, and the list that says so. */
export interface TableThere {
  /** Rows can go into it; none of that name can be created. */
  readonly there: TableRef | undefined;
  /** The list could not be read, so nothing is known. */
  readonly isUnknown: boolean;
  /** Reads the list again, for the sidebar as well: a table may have been created by what then failed. */
  readonly reread: () => void;
}

/** @param wanted - the table to be created; undefined where none is */
export function useTableThere(connectionId: string, wanted: TableRef | undefined): TableThere {
  const tables = useTables(connectionId);
  const queries = useQueryClient();
  const name = wanted === undefined || wanted.name === '' ? undefined : tableName(wanted);
  const found = tables.data?.find(({ kind, ref }) => kind === 'table' && tableName(ref) === name && ref.name === wanted?.name);
  return {
    there: name === undefined ? undefined : found?.ref,
    isUnknown: tables.error !== null,
    reread: () => {
      announceTableChange(connectionId);
      void queries.invalidateQueries();
    },
  };
}
