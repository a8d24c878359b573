import { Button, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { visibleText } from '@tabularium/sdk';
import type { HostKeyQuestion } from '../../common/hostKeyQuestion.ts';
import { tunnelAddress } from '../../common/tunnelOf.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import styles from './secretDialog.module.css';

interface Props {
  readonly question: HostKeyQuestion;
  /** The key is accepted. */
  readonly onAccepted: () => void;
  readonly onRefuse: () => void;
}

/** Shows the key of an SSH server that is on no list, and asks whether it is the right one. */
export function HostKeyDialog({ question, onAccepted, onRefuse }: Props): ReactNode {
  const words = strings.tunnels.hostKey;
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const server = visibleText(tunnelAddress(question), 'name');
  const accept = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      await api.connections.acceptHostKey.mutate({ code: question.code });
      onAccepted();
    } catch (error) {
      setProblem(problemOf(error));
      setBusy(false);
    }
  };
  const facts = [
    [words.server, server],
    [words.type, visibleText(question.keyType, 'name')],
    [words.fingerprint, visibleText(question.fingerprint, 'name')],
  ] as const;
  return (
    <Modal
      opened
      onClose={onRefuse}
      title={words.title}
      size={620}
      centered
      zIndex={300}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p className={styles.text}>{words.text(server)}</p>
      <table className={styles.table}>
        <tbody>
          {facts.map(([label, value]) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              <td className={label === words.fingerprint ? styles.fingerprint : undefined}>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p className={styles.hint}>{words.hint}</p>
      {problem === undefined ? null : (
        <p className={styles.problem} role="alert">{`${words.failed}: ${problem.message} ${problem.advice}`}</p>
      )}
      <Group className={styles.actions} justify="flex-end" gap={8}>
        <Button variant="default" onClick={onRefuse} data-autofocus>
          {words.cancel}
        </Button>
        <Button loading={busy} onClick={() => void accept()}>
          {words.confirm}
        </Button>
      </Group>
    </Modal>
  );
}
