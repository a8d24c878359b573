import { z } from 'zod';
import { tableRefSchema } from '@tabularium/sdk/protocol';
import type { TableRef } from '@tabularium/sdk';
import { recall, remember } from './workspaceStore.ts';
import type { Json } from './documentStore.ts';

/** How many are kept, over all connections. */
const MOST_RECENT = 40;
const NAME = 'recent';

const recentSchema = z.array(
  z.union([z.object({ connectionId: z.string(), table: tableRefSchema }), z.object({ command: z.string() })]),
);

/** Tables and commands that were opened or run lately. */
export type Recent = { readonly connectionId: string; readonly table: TableRef } | { readonly command: string };

/** The last ones first. */
export function recentOnes(): readonly Recent[] {
  const parsed = recentSchema.safeParse(recall('home', NAME));
  return parsed.success ? parsed.data : [];
}

/** Puts one first. */
export function noteRecent(recent: Recent): void {
  const text = JSON.stringify(recent);
  const others = recentOnes().filter((other) => JSON.stringify(other) !== text);
  remember('home', NAME, [recent, ...others].slice(0, MOST_RECENT) as unknown as Json);
}
