import type { Session, TableDescription, TableRef } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { OpenSession } from '../../data/sessions.ts';
import { searchSchema } from './searchSchema.ts';
import type { ToolContext } from './tool.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** Tables t0, t1 … with a column `mail` each. @param fate - how describing one ends; a table without a fate is described at once */
function searched(count: number, fate: (name: string, signal: AbortSignal) => Promise<never> | undefined) {
  const tables = Array.from({ length: count }, (_, index) => ({ ref: { namespace: ['s'], name: `t${index}` }, kind: 'table' }));
  const session = {
    listTables: async () => tables,
    describeTable: async ({ name }: TableRef, { signal }: { readonly signal: AbortSignal }) =>
      (await fate(name, signal)) ?? ({ columns: [{ name: 'mail', type: 'text' }] } as unknown as TableDescription),
  } as unknown as Session;
  const context = {
    ...{ signal: new AbortController().signal, timeLimit: () => undefined, progress: () => undefined },
    errorText: (text: string) => text.replaceAll('secret', '…'),
    withConnection: (_named: string, _action: object, work: (open: OpenSession) => Promise<unknown>) =>
      work({ session } as OpenSession),
  } as unknown as ToolContext;
  return searchSchema.call({ connection: 'C', term: 'mail', maxMatches: 500, timeoutSeconds: 20 }, context) as Promise<{
    readonly matches: readonly { readonly table: string }[];
    readonly notes?: readonly string[];
  }>;
}

/** Waits as a driver does for a lock that somebody holds on. */
function held(signal: AbortSignal, milliseconds = Infinity): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new DriverError('CANCELLED')));
    if (milliseconds < Infinity)
      setTimeout(() => reject(new DriverError('SERVER_NOT_READY', 'process 7 of secret has locked it')), milliseconds);
  });
}

async function settled<T>(call: Promise<T>, milliseconds: number): Promise<T> {
  const end = vi.advanceTimersByTimeAsync(milliseconds);
  const answer = await call;
  await end;
  return answer;
}

it('finds columns in all tables but those that somebody has locked, and says what those wait for', async () => {
  const locked = new Set(['t0', 't1', 't2', 't3', 't4', 't5', 't6', 't7']);
  const call = searched(60, (name, signal) => (locked.has(name) ? held(signal, 10_000) : undefined));
  const { matches, notes } = await settled(call, 15_000);
  expect(matches.map(({ table }) => table)).toEqual(Array.from({ length: 52 }, (_, index) => `t${index + 8}`));
  expect(notes).toEqual([
    expect.stringMatching(
      /^Columns of these tables could not be looked at: s\.t0 \(process 7 of … has locked it\); .*and 3 more\.$/,
    ),
  ]);
});

it('answers with what it has found when the time is nearly up', async () => {
  const call = searched(40, (name, signal) => (Number(name.slice(1)) % 2 === 0 ? held(signal) : undefined));
  const { matches, notes } = await settled(call, 17_000);
  expect(matches.length).toBeGreaterThanOrEqual(15);
  expect(notes?.join(' ')).toMatch(/The time was up: columns were looked for in \d+ of 40 tables\..*s\.t0 \(the time was up\)/);
});

it('ends where the driver fails, and not at one table', async () => {
  const call = searched(3, () => Promise.reject(new TypeError('a fault')));
  await expect(call).rejects.toThrow('a fault');
});
