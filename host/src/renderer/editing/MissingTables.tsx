import { Button, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { EditedTable } from '../../common/editing.ts';
import { tableName } from '../../common/tableName.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { stagedCount } from '../state/stagedTables.ts';
import styles from './editing.module.css';
import { editingApi } from './editingApi.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

/** Staged changes of tables that the database doesn't have any more: they stay until the person discards them. */
export function MissingTables({ tables }: { readonly tables: readonly EditedTable[] }): ReactNode {
  const words = strings.editing;
  const [asked, setAsked] = useState<EditedTable>();
  if (tables.length === 0) return null;
  const discard = ({ connectionId, table }: EditedTable): void => {
    setAsked(undefined);
    editingApi
      .discard({ connectionId, table }, undefined)
      .catch((error: unknown) => notify({ tab: 'none', tone: 'warning', text: problemOf(error).message }));
  };
  const nameOf = ({ table }: EditedTable): string => tableName(table);
  return (
    <section className={styles.missing} aria-label={words.missing.title}>
      <h2>{words.missing.title}</h2>
      <p>{words.missing.text}</p>
      <ul>
        {tables.map((one) => (
          <li key={nameOf(one)}>
            <span className={styles.missingName} title={nameOf(one)}>
              {nameOf(one)}
            </span>
            <span className={styles.count}>{words.changes(stagedCount([one]))}</span>
            <Button size="compact-xs" variant="subtle" color="gray" onClick={() => setAsked(one)}>
              {words.discardAll}
            </Button>
          </li>
        ))}
      </ul>
      {asked === undefined ? null : (
        <Modal
          opened
          onClose={() => setAsked(undefined)}
          title={words.discardTitle(stagedCount([asked]), nameOf(asked))}
          size={440}
          centered
          closeButtonProps={{ 'aria-label': strings.common.close }}
        >
          <p className={styles.text}>{words.discardText}</p>
          <DialogActions>
            <Button variant="default" data-autofocus onClick={() => setAsked(undefined)}>
              {words.keep}
            </Button>
            <Button color="red" onClick={() => discard(asked)}>
              {words.discardConfirm(stagedCount([asked]))}
            </Button>
          </DialogActions>
        </Modal>
      )}
    </section>
  );
}
