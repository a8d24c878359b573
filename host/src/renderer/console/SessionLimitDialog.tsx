import { Button, Modal } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { endHeldSession, useHeldSessions } from '../state/heldSessions.ts';
import type { ListedSession } from '../state/heldSessions.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import { StateBadge } from '../ui/Marks.tsx';
import styles from './sessionLimit.module.css';

interface Props {
  readonly connectionId: string;
  readonly connection: string;
  /** The title of the tab that has no session. */
  readonly title: string;
  /** The most sessions that a connection can have. */
  readonly limit: number;
  /** @param hasRoom - whether a session was ended */
  readonly onAnswer: (hasRoom: boolean) => void;
}

/** Says that a connection has as many sessions as it can have, which tabs hold them, and ends one of them. */
export function SessionLimitDialog({ connectionId, connection, title, limit, onAnswer }: Props): ReactNode {
  const words = strings.consoleSession;
  const sessions = useHeldSessions(connectionId);
  const [ending, setEnding] = useState<ListedSession>();
  const [silent, setSilent] = useState<ListedSession>();
  const unseen = limit - sessions.length;
  const end = async (session: ListedSession): Promise<void> => {
    setEnding(session);
    setSilent(undefined);
    if (await endHeldSession(session)) {
      onAnswer(true);
      return;
    }
    setEnding(undefined);
    setSilent(session);
  };
  return (
    <Modal
      opened
      onClose={() => onAnswer(false)}
      title={words.limitTitle(limit)}
      size={560}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p className={styles.text}>
        {sessions.length === 0
          ? words.limitElsewhere(visibleText(title), visibleText(connection), limit)
          : words.limitText(visibleText(title), visibleText(connection), limit)}
      </p>
      {sessions.length === 0 ? null : (
        <ul className={styles.sessions} aria-label={words.limitList}>
          {sessions.map((session) => (
            <Holder
              key={`${session.otherWindow ?? ''} ${session.id}`}
              session={session}
              isEnding={ending === session}
              isBlocked={ending !== undefined}
              onEnd={() => void end(session)}
            />
          ))}
        </ul>
      )}
      {unseen > 0 && sessions.length > 0 ? <p className={styles.text}>{words.limitUnseen(unseen)}</p> : null}
      {silent === undefined ? null : (
        <p className={styles.text} role="alert">
          {words.limitSilent(visibleText(silent.title))}
        </p>
      )}
      <DialogActions>
        <Button variant="default" onClick={() => onAnswer(false)} data-autofocus>
          {words.limitKeep}
        </Button>
      </DialogActions>
    </Modal>
  );
}

interface HolderProps {
  readonly session: ListedSession;
  readonly isEnding: boolean;
  readonly isBlocked: boolean;
  readonly onEnd: () => void;
}

/** A tab that holds a session. */
function Holder({ session, isEnding, isBlocked, onEnd }: HolderProps): ReactNode {
  const words = strings.consoleSession;
  const { transaction, changes, isRunning, otherWindow } = session;
  const title = visibleText(session.title);
  const loses = transaction !== 'none';
  return (
    <li>
      <div className={styles.holder}>
        <strong>{title}</strong>
        <span className={styles.facts}>
          {loses ? <StateBadge tone="warning">{words.transaction[transaction]}</StateBadge> : null}
          {changes.length === 0 ? null : <span>{words.uncommitted(changes.length)}</span>}
          {isRunning ? <span>{strings.console.isRunning}</span> : null}
          {otherWindow === undefined ? null : <span className={styles.faint}>{words.inOtherWindow}</span>}
        </span>
        {changes[0] === undefined ? null : <code className={styles.request}>{visibleText(changes[0])}</code>}
      </div>
      <Button
        size="compact-sm"
        variant="default"
        {...(loses ? { color: 'red', variant: 'light' } : {})}
        loading={isEnding}
        disabled={isBlocked || isRunning}
        title={isRunning ? strings.console.isRunning : words.endTitle}
        aria-label={loses ? words.rollBackAndEndOf(title) : words.endOf(title)}
        onClick={onEnd}
      >
        {loses ? words.rollBackAndEnd : words.end}
      </Button>
    </li>
  );
}
