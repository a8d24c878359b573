import { Modal, Skeleton } from '@mantine/core';
import type { Principal, PrincipalFacts } from '@tabularium/sdk';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { inDriverWords } from '../api/driverTexts.ts';
import { problemOf } from '../api/problem.ts';
import { strings } from '../i18n/index.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import styles from './principals.module.css';

interface Props {
  readonly connectionId: string;
  readonly principal: Principal;
  readonly onClose: () => void;
}

/** The objects and permissions of a principal. */
export function PrincipalDetailsDialog({ connectionId, principal, onClose }: Props): ReactNode {
  const words = strings.principals;
  const { id, label } = principal;
  const details = useQuery({
    queryKey: ['principals', connectionId, 'details', id],
    queryFn: ({ signal }) => api.principals.details.query({ connectionId, id }, { signal }),
    gcTime: 0,
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.detailsTitle(label)}
      size={760}
      yOffset={48}
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {details.error === null ? null : (
        <ProblemPanel
          compact
          title={words.detailsFailed(label)}
          problem={problemOf(details.error)}
          onRetry={() => void details.refetch()}
        />
      )}
      {details.data === undefined ? (
        details.error === null ? (
          <Skeleton height={160} aria-busy />
        ) : null
      ) : details.data.length === 0 ? (
        <p>{words.noDetails(label)}</p>
      ) : (
        details.data.map((facts, place) => <Facts key={place} connectionId={connectionId} facts={facts} />)
      )}
    </Modal>
  );
}

function Facts({ connectionId, facts }: { readonly connectionId: string; readonly facts: PrincipalFacts }): ReactNode {
  const { title, note } = inDriverWords(connectionId, facts);
  return (
    <section aria-label={title}>
      <h3 className={styles.factsTitle}>{title}</h3>
      <table className={styles.factsTable}>
        <thead>
          <tr>
            {facts.columns.map((column, place) => (
              <th key={place} scope="col">
                {inDriverWords(connectionId, column).label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {facts.rows.map((row, line) => (
            <tr key={line}>
              {facts.columns.map((_column, place) => (
                <td key={place}>{row[place]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {note === undefined ? null : <p className={styles.note}>{note}</p>}
    </section>
  );
}
