import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { askedName } from '../../common/approvalText.ts';
import type { ConnectedClient } from '../../common/integrations.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import { EmptyState } from '../ui/EmptyState.tsx';
import { StateBadge } from '../ui/Marks.tsx';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import { Answered } from './Answered.tsx';
import styles from './integrations.module.css';
import { useClients, useReloadIntegrations } from './queries.ts';

/** Recent clients. */
export function ClientsPane(): ReactNode {
  const clients = useClients();
  return (
    <Answered query={clients} title={strings.integrations.sections.clients}>
      {(known) => <ClientList clients={known} />}
    </Answered>
  );
}

function ClientList({ clients }: { readonly clients: readonly ConnectedClient[] }): ReactNode {
  const words = strings.integrations.clients;
  const reload = useReloadIntegrations();
  const disconnect = useMutation({
    mutationFn: (id: string) => api.integrations.disconnect.mutate({ id }),
    onSettled: reload,
  });
  if (clients.length === 0) {
    return <EmptyState icon={<IconPlugConnected size={36} stroke={1.25} />} title={words.none} text={words.noneText} />;
  }
  return (
    <>
      <p className={styles.muted}>{words.disconnectHelp}</p>
      {disconnect.error === null ? null : <ProblemPanel compact title={words.disconnect} problem={problemOf(disconnect.error)} />}
      <ul className={styles.list} aria-label={strings.integrations.sections.clients}>
        {clients.map((client) => (
          <li key={`${client.tokenId} ${client.name ?? ''} ${client.version ?? ''}`}>
            <div>
              <div className={styles.name}>
                <strong>
                  {client.name === undefined ? words.unnamed : `${askedName(client.name)} ${askedName(client.version ?? '')}`}
                </strong>
                {client.protocolVersion === undefined ? null : <StateBadge tone="plain">{client.protocolVersion}</StateBadge>}
              </div>
              <div className={styles.muted}>
                {words.facts(
                  client.tokenKind === 'bridge' ? strings.integrations.approvals.bridge : client.tokenName,
                  client.requests,
                  client.inFlight,
                )}
                {' · '}
                {words.seen(client.lastSeenAt)}
              </div>
            </div>
            <Button
              variant="default"
              loading={disconnect.isPending && disconnect.variables === client.tokenId}
              onClick={() => disconnect.mutate(client.tokenId)}
            >
              {words.disconnect}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
