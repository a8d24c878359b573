import { Button } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { TransferDecision, TransferInfo } from '../../common/transfer.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { ConnectionName } from '../ui/ConnectionName.tsx';
import { useWaitingBars } from '../state/waitingWork.ts';
import styles from './transfer.module.css';

/**
 * The exports whose file a person may keep or delete. It takes no focus and closes by the decision alone: what is typed meanwhile decides
 * nothing, and a window that closes leaves the question to the next one.
 */
export function UndecidedExports({ transfers }: { readonly transfers: readonly TransferInfo[] }): ReactNode {
  useWaitingBars('exports', transfers.length);
  if (transfers.length === 0) return null;
  return (
    <section className={styles.undecided} data-region="undecided" aria-label={strings.transfer.undecided} aria-live="polite">
      {transfers.map((transfer) => (
        <Question key={transfer.id} transfer={transfer} />
      ))}
    </section>
  );
}

function Question({ transfer: { id, connectionId, file, table, rowsDiffer } }: { readonly transfer: TransferInfo }): ReactNode {
  const words = strings.transfer;
  const [deciding, setDeciding] = useState<TransferDecision>();
  const [problem, setProblem] = useState<string>();
  const { got = 0, counted = 0 } = rowsDiffer ?? {};
  const text = (got < counted ? words.rowsMissing : words.rowsBeyond)(file, table.name, got, counted);
  const decide = async (decision: TransferDecision): Promise<void> => {
    setDeciding(decision);
    setProblem(undefined);
    try {
      await api.exports.decide.mutate({ id, decision });
    } catch (error) {
      setProblem(problemOf(error).message);
    }
    setDeciding(undefined);
  };
  return (
    <div className={styles.question}>
      <IconAlertTriangle size={16} stroke={1.75} aria-hidden className={styles.questionIcon} />
      <div className={styles.questionText}>
        <ConnectionName connectionId={connectionId} />
        {text}
        {problem === undefined ? null : (
          <div role="alert" className={styles.questionProblem}>
            {problem}
          </div>
        )}
      </div>
      <Button
        size="compact-sm"
        loading={deciding === 'keep'}
        disabled={deciding === 'delete'}
        onClick={() => void decide('keep')}
      >
        {words.keep}
      </Button>
      <Button
        size="compact-sm"
        variant="default"
        loading={deciding === 'delete'}
        disabled={deciding === 'keep'}
        onClick={() => void decide('delete')}
      >
        {words.remove}
      </Button>
    </div>
  );
}
