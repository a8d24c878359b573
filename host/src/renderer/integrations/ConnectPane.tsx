import { Button, Code, CopyButton, Group, Loader, Modal, Select } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { ConnectableClient } from '../../common/connectClients.ts';
import { api } from '../api/client.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { StateBadge } from '../ui/Marks.tsx';
import { strings } from '../i18n/index.ts';
import styles from './integrations.module.css';
import { Answered } from './Answered.tsx';
import { SettingRow } from '../ui/SettingRow.tsx';
import { DiffBlock, TextBlock } from './TextBlock.tsx';

/** How to connect a client: its entry, written by hand or by us, and whether the bridge gets through. */
export function ConnectPane(): ReactNode {
  const words = strings.connect;
  const clients = useQuery({
    queryKey: ['integrations', 'connect'],
    queryFn: ({ signal }) => api.connect.clients.query(undefined, { signal }),
  });
  return (
    <Answered query={clients} title={words.section}>
      {(known) => <Connect clients={known} />}
    </Answered>
  );
}

function Connect({ clients }: { readonly clients: readonly ConnectableClient[] }): ReactNode {
  const words = strings.connect;
  const [chosen, setChosen] = useState<string | null>(null);
  const client = clients.find(({ id }) => id === chosen) ?? clients[0];
  if (client === undefined) return null;
  return (
    <>
      <SettingRow id="connect-client" title={words.client} help={client.file === undefined ? '' : words.file(client.file)}>
        <Select
          aria-labelledby="connect-client"
          w={320}
          allowDeselect={false}
          value={client.id}
          onChange={setChosen}
          data={clients.map(({ id, title }) => ({ value: id, label: title }))}
        />
      </SettingRow>
      <Entry key={client.id} client={client} />
      <Check />
    </>
  );
}

function Entry({ client }: { readonly client: ConnectableClient }): ReactNode {
  const words = strings.connect;
  const [writing, setWriting] = useState(false);
  return (
    <section aria-label={words.entry}>
      <TextBlock label={words.entryOf(client.title)} text={client.text} />
      {client.format === 'command' ? <p className={styles.muted}>{words.run}</p> : null}
      {client.transport === 'http' ? (
        <p className={styles.muted}>{client.signsIn === true ? words.signsIn : words.token}</p>
      ) : null}
      <Group mt={8}>
        <CopyButton value={client.text}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? strings.common.copied : strings.common.copy}
            </Button>
          )}
        </CopyButton>
        {client.file === undefined ? null : (
          <Button variant="default" onClick={() => setWriting(true)}>
            {words.write}
          </Button>
        )}
      </Group>
      {writing ? <WriteConfigDialog client={client} onClose={() => setWriting(false)} /> : null}
    </section>
  );
}

function WriteConfigDialog({ client, onClose }: { readonly client: ConnectableClient; readonly onClose: () => void }): ReactNode {
  const words = strings.connect;
  const { id, file = '' } = client;
  // Queried each time: the file is another program's.
  const plan = useQuery({
    queryKey: ['integrations', 'connect', 'plan', id],
    queryFn: ({ signal }) => api.connect.plan.query({ id }, { signal }),
    gcTime: 0,
    retry: false,
  });
  const write = useMutation({ mutationFn: (shown: string) => api.connect.write.mutate({ id, shown }) });
  const problem = plan.error ?? write.error;
  const diff = plan.data?.diff;
  return (
    <Modal
      opened
      onClose={onClose}
      title={words.writeTitle(file)}
      size="lg"
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {problem === null ? null : <ProblemPanel compact title={words.notWritten} problem={problemOf(problem)} />}
      {plan.isPending ? <Loader size="sm" aria-label={strings.integrations.loading} /> : null}
      {diff === '' ? <p>{words.there}</p> : null}
      {diff === undefined || diff === '' ? null : (
        <>
          <DiffBlock label={words.diff} diff={diff} />
          <p className={styles.muted}>{words.writeHelp}</p>
        </>
      )}
      {write.data === undefined ? null : (
        <div role="status">
          <p>{words.written}</p>
          {write.data.backup === undefined ? null : <p className={styles.muted}>{words.backup(write.data.backup)}</p>}
        </div>
      )}
      <Group justify="flex-end" mt={8}>
        <Button variant="default" onClick={onClose}>
          {write.data === undefined ? strings.common.cancel : strings.common.close}
        </Button>
        {diff === undefined || diff === '' || write.data !== undefined ? null : (
          <Button loading={write.isPending} onClick={() => write.mutate(diff)}>
            {words.confirm}
          </Button>
        )}
      </Group>
    </Modal>
  );
}

function Check(): ReactNode {
  const words = strings.connect;
  const check = useMutation({ mutationFn: () => api.connect.check.mutate() });
  return (
    <>
      <SettingRow id="connect-check" title={words.check} help={words.checkHelp}>
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate()}>
          {words.check}
        </Button>
      </SettingRow>
      <div aria-live="polite">
        {check.error === null ? null : <ProblemPanel compact title={words.check} problem={problemOf(check.error)} />}
        {check.data === undefined ? null : check.data.ok ? (
          <>
            <StateBadge tone="good">{words.checkOk(check.data.milliseconds, check.data.tools.length)}</StateBadge>
            <ul className={styles.tools} aria-label={words.tools}>
              {check.data.tools.map((tool) => (
                <li key={tool}>
                  <Code>{tool}</Code>
                </li>
              ))}
            </ul>
          </>
        ) : (
          <>
            <StateBadge tone="warning">{words.checkFailed(words.layers[check.data.layer] ?? check.data.layer)}</StateBadge>
            <p className={styles.muted}>{textInWindowLanguage(check.data.message, check.data.origin)}</p>
          </>
        )}
      </div>
    </>
  );
}
