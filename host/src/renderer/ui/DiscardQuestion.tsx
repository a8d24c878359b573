import { Button, Modal } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { DialogActions } from './DialogActions.tsx';

interface Props {
  readonly opened: boolean;
  /** The names of what would be lost, in a sentence. */
  readonly text: string;
  readonly onKeep: () => void;
  readonly onDiscard: () => void;
}

/**
 * Asks before a form is closed with changes in it. Everything but the button "Discard" keeps them, so that a second Escape or click, meant for the form,
 * loses nothing. Open it in a turn of its own: the Escape that asks would else answer, too.
 */
export function DiscardQuestion({ opened, text, onKeep, onDiscard }: Props): ReactNode {
  const words = strings.form;
  return (
    <Modal
      opened={opened}
      onClose={onKeep}
      title={words.discardTitle}
      size={400}
      centered
      zIndex={300}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p style={{ marginTop: 0 }}>{text}</p>
      <DialogActions>
        <Button variant="default" onClick={onKeep} data-autofocus>
          {words.keepEditing}
        </Button>
        <Button color="red" onClick={onDiscard}>
          {words.discard}
        </Button>
      </DialogActions>
    </Modal>
  );
}
