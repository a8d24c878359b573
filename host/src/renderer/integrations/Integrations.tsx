import { Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { strings } from '../i18n/index.ts';
import { ActivityPane } from './ActivityPane.tsx';
import { ApprovalsPane } from './ApprovalsPane.tsx';
import { ConnectPane } from './ConnectPane.tsx';
import { ClientsPane } from './ClientsPane.tsx';
import styles from './integrations.module.css';
import { ServerPane } from './ServerPane.tsx';
import { TokensPane } from './TokensPane.tsx';

/** Programs outside: the server, who may, who did. */
export function Integrations(): ReactNode {
  const words = strings.integrations.sections;
  return (
    <Tabs className={styles.panes} defaultValue="server" keepMounted={false}>
      <Tabs.List aria-label={strings.integrations.title} mb={12}>
        {(['server', 'tokens', 'approvals', 'activity', 'clients'] as const).map((section) => (
          <Tabs.Tab key={section} value={section}>
            {words[section]}
          </Tabs.Tab>
        ))}
        <Tabs.Tab value="connect">{strings.connect.section}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="server">
        <ServerPane />
      </Tabs.Panel>
      <Tabs.Panel value="tokens">
        <TokensPane />
      </Tabs.Panel>
      <Tabs.Panel value="approvals">
        <ApprovalsPane />
      </Tabs.Panel>
      <Tabs.Panel value="activity">
        <ActivityPane />
      </Tabs.Panel>
      <Tabs.Panel value="clients">
        <ClientsPane />
      </Tabs.Panel>
      <Tabs.Panel value="connect">
        <ConnectPane />
      </Tabs.Panel>
    </Tabs>
  );
}
