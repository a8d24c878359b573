import { ActionIcon, Button, Menu, NativeSelect } from '@mantine/core';
import {
  IconBookmark,
  IconBraces,
  IconDeviceFloppy,
  IconHistory,
  IconPlayerPlay,
  IconPlayerStop,
  IconPlayerTrackNext,
  IconPlug,
  IconTerminal,
} from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { useConnections } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import styles from './console.module.css';
import type { RunTarget } from './useRuns.ts';

const ROW_LIMITS = [100, 1_000, 10_000, 100_000] as const;

export type ConsolePanel = 'history' | 'saved';

interface Props {
  readonly connectionId: string;
  readonly busy: boolean;
  readonly maxRows: number;
  readonly panel: ConsolePanel | undefined;
  readonly onRun: () => void;
  readonly onRunAll: () => void;
  readonly onRunOn: (target: RunTarget) => void;
  readonly onStop: () => void;
  readonly onMaxRows: (rows: number) => void;
  readonly onFormat: () => void;
  readonly onSave: () => void;
  readonly onCurl: () => void;
  readonly onPanel: (panel: ConsolePanel | undefined) => void;
}

/** What can be done with the requests of a text. */
export function ConsoleTools(props: Props): ReactNode {
  const { busy, maxRows, panel, onPanel } = props;
  const words = strings.console;
  const toggle = (which: ConsolePanel): void => onPanel(panel === which ? undefined : which);
  return (
    <div className={styles.bar} role="toolbar" aria-label={words.title}>
      {busy ? (
        <Button
          color="red"
          leftSection={<IconPlayerStop size={14} stroke={1.75} />}
          title={words.stopTitle}
          onClick={props.onStop}
        >
          {words.stop}
        </Button>
      ) : (
        <Button leftSection={<IconPlayerPlay size={14} stroke={1.75} />} title={words.runTitle} onClick={props.onRun}>
          {words.run}
        </Button>
      )}
      <Button
        variant="default"
        disabled={busy}
        leftSection={<IconPlayerTrackNext size={14} stroke={1.75} />}
        title={words.runAllTitle}
        onClick={props.onRunAll}
      >
        {words.runAll}
      </Button>
      <RunOn connectionId={props.connectionId} disabled={busy} onRunOn={props.onRunOn} />
      <NativeSelect
        className={styles.limit}
        aria-label={words.maxRows}
        title={words.maxRows}
        value={String(maxRows)}
        onChange={(event) => props.onMaxRows(Number(event.currentTarget.value))}
        data={ROW_LIMITS.map((limit) => ({ value: String(limit), label: words.rowLimit(limit) }))}
      />
      <ActionIcon aria-label={words.format} title={words.formatTitle} onClick={props.onFormat}>
        <IconBraces size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon aria-label={words.curl} title={words.curlTitle} onClick={props.onCurl}>
        <IconTerminal size={16} stroke={1.75} />
      </ActionIcon>
      <ActionIcon aria-label={words.save} title={words.save} aria-keyshortcuts="Control+S" onClick={props.onSave}>
        <IconDeviceFloppy size={16} stroke={1.75} />
      </ActionIcon>
      <span className={styles.barSpace} />
      <Button
        variant="subtle"
        color="gray"
        aria-pressed={panel === 'saved'}
        leftSection={<IconBookmark size={14} stroke={1.75} />}
        onClick={() => toggle('saved')}
      >
        {words.saved}
      </Button>
      <Button
        variant="subtle"
        color="gray"
        aria-pressed={panel === 'history'}
        leftSection={<IconHistory size={14} stroke={1.75} />}
        onClick={() => toggle('history')}
      >
        {words.history}
      </Button>
    </div>
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
