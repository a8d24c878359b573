import { ActionIcon, Button, Modal, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react';
import type { TableRef } from '@tabularium/sdk';
import { useRef, useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import { stageSubject } from '../state/stagedTables.ts';
import styles from './editing.module.css';
import type { Stage } from './useStage.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

interface Props {
  readonly stage: Stage;
  readonly connectionId: string;
  readonly table: TableRef;
  /** Why a row was not saved: the active one, else the first. */
  readonly fault?: { readonly text: string; readonly show: () => void } | undefined;
  readonly onReview: () => void;
  /** After everything was discarded: the button that had the focus is gone. */
  readonly onDiscarded: () => void;
}

const words = strings.editing;

/** Whether there is something to show in the bar: changes, or those that were just undone. */
export function hasChangesBar({ state, count, waiting }: Stage): boolean {
  return count > 0 || waiting > 0 || state?.canRedo === true;
}

/** How much is staged, and what to do with it: a bar of its own over the footer, while there is something. */
export function ChangesBar({ stage, connectionId, table, fault, onReview, onDiscarded }: Props): ReactNode {
  const { state, count, waiting } = stage;
  const [asksDiscard, setAsksDiscard] = useState(false);
  const isDiscarded = useRef(false);
  const isSaving = state?.saving === true;
  const hasHistory = state?.canUndo === true || state?.canRedo === true;
  const discardAll = (): void => {
    void stage.discard().then((change) => {
      // The bar with its way back is gone with the changes.
      if (change !== undefined)
        notify({
          about: stageSubject(connectionId, table),
          tone: 'plain',
          text: words.discarded(count, table.name),
          action: { label: words.undo, run: stage.undo },
        });
    });
  };
  return (
    <>
      {!hasChangesBar(stage) ? null : (
        <div className={styles.changes} role="group" aria-label={words.changes(count)}>
          <Tooltip label={words.staysStaged}>
            <span className={styles.count} data-none={count === 0 || undefined} tabIndex={0}>
              {words.changes(count)}
            </span>
          </Tooltip>
          {waiting === 0 ? null : (
            <span className={styles.waiting} role="status">
              {words.waiting(waiting)}
            </span>
          )}
          {state !== undefined && state.meanwhile > 0 ? (
            <span className={styles.failed}>{words.meanwhile.count(state.meanwhile)}</span>
          ) : null}
          {state !== undefined && state.failed > 0 ? <span className={styles.failed}>{words.failed(state.failed)}</span> : null}
          {state !== undefined && state.unknown > 0 ? (
            <span className={styles.failed}>{words.unknown(state.unknown)}</span>
          ) : null}
          {hasHistory ? (
            <span className={styles.history}>
              <ActionIcon
                aria-label={words.undo}
                title={words.undo}
                disabled={state?.canUndo !== true || isSaving}
                onClick={stage.undo}
              >
                <IconArrowBackUp size={16} stroke={1.75} />
              </ActionIcon>
              <ActionIcon
                aria-label={words.redo}
                title={words.redo}
                disabled={state?.canRedo !== true || isSaving}
                onClick={stage.redo}
              >
                <IconArrowForwardUp size={16} stroke={1.75} />
              </ActionIcon>
            </span>
          ) : null}
          {count === 0 ? null : (
            <span className={styles.changeActions}>
              <Button size="compact-xs" variant="subtle" color="gray" disabled={isSaving} onClick={() => setAsksDiscard(true)}>
                {words.discardAll}
              </Button>
              <Button size="compact-xs" onClick={onReview}>
                {words.review}
              </Button>
            </span>
          )}
          {fault === undefined || count === 0 ? null : (
            <span className={styles.faultLine} role="note">
              <span title={fault.text}>{fault.text}</span>
              <Button size="compact-xs" variant="subtle" onClick={fault.show}>
                {words.showInTable}
              </Button>
            </span>
          )}
        </div>
      )}
      <Modal
        opened={asksDiscard}
        onClose={() => setAsksDiscard(false)}
        onExitTransitionEnd={() => {
          if (isDiscarded.current) onDiscarded();
          isDiscarded.current = false;
        }}
        title={words.discardTitle(count, table.name)}
        size={440}
        centered
        closeButtonProps={{ 'aria-label': strings.common.close }}
      >
        <p className={styles.text}>{words.discardText}</p>
        <DialogActions>
          <Button variant="default" data-autofocus onClick={() => setAsksDiscard(false)}>
            {words.keep}
          </Button>
          <Button
            color="red"
            onClick={() => {
              setAsksDiscard(false);
              isDiscarded.current = true;
              discardAll();
            }}
          >
            {words.discardConfirm(count)}
          </Button>
        </DialogActions>
      </Modal>
    </>
  );
}
