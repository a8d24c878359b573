import { Button, Modal } from '@mantine/core';
import { visibleText } from '@tabularium/sdk';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { forgetRollingBackStep, useRollingBackStep } from '../state/openTransactions.ts';
import type { OpenTransaction } from '../state/openTransactions.ts';
import { DialogActions } from '../ui/DialogActions.tsx';
import styles from './transactionQuestion.module.css';

/** Asks before a tab of a console, its connection or all of it is closed while a transaction is open there. Everything but the red button keeps it open. */
export function TransactionQuestion(): ReactNode {
  const words = strings.consoleSession;
  const asked = useRollingBackStep();
  if (asked === undefined) return null;
  const { transactions, goOn } = asked;
  const connection = visibleText(transactions[0]?.connection ?? '');
  return (
    <Modal
      opened
      onClose={forgetRollingBackStep}
      title={words.closeTitle(transactions.length)}
      size={520}
      centered
      zIndex={300}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      <p className={styles.text}>{words.closeText(transactions.length, connection)}</p>
      <ul className={styles.transactions}>
        {transactions.map((transaction) => (
          <Lost key={transaction.id} transaction={transaction} />
        ))}
      </ul>
      <DialogActions>
        <Button variant="default" onClick={forgetRollingBackStep} data-autofocus>
          {words.keepOpen}
        </Button>
        <Button
          color="red"
          onClick={() => {
            forgetRollingBackStep();
            goOn();
          }}
        >
          {words.closeAndRollBack}
        </Button>
      </DialogActions>
    </Modal>
  );
}

/** The requests of a transaction whose changes would be lost. */
function Lost({ transaction: { title, changes } }: { readonly transaction: OpenTransaction }): ReactNode {
  const words = strings.consoleSession;
  return (
    <li>
      <strong>{visibleText(title)}</strong>
      {changes.length === 0 ? (
        <p className={styles.text}>{words.nothingChanged}</p>
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
