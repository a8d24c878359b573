import { ActionIcon, Button, Menu, NativeSelect } from '@mantine/core';
import {
  IconBookmark,
  IconBraces,
  IconChevronDown,
  IconDeviceFloppy,
  IconHistory,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlayerTrackNext,
  IconPlug,
  IconSitemap,
  IconTerminal,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useConnections } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import styles from './console.module.css';
import type { RunTarget } from './useRuns.ts';

const ROW_LIMITS = [100, 1_000, 10_000, 100_000] as const;

export type ConsolePanel = 'history' | 'saved';

/** The tools of a console. */
export interface ConsoleToolsState {
  /** Whether a request is running: it can be stopped then, and no other can be started. */
  readonly busy: boolean;
  readonly maxRows: number;
  readonly panel: ConsolePanel | undefined;
  readonly stopsAtError: boolean;
  readonly isSql: boolean;
  /** Whether the driver explains statements. */
  readonly explains: boolean;
  /** Whether a statement is an HTTP request, which curl can send. */
  readonly isHttp: boolean;
}

export interface ConsoleCommands {
  /** Runs what is selected, or the request at the cursor. */
  readonly run: () => void;
  readonly runAll: () => void;
  readonly runOn: (target: RunTarget) => void;
  readonly stop: () => void;
  /** Shows the plan of the request at the cursor. */
  readonly explain: () => void;
  readonly setMaxRows: (rows: number) => void;
  readonly setStopsAtError: (stops: boolean) => void;
  readonly format: () => void;
  readonly save: () => void;
  readonly copyCurl: () => void;
  readonly showPanel: (panel: ConsolePanel | undefined) => void;
}

interface Props {
  readonly connectionId: string;
  readonly state: ConsoleToolsState;
  readonly commands: ConsoleCommands;
}

/** The actions for the requests of a text. */
export function ConsoleTools({ connectionId, state, commands }: Props): ReactNode {
  const words = strings.console;
  const { busy, maxRows, panel, isSql, explains, isHttp } = state;
  const format = isSql
    ? { label: words.formatSql, title: words.formatSqlTitle }
    : { label: words.format, title: words.formatTitle };
  const toggle = (which: ConsolePanel): void => commands.showPanel(panel === which ? undefined : which);
  return (
    <div className={styles.bar} role="toolbar" aria-label={words.title}>
      {busy ? (
        <Button
          color="red"
          leftSection={<IconPlayerStop size={14} stroke={1.75} />}
          title={words.stopTitle}
          onClick={commands.stop}
        >
          {words.stop}
        </Button>
      ) : (
        <Button leftSection={<IconPlayerPlay size={14} stroke={1.75} />} title={words.runTitle} onClick={commands.run}>
          {words.run}
        </Button>
      )}
      <Button.Group>
        <Button
          variant="default"
          disabled={busy}
          leftSection={<IconPlayerTrackNext size={14} stroke={1.75} />}
          title={words.runAllTitle}
          onClick={commands.runAll}
        >
          {words.runAll}
        </Button>
        <AfterError stopsAtError={state.stopsAtError} disabled={busy} onChange={commands.setStopsAtError} />
      </Button.Group>
      {explains ? (
        <Button
          variant="default"
          disabled={busy}
          leftSection={<IconSitemap size={14} stroke={1.75} />}
          title={strings.explain.explainTitle}
          aria-keyshortcuts="F9"
          onClick={commands.explain}
        >
          {strings.explain.explain}
        </Button>
      ) : null}
      <RunOn connectionId={connectionId} disabled={busy} onRunOn={commands.runOn} />
      <NativeSelect
        className={styles.limit}
        aria-label={words.maxRows}
        title={words.maxRows}
        value={String(maxRows)}
        onChange={(event) => commands.setMaxRows(Number(event.currentTarget.value))}
        data={ROW_LIMITS.map((limit) => ({ value: String(limit), label: words.rowLimit(limit) }))}
      />
      <ActionIcon aria-label={format.label} title={format.title} onClick={commands.format}>
        <IconBraces size={16} stroke={1.75} />
      </ActionIcon>
      {isHttp ? (
        <ActionIcon aria-label={words.curl} title={words.curlTitle} onClick={commands.copyCurl}>
          <IconTerminal size={16} stroke={1.75} />
        </ActionIcon>
      ) : null}
      <ActionIcon aria-label={words.save} title={words.save} aria-keyshortcuts="Control+S" onClick={commands.save}>
        <IconDeviceFloppy size={16} stroke={1.75} />
      </ActionIcon>
      <span className={styles.barSpace} />
      <Button
        className={styles.panelButton}
        variant="subtle"
        color="gray"
        aria-label={words.saved}
        title={words.saved}
        aria-pressed={panel === 'saved'}
        leftSection={<IconBookmark size={14} stroke={1.75} />}
        onClick={() => toggle('saved')}
      >
        {words.saved}
      </Button>
      <Button
        className={styles.panelButton}
        variant="subtle"
        color="gray"
        aria-label={words.history}
        title={words.history}
        aria-pressed={panel === 'history'}
        leftSection={<IconHistory size={14} stroke={1.75} />}
        onClick={() => toggle('history')}
      >
        {words.history}
      </Button>
    </div>
  );
}

interface AfterErrorProps {
  readonly stopsAtError: boolean;
  readonly disabled: boolean;
  readonly onChange: (stops: boolean) => void;
}

/** Whether a run of several requests continues when one of them fails. */
function AfterError({ stopsAtError, disabled, onChange }: AfterErrorProps): ReactNode {
  const words = strings.console;
  return (
    <Menu position="bottom-start" width={280} withinPortal disabled={disabled}>
      <Menu.Target>
        <Button variant="default" px={4} aria-label={words.afterError} title={words.afterError} disabled={disabled}>
          <IconChevronDown size={14} stroke={1.75} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown aria-label={words.afterError}>
        <Menu.RadioGroup value={stopsAtError ? 'stop' : 'continue'} onChange={(value) => onChange(value === 'stop')}>
          <Menu.RadioItem value="stop">{words.stopAtError}</Menu.RadioItem>
          <Menu.RadioItem value="continue">{words.continueAfterError}</Menu.RadioItem>
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}

interface RunOnProps {
  readonly connectionId: string;
  readonly disabled: boolean;
  readonly onRunOn: (target: RunTarget) => void;
}

/** The request at the cursor on another connection whose driver speaks the same language. */
function RunOn({ connectionId, disabled, onRunOn }: RunOnProps): ReactNode {
  const words = strings.console;
  const { data: connections = [] } = useConnections();
  const own = connections.find(({ id }) => id === connectionId);
  const others = connections.filter(({ id, driver }) => id !== connectionId && driver === own?.driver);
  return (
    <Menu position="bottom-start" width={240} withinPortal disabled={disabled}>
      <Menu.Target>
        <ActionIcon aria-label={words.runOn} title={words.runOn} disabled={disabled}>
          <IconPlug size={16} stroke={1.75} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown aria-label={words.runOn}>
        <Menu.Label>{others.length === 0 ? words.runOnNone : words.runOn}</Menu.Label>
        {others.map(({ id, name }) => (
          <Menu.Item key={id} onClick={() => onRunOn({ connectionId: id, name })}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
