import { Button, Code, Group, SegmentedControl, Switch, Textarea } from '@mantine/core';
import { useState } from 'react';
import type { ReactNode } from 'react';
import type { IntegrationSettings } from '../../common/integrations.ts';
import { textInWindowLanguage } from '../api/inWindowLanguage.ts';
import { problemOf } from '../api/problem.ts';
import { ProblemPanel } from '../ui/ProblemPanel.tsx';
import { StateBadge } from '../ui/Marks.tsx';
import { strings } from '../i18n/index.ts';
import { Answered } from './Answered.tsx';
import styles from './integrations.module.css';
import { useIntegrationSettings, useMcpState, useSetIntegrationSettings } from './queries.ts';
import { WholeNumberInput } from '../ui/WholeNumberInput.tsx';
import { SettingRow } from '../ui/SettingRow.tsx';

/** The server itself: on or off, where it is, and what it lets clients do. */
export function ServerPane(): ReactNode {
  const settings = useIntegrationSettings();
  return (
    <Answered query={settings} title={strings.integrations.sections.server}>
      {(saved) => <ServerSettings saved={saved} />}
    </Answered>
  );
}

function ServerSettings({ saved }: { readonly saved: IntegrationSettings }): ReactNode {
  const words = strings.integrations.server;
  const save = useSetIntegrationSettings();
  const [port, setPort] = useState(saved.port);
  const [rate, setRate] = useState(saved.requestsPerMinute);
  const [folders, setFolders] = useState(saved.exportFolders.join('\n'));
  const [origins, setOrigins] = useState(saved.allowedOrigins.join('\n'));
  const set = (change: Partial<IntegrationSettings>): void => save.mutate({ ...saved, ...change });
  return (
    <>
      <SettingRow id="setting-mcp" title={words.enable} help={words.enableHelp}>
        <Switch
          aria-labelledby="setting-mcp"
          checked={saved.enabled}
          disabled={save.isPending}
          onChange={(event) => set({ enabled: event.currentTarget.checked })}
        />
      </SettingRow>
      <ServerState enabled={saved.enabled} preferredPort={saved.port} />
      <SettingRow id="setting-approvals" title={words.approvals} help={words.approvalsHelp}>
        <SegmentedControl
          aria-labelledby="setting-approvals"
          value={saved.approvals}
          onChange={(approvals) => set({ approvals })}
          data={(['client', 'window'] as const).map((value) => ({ value, label: words.approvalChoices[value] }))}
        />
      </SettingRow>
      <SettingRow id="setting-oauth" title={words.oauth} help={words.oauthHelp}>
        <Switch
          aria-labelledby="setting-oauth"
          checked={saved.oauth}
          disabled={save.isPending}
          onChange={(event) => set({ oauth: event.currentTarget.checked })}
        />
      </SettingRow>
      <SettingRow id="setting-port" title={words.port} help={words.portHelp}>
        <WholeNumberInput
          name={words.port}
          aria-labelledby="setting-port"
          w={120}
          min={1}
          max={65_535}
          hasSteps={false}
          value={port}
          onValue={(next) => setPort(next ?? saved.port)}
        />
      </SettingRow>
      <SettingRow id="setting-rate" title={words.rate} help={words.rateHelp}>
        <WholeNumberInput
          name={words.rate}
          aria-labelledby="setting-rate"
          w={120}
          min={10}
          max={1_000_000}
          hasSteps={false}
          value={rate}
          onValue={(next) => setRate(next ?? saved.requestsPerMinute)}
        />
      </SettingRow>
      <SettingRow id="setting-folders" title={words.folders} help={words.foldersHelp}>
        <Textarea
          aria-labelledby="setting-folders"
          w={320}
          autosize
          minRows={2}
          maxRows={6}
          value={folders}
          onChange={(event) => setFolders(event.currentTarget.value)}
        />
      </SettingRow>
      <SettingRow id="setting-origins" title={words.origins} help={words.originsHelp}>
        <Textarea
          aria-labelledby="setting-origins"
          w={320}
          autosize
          minRows={2}
          maxRows={6}
          value={origins}
          onChange={(event) => setOrigins(event.currentTarget.value)}
        />
      </SettingRow>
      {save.error === null ? null : <ProblemPanel compact title={words.notSaved} problem={problemOf(save.error)} />}
      <Group justify="flex-end" mt={8}>
        <Button
          loading={save.isPending}
          onClick={() =>
            set({
              port,
              requestsPerMinute: rate,
              exportFolders: linesOf(folders),
              allowedOrigins: linesOf(origins),
            })
          }
        >
          {words.save}
        </Button>
      </Group>
    </>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function ServerState({ enabled, preferredPort }: { readonly enabled: boolean; readonly preferredPort: number }): ReactNode {
  const words = strings.integrations.server;
  const { data: state } = useMcpState();
  if (state === undefined) return null;
  return (
    <div aria-live="polite">
      <div className={styles.name}>
        <StateBadge tone={state.running ? 'good' : enabled ? 'warning' : 'plain'}>
          {state.running ? words.on : enabled ? words.failed : words.off}
        </StateBadge>
        {state.url === undefined ? null : <Code>{state.url}</Code>}
      </div>
      {state.problem === undefined ? null : (
        <p className={styles.muted}>{textInWindowLanguage(state.problem, state.problemOrigin)}</p>
      )}
      {state.port === undefined || state.port === preferredPort ? null : (
        <p className={styles.muted}>{words.otherPort(state.port)}</p>
      )}
    </div>
  );
}
