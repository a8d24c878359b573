import { MultiSelect } from '@mantine/core';
import type { TableRef } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { tableName } from '../../common/tableName.ts';
import { useTables } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import styles from './search.module.css';
import { searchableList } from '../ui/searchableList.ts';

interface Props {
  readonly connectionId: string;
  /** The table that is searched anyway. */
  readonly table: TableRef;
  readonly chosen: readonly TableRef[];
  /** Other tables at most. */
  readonly most: number;
  /** Why the last search could not look in them. */
  readonly fault: string | undefined;
  readonly onChoose: (tables: readonly TableRef[]) => void;
}

/** Tables that a search looks in beside its own, their hits ranked together. */
export function OtherTables({ connectionId, table, chosen, most, fault, onChoose }: Props): ReactNode {
  const words = strings.search;
  const tables = useTables(connectionId);
  // A chosen table stays in the list though it is gone, so that it can be taken out.
  const known = new Map([...chosen, ...(tables.data ?? []).map(({ ref }) => ref)].map((ref) => [tableName(ref), ref]));
  known.delete(tableName(table));
  return (
    <div className={styles.fields}>
      <MultiSelect
        size="xs"
        label={words.alsoIn}
        description={words.alsoInHelp}
        placeholder={chosen.length === 0 ? words.noOtherTable : undefined}
        error={fault}
        {...searchableList}
        maxValues={most}
        nothingFoundMessage={words.noSuchTable}
        data={[...known.keys()]}
        value={chosen.map(tableName)}
        onChange={(names) => onChoose(names.flatMap((name) => known.get(name) ?? []))}
      />
    </div>
  );
}
