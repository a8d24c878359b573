import { Button, Group, Modal } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { StateBadge } from '../components/Marks.tsx';
import { strings } from '../strings/index.ts';
import styles from './dialogs.module.css';
import type { Judged } from './useRuns.ts';

interface Props {
  readonly connection: string;
  readonly judged: readonly Judged[];
  readonly onAnswer: (yes: boolean) => void;
}

/** Asks once for a whole run, naming what each statement would do. */
export function ConfirmRun({ connection, judged, onAnswer }: Props): ReactNode {
  const words = strings.console;
  const destroys = judged.some(({ classification }) => classification.effect === 'destructive');
  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      title={words.confirmTitle(judged.length)}
      size={520}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p className={styles.confirmText} data-destroys={destroys || undefined}>
        <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
        {destroys ? words.confirmDestructive(connection) : words.confirmWrite(connection)}
      </p>
      <ul className={styles.judged}>
        {judged.map(({ statement, classification }, place) => (
          <li key={place} title={statement.slice(0, 1_000)}>
            <StateBadge tone={classification.effect === 'read' ? 'plain' : 'warning'}>
              {words.effects[classification.effect]}
            </StateBadge>
            <span>{classification.summary}</span>
          </li>
        ))}
      </ul>
      <Group justify="flex-end" gap={8} mt={16}>
        <Button variant="default" onClick={() => onAnswer(false)} data-autofocus>
          {strings.common.cancel}
        </Button>
        <Button {...(destroys ? { color: 'red' } : {})} onClick={() => onAnswer(true)}>
          {words.confirmRun(judged.length)}
        </Button>
      </Group>
    </Modal>
  );
}
