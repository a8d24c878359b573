import { Button } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import type { TableRef } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { tableName } from '../../common/tableName.ts';
import { strings } from '../i18n/index.ts';
import styles from './importing.module.css';
import type { TableThere } from './useTableThere.ts';

interface Props {
  readonly table: TableRef;
  readonly found: TableThere;
  /** An attempt to create it and to begin has failed. */
  readonly hasFailed: boolean;
  readonly goInto: string;
  readonly onGoInto: (table: TableRef) => void;
}

/** Says that a table can't be created because it is there, with the way into it; nothing where it isn't. */
export function NewTableTaken({ table, found: { there, isUnknown, reread }, hasFailed, goInto, onGoInto }: Props): ReactNode {
  const words = strings.importing;
  const name = visibleText(tableName(table), 'name', 200);
  if (there === undefined && !(hasFailed && isUnknown)) return null;
  return (
    <div className={styles.taken} role="status">
      <span>{there === undefined ? words.newUnknown(name) : hasFailed ? words.newMade(name) : words.newTaken(name)}</span>
      <Button size="compact-sm" variant="default" onClick={there === undefined ? reread : () => onGoInto(there)}>
        {there === undefined ? words.lookAgain : goInto}
      </Button>
    </div>
  );
}
