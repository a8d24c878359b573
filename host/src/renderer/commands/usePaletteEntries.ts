import { flushSync } from 'react-dom';
import { tableName } from '../../common/tableName.ts';
import { useKnownNamed } from '../api/namedTables.ts';
import { useConnections, useKnownTables } from '../api/queries.ts';
import { strings } from '../i18n/index.ts';
import { noteRecent, recentOnes } from '../state/recent.ts';
import { workspaceTableKey } from '../state/workspace.ts';
import { useWorkspace } from '../state/WorkspaceContext.tsx';
import { COMMAND_GROUPS } from '../../common/keyMap.ts';
import { useKnownCommands } from './registry.ts';

/** One line of the palette. */
export interface PaletteEntry {
  readonly key: string;
  readonly title: string;
  /** The heading above it, or beside it once something was typed. */
  readonly group: string;
  /** Further words by which it is found. */
  readonly aliases: string;
  readonly keys: readonly string[];
  readonly disabled: string | undefined;
  readonly run: () => void;
}

/** The purpose for which the palette is opened. */
export type PaletteScope = 'everything' | 'connections';

const RECENT_SHOWN = 6;
const quiet = { keys: [], disabled: undefined, aliases: '' } as const;

/** Every line of the palette, in its order while nothing is typed: what was used lately, commands by their groups, tables, connections. */
export function usePaletteEntries(
  scope: PaletteScope,
  onShow: (connectionId: string) => void,
  onTable: () => void,
): readonly PaletteEntry[] {
  const { workspace, dispatch } = useWorkspace();
  const commands = useKnownCommands();
  const saved = useConnections().data ?? [];
  const active = workspace.active;
  const info = active === undefined ? undefined : workspace.connections[active]?.info;
  const known = useKnownTables(active);
  const named = useKnownNamed(active);
  const words = strings.commands.palette;

  const connections = saved.map<PaletteEntry>(({ id, name }) => ({
    ...quiet,
    key: `connection ${id}`,
    title: name,
    group: words.connections,
    ...(id === active ? { disabled: words.isShown } : {}),
    run: () => onShow(id),
  }));
  if (scope === 'connections') return connections;

  const tables =
    info === undefined
      ? []
      : [...known.map(({ ref }) => ref), ...named].map<PaletteEntry>((ref) => ({
          ...quiet,
          key: `table ${workspaceTableKey(ref)}`,
          title: tableName(ref),
          group: info.manifest.terms.table.other,
          run: () => {
            // Drawn at once: the focus is to go to this tab, not to the one that is in front now.
            flushSync(() => dispatch({ type: 'openTable', connectionId: info.connectionId, table: ref }));
            onTable();
          },
        }));
  const byGroup = [...commands].sort((a, b) => COMMAND_GROUPS.indexOf(a.group) - COMMAND_GROUPS.indexOf(b.group));
  const actions = byGroup.map<PaletteEntry>(({ id, group, title, aliases, keys, disabled, run }) => ({
    key: `command ${id}`,
    title,
    group: strings.commands.groups[group],
    aliases,
    keys,
    disabled,
    run: () => {
      noteRecent({ command: id });
      run();
    },
  }));
  const recent = recentOnes()
    .flatMap((one) => {
      const key =
        'command' in one
          ? `command ${one.command}`
          : one.connectionId === active
            ? `table ${workspaceTableKey(one.table)}`
            : undefined;
      const found = key === undefined ? undefined : [...actions, ...tables].find((entry) => entry.key === key);
      return found === undefined || found.disabled !== undefined
        ? []
        : [{ ...found, key: `recent ${found.key}`, group: words.recent }];
    })
    .slice(0, RECENT_SHOWN);
  return [...recent, ...actions, ...tables, ...connections];
}
