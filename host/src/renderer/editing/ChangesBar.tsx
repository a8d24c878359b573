import { ActionIcon, Button, Group, Modal, Tooltip } from '@mantine/core';
import { IconArrowBackUp, IconArrowForwardUp, IconRowInsertTop } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { LabelledAction } from '../ui/LabelledAction.tsx';
import styles from './editing.module.css';
import type { Stage } from './useStage.ts';

interface Props {
  readonly stage: Stage;
  readonly tableName: string;
  readonly onInsert: () => void;
  readonly onReview: () => void;
}

const words = strings.editing;

/** How much is staged, and what to do with it. */
export function ChangesBar({ stage, tableName, onInsert, onReview }: Props): ReactNode {
  const { ability, state, count } = stage;
  const [asksDiscard, setAsksDiscard] = useState(false);
  const isSaving = state?.saving === true;
  const refusal = ability?.allowed === false ? words.readOnly(ability.reason) : undefined;
  const hasHistory = state?.canUndo === true || state?.canRedo === true;
  return (
    <>
      <Tooltip label={refusal ?? words.insertRow}>
        <LabelledAction
          icon={<IconRowInsertTop size={16} stroke={1.75} />}
          label={words.insertRow}
          aria-label={words.insertRow}
          aria-description={refusal}
          aria-disabled={refusal !== undefined}
          className={refusal === undefined ? undefined : styles.dimmed}
          onClick={onInsert}
        />
      </Tooltip>
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
        <div className={styles.changes} role="group" aria-label={words.changes(count)}>
          <Tooltip label={words.staysStaged}>
            <span className={styles.count} tabIndex={0}>
              {words.changes(count)}
            </span>
          </Tooltip>
          {state !== undefined && state.meanwhile > 0 ? (
            <span className={styles.failed}>{words.meanwhile.count(state.meanwhile)}</span>
          ) : null}
          {state !== undefined && state.failed > 0 ? <span className={styles.failed}>{words.failed(state.failed)}</span> : null}
          {state !== undefined && state.unknown > 0 ? (
            <span className={styles.failed}>{words.unknown(state.unknown)}</span>
          ) : null}
          <Button size="compact-xs" onClick={onReview}>
            {words.review}
          </Button>
          <Button size="compact-xs" variant="subtle" color="gray" disabled={isSaving} onClick={() => setAsksDiscard(true)}>
            {words.discardAll}
          </Button>
        </div>
      )}
      <Modal
        opened={asksDiscard}
        onClose={() => setAsksDiscard(false)}
        title={words.discardTitle(count, tableName)}
        size={440}
        centered
        closeButtonProps={{ 'aria-label': strings.common.close }}
      >
        <p className={styles.text}>{words.discardText}</p>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" data-autofocus onClick={() => setAsksDiscard(false)}>
            {words.keep}
          </Button>
          <Button
            color="red"
            onClick={() => {
              setAsksDiscard(false);
              stage.discard();
            }}
          >
            {words.discardConfirm(count)}
          </Button>
        </Group>
      </Modal>
    </>
  );
}
