import { Button } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { api } from '../api/client.ts';
import { EmptyState } from '../components/EmptyState.tsx';
import { StateBadge } from '../components/Marks.tsx';
import { strings } from '../strings/index.ts';
import styles from './integrations.module.css';
import { useClients, useReloadIntegrations } from './queries.ts';

/** Who was here lately. */
export function ClientsPane(): ReactNode {
  const words = strings.integrations.clients;
  const clients = useClients();
  const reload = useReloadIntegrations();
  if (clients.data === undefined) return null;
  if (clients.data.length === 0) {
    return <EmptyState icon={<IconPlugConnected size={36} stroke={1.25} />} title={words.none} text={words.noneText} />;
  }
  return (
    <>
      <p className={styles.muted}>{words.disconnectHelp}</p>
      <ul className={styles.list} aria-label={strings.integrations.sections.clients}>
        {clients.data.map((client) => (
          <li key={`${client.tokenId} ${client.name ?? ''} ${client.version ?? ''}`}>
            <div>
              <div className={styles.name}>
                <strong>{client.name === undefined ? words.unnamed : `${client.name} ${client.version ?? ''}`}</strong>
                {client.protocolVersion === undefined ? null : <StateBadge tone="plain">{client.protocolVersion}</StateBadge>}
              </div>
              <div className={styles.muted}>
                {words.facts(
                  client.tokenKind === 'bridge' ? strings.integrations.approvals.bridge : client.tokenName,
                  client.requests,
                  client.underWay,
                )}
                {' · '}
                {words.seen(client.lastSeenAt)}
              </div>
            </div>
            <Button
              variant="default"
              onClick={() => void api.integrations.disconnect.mutate({ id: client.tokenId }).finally(() => void reload())}
            >
              {words.disconnect}
            </Button>
          </li>
        ))}
      </ul>
    </>
  );
}
