import { Button, Modal } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { NO_FILTER, visibleText } from '@tabularium/sdk';
import type { StatementEffect, TableRef } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { StateBadge } from '../ui/Marks.tsx';
import { formatRowCount } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';
import styles from './dialogs.module.css';
import type { JudgedStatements } from './useRuns.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { StatementText } from './StatementText.tsx';

interface Props {
  readonly connectionId: string;
  readonly connection: string;
  /** Whether statements are SQL, whose condition is called WHERE. */
  readonly isSql: boolean;
  readonly judged: readonly JudgedStatements[];
  /** Why rows aren't counted; undefined: they are. */
  readonly notCounted?: string | undefined;
  readonly onAnswer: (yes: boolean) => void;
}

/** "Destroys" says more than "Unknown". */
function labelOf({ effect, unknown }: JudgedStatements['classification']): StatementEffect | 'unknown' {
  return unknown === true && effect !== 'destructive' ? 'unknown' : effect;
}

interface JudgedProps {
  readonly judged: JudgedStatements;
  readonly connectionId: string;
  readonly isSql: boolean;
  readonly notCounted: string | undefined;
}

/** The effect of a statement, and the statement as it was written. */
function JudgedStatement({ judged: { statement, classification }, connectionId, isSql, notCounted }: JudgedProps): ReactNode {
  const words = strings.console;
  const { everyRowOf, summary } = classification;
  return (
    <li>
      <div className={styles.judgedLine}>
        <StateBadge tone={labelOf(classification) === 'read' ? 'plain' : 'warning'}>
          {words.effects[labelOf(classification)]}
        </StateBadge>
        <span>{visibleText(summary)}</span>
      </div>
      {everyRowOf === undefined ? null : (
        <EveryRow connectionId={connectionId} table={everyRowOf} isSql={isSql} notCounted={notCounted} />
      )}
      <StatementText text={statement} label={words.asWritten} />
    </li>
  );
}

interface EveryRowProps {
  readonly connectionId: string;
  readonly table: TableRef;
  readonly isSql: boolean;
  readonly notCounted: string | undefined;
}

/** Says that a statement has no condition, and how many rows that concerns as soon as they are counted. */
function EveryRow({ connectionId, table, isSql, notCounted }: EveryRowProps): ReactNode {
  const words = strings.console;
  const { data: count, isPending } = useQuery({
    queryKey: ['console', 'everyRow', connectionId, table],
    queryFn: ({ signal }) => api.tables.count.query({ connectionId, table, filter: NO_FILTER }, { signal }),
    enabled: notCounted === undefined,
    // A number from before is not the number of rows that are there now.
    gcTime: 0,
    staleTime: 0,
  });
  const name = visibleText([...table.namespace, table.name].join('.'));
  return (
    <p className={styles.everyRow} role="alert">
      {isSql ? words.noWhere(name) : words.noCondition(name)}{' '}
      {notCounted ??
        (count === undefined ? (isPending ? words.countingRows : words.rowsNotCounted) : words.rowsThere(formatRowCount(count)))}
    </p>
  );
}

/** Asks once for a whole run, naming what each statement would do. */
export function ConfirmRun({ connectionId, connection, isSql, judged, notCounted, onAnswer }: Props): ReactNode {
  const words = strings.console;
  const destroys = judged.some(({ classification }) => classification.effect === 'destructive');
  // A request that is certain to destroy isn't said to be unknown as well.
  const unknown = judged.filter(({ classification }) => labelOf(classification) === 'unknown').length;
  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      title={words.confirmTitle(judged.length)}
      size={640}
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
      <ol className={styles.judged}>
        {judged.map((each, place) => (
          <JudgedStatement key={place} judged={each} connectionId={connectionId} isSql={isSql} notCounted={notCounted} />
        ))}
      </ol>
      <DialogActions>
        <Button variant="default" onClick={() => onAnswer(false)} data-autofocus>
          {strings.common.cancel}
        </Button>
        <Button {...(destroys ? { color: 'red' } : {})} onClick={() => onAnswer(true)}>
          {words.confirmRun(judged.length)}
        </Button>
      </DialogActions>
    </Modal>
  );
}
