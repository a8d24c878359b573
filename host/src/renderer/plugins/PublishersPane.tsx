import { Button, Code } from '@mantine/core';
import { IconShieldOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { SESSION_ENDS_AGREED } from '../api/sessionEnds.ts';
import { agreesToEnd } from '../state/openTransactions.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { StateBadge } from '../ui/Marks.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { useDriverChange, usePublisherKeys } from './pluginQueries.ts';
import styles from './plugins.module.css';

/** Ends the sessions of all drivers that the key has signed, so the person is asked about their open transactions. */
async function revokeAsking(keyId: string): Promise<void> {
  const [keys, { drivers }] = await Promise.all([api.drivers.keys.query(), api.drivers.overview.query()]);
  const fingerprint = keys.find((key) => key.keyId === keyId)?.fingerprint;
  const signed = new Set(
    drivers.flatMap(({ id, versions }) => (versions.some(({ publisher }) => publisher.fingerprint === fingerprint) ? [id] : [])),
  );
  if (await agreesToEnd(({ driver }) => signed.has(driver))) await api.drivers.revoke.mutate({ keyId }, SESSION_ENDS_AGREED);
}

/** Trusted publishers, with a way to revoke each and to take that back. */
export function PublishersPane(): ReactNode {
  const words = strings.plugins.keys;
  const keys = usePublisherKeys();
  const change = useDriverChange(({ keyId, revoke }: { keyId: string; revoke: boolean }) =>
    revoke ? revokeAsking(keyId) : api.drivers.trust.mutate({ keyId }),
  );
  if (keys.error !== null) {
    return <ProblemPanel title={words.list} problem={problemOf(keys.error)} onRetry={() => void keys.refetch()} />;
  }
  if (keys.data === undefined) return null;
  if (keys.data.length === 0) {
    return <EmptyState icon={<IconShieldOff size={36} stroke={1.25} />} title={words.emptyTitle} text={words.emptyText} />;
  }
  return (
    <div className={styles.pane}>
      <p className={styles.hint}>{words.text}</p>
      {change.error === null ? null : <ProblemPanel compact title={words.failed} problem={problemOf(change.error)} />}
      <ul className={styles.records} aria-label={words.list}>
        {keys.data.map((key) => {
          const name = key.name === '' ? words.unknown : key.name;
          const isRevoked = key.revokedAt !== undefined;
          return (
            <li key={key.keyId}>
              <div className={styles.recordText}>
                <span className={styles.recordTitle}>
                  <strong>{name}</strong>
                  <StateBadge tone={isRevoked ? 'warning' : 'good'}>
                    {key.revokedAt === undefined ? words.origins[key.origin] : words.revoked(key.revokedAt)}
                  </StateBadge>
                </span>
                {key.resembles === undefined ? null : (
                  <span className={styles.warning}>{strings.plugins.trust.resembles(key.resembles)}</span>
                )}
                {key.addedAt === undefined ? null : <span className={styles.hint}>{words.added(key.addedAt)}</span>}
                <Code className={styles.key}>{key.fingerprint}</Code>
              </div>
              <Button
                variant="default"
                disabled={change.isPending}
                aria-label={isRevoked ? words.trustOf(name) : words.revokeOf(name)}
                onClick={() => change.mutate({ keyId: key.keyId, revoke: !isRevoked })}
              >
                {isRevoked ? words.trust : words.revoke}
              </Button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
