import { z } from 'zod';
import { recall, remember, useRemembered } from '../state/workspaceStore.ts';
import { SORTS } from '../connections/listModel.ts';
import type { ConnectionSort } from '../connections/listModel.ts';

const NAME = 'connections';

const listStateSchema = z.object({
  sort: z.enum(SORTS).default('name'),
  /** Names of groups; the empty one is that of connections without a group. */
  folded: z.array(z.string()).default([]),
  opened: z.record(z.string(), z.string()).default({}),
});
type ListState = z.output<typeof listStateSchema>;

function current(document = recall('home', NAME)): ListState {
  const parsed = listStateSchema.safeParse(document);
  return parsed.success ? parsed.data : listStateSchema.parse({});
}

/** Notes that a connection was opened now. */
export function noteOpened(connectionId: string): void {
  const before = current();
  remember('home', NAME, { ...before, opened: { ...before.opened, [connectionId]: new Date().toISOString() } });
}

/** How the list of connections is ordered and folded; every window of a home has it so. */
export function useListState(): ListState & {
  readonly setSort: (sort: ConnectionSort) => void;
  readonly toggleGroup: (name: string) => void;
} {
  const state = current(useRemembered('home', NAME));
  return {
    ...state,
    setSort: (sort) => remember('home', NAME, { ...current(), sort }),
    toggleGroup: (name) => {
      const { folded, ...rest } = current();
      remember('home', NAME, {
        ...rest,
        folded: folded.includes(name) ? folded.filter((other) => other !== name) : [...folded, name],
      });
    },
  };
}
