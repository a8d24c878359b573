import { beforeEach, expect, it } from 'vitest';
import type { ActivityFacet, EndRequest } from '@tabularium/sdk';
import { Activities } from './activities.ts';

const signal = new AbortController().signal;
let ended: EndRequest[];
let readOnly: boolean;
let facet: ActivityFacet | undefined;
let activities: Activities;

beforeEach(() => {
  ended = [];
  readOnly = false;
  facet = {
    list: async () => ({
      entries: [
        {
          id: '1-1',
          kind: 'session',
          state: 'running',
          own: true,
          ways: ['cancel', 'terminate'],
          texts: { reason: { id: 'a' } },
        },
      ],
      notes: [],
    }),
    end: async (request) => {
      ended.push(request);
      return { outcome: 'ended' };
    },
  };
  const sessions = {
    use: (_id: string, work: (open: unknown) => Promise<unknown>) =>
      work({ session: { activity: facet }, connection: { name: 'Shop', access: { readOnly } }, manifest: { title: 'Sample' } }),
  };
  activities = new Activities(sessions as unknown as ConstructorParameters<typeof Activities>[0]);
});

it('passes an end on as it was asked for', async () => {
  expect(await activities.list('a', signal)).toMatchObject({
    list: { entries: [{ ways: ['cancel', 'terminate'] }] },
    hasStatistics: false,
  });
  const request = { id: '1-1', way: 'cancel', statement: '9' } as const;
  expect(await activities.end('a', request, signal)).toEqual({ outcome: 'ended' });
  expect(ended).toEqual([request]);
});

it('offers and ends nothing in read-only mode, and says so', async () => {
  readOnly = true;
  const { list, readOnly: reason } = await activities.list('a', signal);
  expect(list.entries).toEqual([
    { id: '1-1', kind: 'session', state: 'running', own: true, ways: [], reason: expect.stringContaining('Shop') as string },
  ]);
  expect(reason?.sentence?.id).toBe('connectionReadOnly');
  for (const way of ['cancel', 'terminate'] as const)
    await expect(activities.end('a', { id: '1-1', way }, signal)).rejects.toMatchObject({ code: 'CONNECTION_READ_ONLY' });
  expect(ended).toEqual([]);
});

it('says what the driver or the database lacks', async () => {
  await expect(activities.slow('a', signal)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  facet = undefined;
  await expect(activities.list('a', signal)).rejects.toMatchObject({
    code: 'UNSUPPORTED',
    message: expect.stringContaining('Sample') as string,
  });
});
