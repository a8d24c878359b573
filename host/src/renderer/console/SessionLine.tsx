import { ActionIcon, Button } from '@mantine/core';
import { IconAlertTriangle, IconPlugOff } from '@tabler/icons-react';
import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { endOf } from './lossOf.ts';
import { StateBadge } from '../ui/Marks.tsx';
import type { TransactionEndWay } from './runs.ts';
import styles from './sessionLine.module.css';
import type { SessionOfTab, TabSession } from './useConsoleSession.ts';

interface Props {
  readonly session: SessionOfTab;
  /** Whether a request runs: its transaction can't be ended then. */
  readonly busy: boolean;
  readonly onEndTransaction: (way: TransactionEndWay) => Promise<void>;
  /** After a press on a button that goes away with it. */
  readonly onDone: () => void;
  /** Before its state, to choose its place. */
  readonly place: ReactNode;
}

/** Below the editor of a tab: where its session is, its transaction, and what ends both. */
export function SessionLine({ session, busy, onEndTransaction, onDone, place }: Props): ReactNode {
  const words = strings.consoleSession;
  const { shown, changes, isEnding } = session;
  const transaction = shown.is === 'open' ? shown.context.transaction : 'none';
  const isBlocked = busy || isEnding;
  const endTransaction = (way: TransactionEndWay): void => void onEndTransaction(way).then(onDone);
  return (
    <section className={styles.line} aria-label={words.region} data-state={shown.is} data-transaction={transaction}>
      {place}
      <div className={styles.state} role="status">
        <SessionState shown={shown} changes={changes.length} />
      </div>
      {transaction === 'none' ? null : (
        <>
          {transaction === 'failed' ? null : (
            <Button
              size="compact-sm"
              title={words.commitTitle}
              disabled={isBlocked}
              loading={isEnding}
              onClick={() => endTransaction('commit')}
            >
              {words.commit}
            </Button>
          )}
          <Button
            size="compact-sm"
            variant="default"
            title={words.rollBackTitle}
            disabled={isBlocked}
            onClick={() => endTransaction('rollBack')}
          >
            {words.rollBack}
          </Button>
        </>
      )}
      {shown.is === 'ended' ? (
        <Button size="compact-sm" onClick={() => void session.start().then(onDone)}>
          {words.start}
        </Button>
      ) : null}
      {shown.is === 'open' && transaction === 'none' ? (
        <ActionIcon
          size={22}
          aria-label={words.end}
          title={words.endTitle}
          disabled={isBlocked}
          onClick={() => void session.end().then(onDone)}
        >
          <IconPlugOff size={14} stroke={1.75} />
        </ActionIcon>
      ) : null}
    </section>
  );
}

interface StateProps {
  readonly shown: TabSession;
  /** How many requests of the transaction changed something. */
  readonly changes: number;
}

function SessionState({ shown, changes }: StateProps): ReactNode {
  const words = strings.consoleSession;
  if (shown.is === 'notBegun') return <span className={styles.faint}>{words.notBegun}</span>;
  if (shown.is === 'starting') return <span aria-busy>{words.starting}</span>;
  if (shown.is === 'ended') {
    return (
      <span className={styles.alarm}>
        <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
        <span>{endOf(shown)}</span>
      </span>
    );
  }
  if (shown.isOffline) {
    return (
      <span className={styles.alarm}>
        <IconAlertTriangle size={14} stroke={1.75} aria-hidden />
        <span>{words.offline}</span>
      </span>
    );
  }
  const { namespace, role, transaction } = shown.context;
  const context = [
    namespace === undefined ? undefined : words.inNamespace(visibleText(namespace.join('.'))),
    role === undefined ? undefined : words.asRole(visibleText(role)),
  ].filter((part) => part !== undefined);
  return (
    <>
      {transaction === 'none' ? (
        <span>{words.transaction.none}</span>
      ) : (
        <StateBadge tone="warning">{words.transaction[transaction]}</StateBadge>
      )}
      {transaction === 'failed' ? <span>{words.failedAdvice}</span> : null}
      {transaction === 'open' && changes > 0 ? <span>{words.uncommitted(changes)}</span> : null}
      {context.length === 0 ? null : <span className={styles.faint}>{context.join(' ')}</span>}
    </>
  );
}
