import { Button, Code, CopyButton, Group, Modal, MultiSelect, Radio, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import { tokenScopeSchema } from '../../common/access.ts';
import type { TokenScope } from '../../common/access.ts';
import { api } from '../api/client.ts';
import { problemOf } from '../api/problem.ts';
import type { Problem } from '../api/problem.ts';
import { useConnections } from '../api/queries.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { strings } from '../i18n/index.ts';
import styles from './integrations.module.css';
import { useReloadIntegrations } from './queries.ts';
import { DialogActions } from '../ui/DialogActions.tsx';

const DAY_MILLISECONDS = 86_400_000;
const EXPIRIES = ['7', '30', '90', '365', 'never'] as const;
type Expiry = (typeof EXPIRIES)[number];

/** Makes a token, and shows its text once. */
export function NewTokenDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const words = strings.integrations.tokens;
  const connections = useConnections();
  const reload = useReloadIntegrations();
  const [name, setName] = useState('');
  const [scope, setScope] = useState<TokenScope>('readOnly');
  const [only, setOnly] = useState<string[]>();
  const [expiry, setExpiry] = useState<Expiry>('30');
  const [text, setText] = useState<string>();
  const [problem, setProblem] = useState<Problem>();
  const mint = async (): Promise<void> => {
    setProblem(undefined);
    try {
      const minted = await api.integrations.mintToken.mutate({
        name,
        scope,
        ...(only === undefined ? {} : { connections: only }),
        ...(expiry === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(expiry) * DAY_MILLISECONDS).toISOString() }),
      });
      setText(minted.text);
      await reload();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <Modal
      opened
      onClose={onClose}
      // The text is shown this once: a click beside the dialog must not lose it.
      closeOnClickOutside={false}
      title={words.create}
      size={520}
      centered
      closeButtonProps={{ 'aria-label': strings.common.close }}
    >
      {text !== undefined ? (
        <Stack gap={12}>
          <p className={styles.muted}>{words.shownOnce}</p>
          <Code block aria-label={words.token}>
            {text}
          </Code>
          <DialogActions>
            <CopyButton value={text}>
              {({ copied, copy }) => (
                <Button variant="default" onClick={copy}>
                  {copied ? strings.common.copied : strings.common.copy}
                </Button>
              )}
            </CopyButton>
            <Button onClick={onClose}>{words.done}</Button>
          </DialogActions>
        </Stack>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void mint();
          }}
        >
          <Stack gap={12}>
            <TextInput
              label={words.name}
              value={name}
              onChange={(event) => setName(event.currentTarget.value)}
              required
              data-autofocus
            />
            <Radio.Group label={words.scope} value={scope} onChange={(value) => setScope(tokenScopeSchema.parse(value))}>
              {tokenScopeSchema.options.map((value) => (
                <Radio key={value} value={value} label={words.scopes[value]} description={words.scopeHelp[value]} mt={6} />
              ))}
            </Radio.Group>
            <Radio.Group
              label={words.connections}
              value={only === undefined ? 'all' : 'some'}
              onChange={(value) => setOnly(value === 'all' ? undefined : [])}
            >
              <Group gap={16} mt={6}>
                <Radio value="all" label={words.allConnections} />
                <Radio value="some" label={words.onlyThese} />
              </Group>
            </Radio.Group>
            {only === undefined ? null : (
              <MultiSelect
                aria-label={words.onlyThese}
                value={only}
                onChange={setOnly}
                data={(connections.data ?? []).map((connection) => ({ value: connection.id, label: connection.name }))}
              />
            )}
            <Select
              label={words.expires}
              value={expiry}
              onChange={(value) => setExpiry(EXPIRIES.find((known) => known === value) ?? '30')}
              data={EXPIRIES.map((value) => ({ value, label: words.expiries[value] }))}
              allowDeselect={false}
            />
            {problem === undefined ? null : <ProblemPanel compact title={words.create} problem={problem} />}
            <DialogActions>
              <Button variant="default" onClick={onClose}>
                {strings.common.cancel}
              </Button>
              <Button type="submit" disabled={name.trim() === '' || only?.length === 0}>
                {words.mint}
              </Button>
            </DialogActions>
          </Stack>
        </form>
      )}
    </Modal>
  );
}
