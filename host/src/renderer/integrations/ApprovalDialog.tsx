import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ApprovalAnswer, PendingApproval } from '../../common/integrations.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../strings/index.ts';
import { notify } from '../workspace/activity.ts';
import styles from './integrations.module.css';
import { useApprovals } from './useApprovals.ts';

/** Asks a person about what a client wants to change. It is there as long as the request is, one at a time, oldest first. */
export function ApprovalDialog(): ReactNode {
  const pending = useApprovals();
  const [first] = pending;
  return first === undefined ? null : <Question key={first.id} asked={first} more={pending.length - 1} />;
}

function Question({ asked, more }: { readonly asked: PendingApproval; readonly more: number }): ReactNode {
  const words = strings.integrations.dialog;
  const [answering, setAnswering] = useState(false);
  const destructive = asked.effect === 'destructive';
  const answer = async (choice: ApprovalAnswer): Promise<void> => {
    setAnswering(true);
    try {
      const { outcome } = await api.integrations.answerApproval.mutate({ id: asked.id, answer: choice });
      if (outcome === 'late' && choice !== 'deny') notify({ tone: 'warning', text: words.late });
      if (outcome === 'gone') notify({ tone: 'warning', text: words.gone });
    } catch (error) {
      setAnswering(false);
      notify({ tone: 'warning', text: problemOf(error).message });
    }
  };
  return (
    <Modal
      opened
      onClose={() => void answer('deny')}
      // Neither a click beside it nor a key that was meant for something else is an answer.
      closeOnClickOutside={false}
      closeOnEscape={false}
      withCloseButton={false}
      title={destructive ? words.destructiveTitle : words.title}
      size={640}
      centered
      zIndex={1_000}
    >
      <p style={{ marginTop: 0 }}>
        {words.asks(asked.client?.name ?? words.unknownClient, asked.principalName, asked.connectionName)}
        <br />
        <strong>{asked.summary}</strong>
      </p>
      <pre className={styles.statement} tabIndex={0} role="region" aria-label={asked.summary}>
        {asked.text}
      </pre>
      {asked.text.length < asked.textLength ? <p className={styles.muted}>{words.cut(asked.textLength)}</p> : null}
      {more > 0 ? <p className={styles.muted}>{words.more(more)}</p> : null}
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" disabled={answering} onClick={() => void answer('deny')} data-autofocus>
          {words.deny}
        </Button>
        {destructive ? null : (
          <Button variant="default" disabled={answering} onClick={() => void answer('connection')}>
            {words.connection}
          </Button>
        )}
        <Button color={destructive ? 'red' : undefined} disabled={answering} onClick={() => void answer('once')}>
          {words.once}
        </Button>
      </Group>
    </Modal>
  );
}
