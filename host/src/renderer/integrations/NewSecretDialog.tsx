import { visibleText } from '@tabularium/sdk';
import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { NewSecret } from '../../common/integrations.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './integrations.module.css';
import { useAsked } from './useAsked.ts';
import { useNewSecrets } from './useNewSecrets.ts';

interface NewSecretDialogProps {
  /** Called when an answer comes, as for a question to a person. */
  readonly onAsked?: () => void;
}

/** Shows answers that hold a new secret which a client had created, one at a time, oldest first. No client reads them. */
export function NewSecretDialog({ onAsked }: NewSecretDialogProps): ReactNode {
  const [first] = useNewSecrets();
  useAsked(first?.id, onAsked);
  return first === undefined ? null : <Answer key={first.id} secret={first} />;
}

function Answer({ secret }: { readonly secret: NewSecret }): ReactNode {
  const words = strings.integrations.newSecret;
  const [saved, setSaved] = useState(false);
  const clipboard = useClipboard({ timeout: 2_000 });
  const dismiss = async (): Promise<void> => {
    try {
      await api.integrations.dismissNewSecret.mutate({ id: secret.id });
    } catch (error) {
      notify({ tab: 'none', tone: 'warning', text: problemOf(error).message });
    }
  };
  return (
    <Modal
      opened
      onClose={() => undefined}
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={words.title}
      size={640}
      centered
      zIndex={1_000}
    >
      <p style={{ marginTop: 0 }}>
        {words.created(visibleText(secret.principalName, 'name'), visibleText(secret.connectionName, 'name'))}
        <br />
        <strong>{visibleText(secret.summary, 'name')}</strong>
      </p>
      <pre className={styles.statement} tabIndex={0} role="region" aria-label={words.answer}>
        {visibleText(secret.text, 'statement')}
      </pre>
      {clipboard.error === null ? null : (
        <p role="alert" className={styles.muted}>
          {strings.grid.copyRefused}
        </p>
      )}
      <Group justify="space-between" gap={8} mt={16}>
        <Checkbox size="xs" label={words.saved} checked={saved} onChange={(event) => setSaved(event.currentTarget.checked)} />
        <Group gap={8}>
          <Button variant="default" data-autofocus onClick={() => clipboard.copy(secret.text)}>
            {clipboard.copied ? strings.common.copied : strings.common.copy}
          </Button>
          <Button disabled={!saved} onClick={() => void dismiss()}>
            {words.dismiss}
          </Button>
        </Group>
      </Group>
    </Modal>
  );
}
