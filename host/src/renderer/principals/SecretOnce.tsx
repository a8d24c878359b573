import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import styles from './principals.module.css';

interface Props {
  readonly title: string;
  readonly secret: { readonly label: string; readonly value: string };
  /** Sentences on what it may do. */
  readonly notes?: readonly string[];
  readonly onDone: () => void;
}

/** A value that cannot be read again. It goes away only after the person has said that it is kept. */
export function SecretOnce({ title, secret, notes = [], onDone }: Props): ReactNode {
  const words = strings.principals;
  const [saved, setSaved] = useState(false);
  const clipboard = useClipboard({ timeout: 2_000 });
  return (
    <Modal
      opened
      onClose={() => undefined}
      closeOnEscape={false}
      closeOnClickOutside={false}
      withCloseButton={false}
      title={title}
      size={520}
      yOffset={96}
    >
      <p className={styles.secretText}>{[words.secretText, ...notes].join(' ')}</p>
      <div className={styles.secretLabel} id="principal-secret">
        {secret.label}
      </div>
      <div className={styles.secret}>
        <code tabIndex={0} aria-labelledby="principal-secret">
          {secret.value}
        </code>
        <Button
          variant="default"
          data-autofocus
          leftSection={clipboard.copied ? <IconCheck size={14} stroke={1.75} /> : <IconCopy size={14} stroke={1.75} />}
          onClick={() => clipboard.copy(secret.value)}
        >
          {clipboard.copied ? strings.common.copied : strings.common.copy}
        </Button>
      </div>
      {clipboard.error === null ? null : (
        <p role="alert" className={styles.copyRefused}>
          {strings.grid.copyRefused}
        </p>
      )}
      <Group justify="space-between" gap={8} mt={20}>
        <Checkbox size="xs" label={words.savedIt} checked={saved} onChange={(event) => setSaved(event.currentTarget.checked)} />
        <Button disabled={!saved} onClick={onDone}>
          {words.done}
        </Button>
      </Group>
    </Modal>
  );
}
