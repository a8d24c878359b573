import { Button, Group, Modal } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import type { StatementEffect } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { StateBadge } from '../ui/Marks.tsx';
import { strings } from '../i18n/index.ts';
import styles from './dialogs.module.css';
import type { JudgedStatements } from './useRuns.ts';

interface Props {
  readonly connection: string;
  readonly judged: readonly JudgedStatements[];
  readonly onAnswer: (yes: boolean) => void;
}

/** "Destroys" says more than "Unknown". */
function labelOf({ effect, unknown }: JudgedStatements['classification']): StatementEffect | 'unknown' {
  return unknown === true && effect !== 'destructive' ? 'unknown' : effect;
}

/** Asks once for a whole run, naming what each statement would do. */
export function ConfirmRun({ connection, judged, onAnswer }: Props): ReactNode {
  const words = strings.console;
  const destroys = judged.some(({ classification }) => classification.effect === 'destructive');
  const unknown = judged.filter(({ classification }) => classification.unknown === true).length;
  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      title={words.confirmTitle(judged.length)}
      size={520}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p className={styles.confirmText} data-destroys={destroys || unknown > 0 || undefined}>
        <IconAlertTriangle size={16} stroke={1.75} aria-hidden />
        {destroys
          ? words.confirmDestructive(connection)
          : unknown > 0
            ? words.confirmUnknown(unknown, connection)
            : words.confirmWrite(connection)}
      </p>
      {destroys && unknown > 0 ? <p className={styles.confirmText}>{words.confirmUnknown(unknown, connection)}</p> : null}
      <ul className={styles.judged}>
        {judged.map(({ statement, classification }, place) => (
          <li key={place} title={statement.slice(0, 1_000)}>
            <StateBadge tone={labelOf(classification) === 'read' ? 'plain' : 'warning'}>
              {words.effects[labelOf(classification)]}
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
