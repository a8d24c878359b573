import { Button, Checkbox, Group, Modal } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { useConnections } from '../api/queries.ts';
import { ColorDot } from '../ui/Marks.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { saveAs } from '../ui/saveAs.ts';
import { strings } from '../i18n/index.ts';
import { notify } from '../state/notify.ts';
import styles from './transfer.module.css';
import { DialogActions } from '../ui/DialogActions.tsx';

/** Writes connections to a file, without credentials. */
export function ExportConnectionsDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = strings.connections;
  const connections = useConnections().data ?? [];
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [problem, setProblem] = useState<Problem>();
  const chosen = connections.filter(({ id }) => !left.has(id));
  const save = async (): Promise<void> => {
    try {
      const text = await api.connections.export.query({ connectionIds: chosen.map(({ id }) => id) });
      saveAs(words.exportFile, 'application/json', [text]);
      notify({ tab: 'none', tone: 'plain', text: words.exported(chosen.length, words.exportFile) });
      onClose();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.exportTitle}
      size={560}
      yOffset={64}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p className={styles.text}>{words.exportText}</p>
      <Group gap={4} mb={8}>
        <Button size="compact-xs" variant="subtle" onClick={() => setLeft(new Set())}>
          {words.exportAll}
        </Button>
        <Button size="compact-xs" variant="subtle" onClick={() => setLeft(new Set(connections.map(({ id }) => id)))}>
          {words.exportNone}
        </Button>
      </Group>
      <ul className={styles.list} aria-label={strings.start.list}>
        {connections.map(({ id, name, color, group }) => (
          <li key={id} className={styles.row}>
            <Checkbox
              size="xs"
              checked={!left.has(id)}
              label={
                <span className={styles.name}>
                  <ColorDot color={color} /> {name}
                </span>
              }
              onChange={() =>
                setLeft((before) =>
                  before.has(id) ? new Set([...before].filter((one) => one !== id)) : new Set([...before, id]),
                )
              }
            />
            <span className={styles.detail}>{group}</span>
          </li>
        ))}
      </ul>
      {problem === undefined ? null : <ProblemPanel compact title={words.exportFailed} problem={problem} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {strings.common.cancel}
        </Button>
        <Button disabled={chosen.length === 0} onClick={() => void save()}>
          {words.exportConfirm(chosen.length)}
        </Button>
      </DialogActions>
    </Modal>
  );
}
