import { Button } from '@mantine/core';
import { IconShieldCheck } from '@tabler/icons-react';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ApprovalGrantInfo } from '../../common/integrations.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { useConnections } from '../api/queries.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { Answered } from './Answered.tsx';
import styles from './integrations.module.css';
import { useGrants, useReloadIntegrations } from './queries.ts';

/** Clients whose changes need no further approval. */
export function ApprovalsPane(): ReactNode {
  const grants = useGrants();
  return (
    <Answered query={grants} title={strings.integrations.sections.approvals}>
      {(known) => <GrantList grants={known} />}
    </Answered>
  );
}

function GrantList({ grants }: { readonly grants: readonly ApprovalGrantInfo[] }): ReactNode {
  const words = strings.integrations.approvals;
  const connections = useConnections();
  const reload = useReloadIntegrations();
  const [problem, setProblem] = useState<Problem>();
  const revoke = async (id: string): Promise<void> => {
    try {
      await api.integrations.revokeGrant.mutate({ id });
    } catch (error) {
      setProblem(problemOf(error));
    }
    await reload();
  };
  if (grants.length === 0) {
    return <EmptyState icon={<IconShieldCheck size={36} stroke={1.25} />} title={words.none} text={words.noneText} />;
  }
  return (
    <>
      <p className={styles.muted}>{words.help}</p>
      {problem === undefined ? null : <ProblemPanel compact title={words.revoke} problem={problem} />}
      <ul className={styles.list} aria-label={strings.integrations.sections.approvals}>
        {grants.map((grant) => (
          <li key={grant.id}>
            <div>
              <strong>
                {words.whose(
                  grant.principalId === 'bridge' ? words.bridge : grant.principalName,
                  connections.data?.find(({ id }) => id === grant.connectionId)?.name ?? grant.connectionId,
                )}
              </strong>
              <div className={styles.muted}>{words.since(grant.createdAt)}</div>
            </div>
            <Button
              variant="default"
              aria-label={words.revokeOf(grant.principalId === 'bridge' ? words.bridge : grant.principalName)}
              onClick={() => void revoke(grant.id)}
            >
              {words.revoke}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
