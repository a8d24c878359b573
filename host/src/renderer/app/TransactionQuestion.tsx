import { Button, Modal } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import type { ListedSession } from '../state/heldSessions.ts';
import { useRollingBackStep } from '../state/openTransactions.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import styles from './transactionQuestion.module.css';

/** Asks before a step that ends sessions of consoles in which a transaction is open. Everything but the red button keeps them open. */
export function TransactionQuestion(): ReactNode {
  const words = strings.consoleSession;
  const asked = useRollingBackStep();
  if (asked === undefined) return null;
  const { kind, sessions, answer } = asked;
  const connections = [...new Set(sessions.map(({ connection }) => connection))].map((name) => visibleText(name));
  const keep = (): void => answer(false);
  const isInProgress = sessions.some(({ isRunning }) => isRunning);
  const [closeText, endText] = sessions.every(({ changes }) => changes.length === 0)
    ? [words.closeTextUnchanged, words.endTextUnchanged]
    : [words.closeText, words.endText];
  const text = kind === 'close' ? closeText(sessions.length, connections[0] ?? '') : endText(sessions.length, connections);
  const yes = kind === 'close' ? words.closeAndRollBack : words.rollBackAndGoOn;
  return (
    <Modal
      opened
      onClose={keep}
      title={isInProgress ? words.inProgressTitle : words.closeTitle(sessions.length)}
      size={520}
      centered
      // Also above the settings and the dialog of a connection.
      zIndex={400}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p className={styles.text}>{isInProgress ? words.inProgressText : text}</p>
      <ul className={styles.transactions}>
        {sessions.map((session) => (
          <Lost key={`${session.otherWindow ?? ''} ${session.id}`} session={session} namesConnection={connections.length > 1} />
        ))}
      </ul>
      <DialogActions>
        <Button variant="default" onClick={keep} data-autofocus>
          {words.keepOpen}
        </Button>
        <Button color="red" onClick={() => answer(true)}>
          {isInProgress ? words.endAllTheSame : yes}
        </Button>
      </DialogActions>
    </Modal>
  );
}

interface LostProps {
  readonly session: ListedSession;
  readonly namesConnection: boolean;
}

/** The requests of a transaction whose changes would be lost. */
function Lost({ session: { title, connection, changes, otherWindow, isRunning }, namesConnection }: LostProps): ReactNode {
  const words = strings.consoleSession;
  const places = [
    ...(namesConnection ? [words.inConnection(visibleText(connection))] : []),
    ...(otherWindow === undefined ? [] : [words.inOtherWindow]),
  ];
  return (
    <li>
      <strong>{words.inTab(visibleText(title))}</strong>
      {places.length === 0 ? null : ` ${places.join(' · ')}`}
      {isRunning ? <p className={styles.text}>{words.stillRunning}</p> : null}
      {changes.length === 0 ? (
        isRunning ? null : (
          <p className={styles.text}>{words.nothingChanged}</p>
        )
      ) : (
        <ol className={styles.changes} aria-label={words.changesOf(visibleText(title))} tabIndex={0}>
          {changes.map((change, place) => (
            <li key={place}>
              <code>{visibleText(change)}</code>
            </li>
          ))}
        </ol>
      )}
    </li>
  );
}
