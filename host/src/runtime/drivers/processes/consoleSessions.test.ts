import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ConsoleSession, SessionEvent } from '@tabularium/sdk';
import { driverSource, ProcessBench } from './processes.test-helper.ts';

const signal = new AbortController().signal;

let bench: ProcessBench;
beforeAll(async () => {
  bench = await ProcessBench.open();
});
afterAll(() => bench.close());

/** A session counts its statements; `slow` waits to be cancelled, and `large` answers with more than an event may be. */
const SOURCE = driverSource(
  `
  console: {
    split(text) { return [{ text, start: 0, end: text.length }]; },
    async classify() { return { effect: 'read', tables: [], summary: 'Reads' }; },
    async *run(statement) {
      if (statement === 'closed') yield { type: 'text', mediaType: 'text/plain', text: String(globalThis.closedSessions ?? 0) };
      if (statement === 'large') {
        yield { type: 'rowsBegin', columns: [{ name: 'a', kind: 'text' }] };
        yield { type: 'rows', rows: [['x'.repeat(17 * 1024 * 1024)]] };
      }
      yield { type: 'done', truncated: false, milliseconds: 1 };
    },
    async places() { return [{ namespace: ['sales'], statement: 'move sales' }]; },
    async complete(text, offset, { namespace }) { return { from: offset, items: [{ label: String(namespace), insert: '', kind: 'value' }] }; },
    async openSession({ signal }) {
      if (globalThis.opensSlowly) await new Promise((resolve) => signal.addEventListener('abort', resolve));
      let count = 0;
      let transaction = 'none';
      return {
        get context() {
          if (transaction === 'lost') throw refused('CONNECTION_LOST', 'The server has ended it.');
          return { transaction, role: 'tester' };
        },
        async classify(statement) { return { effect: 'write', tables: [], summary: statement + ' ' + count }; },
        async *run(statement, { signal, parameters = [] }) {
          count += 1;
          if (statement === 'slow') {
            globalThis.opensSlowly = true;
            yield { type: 'notice', severity: 'warning', message: 'begun' };
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
            throw new Error('aborted');
          }
          if (statement === 'long') {
            transaction = 'open';
            yield { type: 'notice', severity: 'warning', message: 'begun' };
            await new Promise((resolve) => signal.addEventListener('abort', resolve));
            await new Promise((resolve) => setTimeout(resolve, 400));
            transaction = 'failed';
            yield { type: 'context', context: this.context };
            return;
          }
          if (statement === 'lose') {
            transaction = 'lost';
            throw refused('INVALID_INPUT', 'The last words of the server.');
          }
          yield { type: 'text', mediaType: 'text/plain', text: [count, ...parameters].join() };
          yield { type: 'done', truncated: false, milliseconds: 1 };
          yield { type: 'context', context: { transaction: 'open' } };
        },
        async parameters(statement) { return [{ name: '$1', type: statement, kind: 'text' }]; },
        async endTransaction(way) {
          if (way === 'commit' && transaction === 'failed') {
            transaction = 'none';
            throw refused('SERVER_ERROR', 'A deferred constraint failed.');
          }
          return { transaction: 'none', role: way };
        },
        async close() { globalThis.closedSessions = (globalThis.closedSessions ?? 0) + 1; },
      };
    },
  },`,
  `const refused = (code, message) => Object.assign(new Error(message), { name: 'DriverError', code, details: {} });`,
);

async function run(own: ConsoleSession, statement: string, parameters?: string[]): Promise<SessionEvent[]> {
  const events: SessionEvent[] = [];
  const options = { maxRows: 5, signal, ...(parameters === undefined ? {} : { parameters }) };
  for await (const event of own.run(statement, options)) events.push(event);
  return events;
}

it('a console names its places, and completes for the namespace of a session', async () => {
  const processes = await bench.processes();
  const session = await processes.connect({ driver: await bench.driver(SOURCE), settings: { host: 'h' }, files: {}, signal });
  expect(await session.console?.places?.({ signal })).toEqual([{ namespace: ['sales'], statement: 'move sales' }]);
  const labels = async (options: object): Promise<unknown> =>
    (await session.console?.complete?.('', 0, { signal, ...options }))?.items.map(({ label }) => label);
  expect(await labels({})).toEqual(['undefined']);
  expect(await labels({ namespace: ['sales', 'public'] })).toEqual(['sales,public']);
});

it('sessions of a console live in the driver’s process, each for itself, until they are closed', async () => {
  const processes = await bench.processes();
  const session = await processes.connect({ driver: await bench.driver(SOURCE), settings: { host: 'h' }, files: {}, signal });
  const open = async (own = signal): Promise<ConsoleSession> => {
    const opened = await session.console?.openSession?.({ signal: own });
    if (opened === undefined) throw new Error('There are no sessions.');
    return opened;
  };
  const closed = async () => (await Array.fromAsync(session.console?.run('closed', { maxRows: 1, signal }) ?? []))[0];
  const [first, second] = [await open(), await open()];
  expect(first.context).toEqual({ transaction: 'none', role: 'tester' });
  await run(first, 'a');
  expect(await run(first, 'a', ['x', 'y'])).toEqual([
    { type: 'text', mediaType: 'text/plain', text: '2,x,y' },
    { type: 'done', truncated: false, milliseconds: 1 },
    { type: 'context', context: { transaction: 'open' } },
  ]);
  expect((await run(second, 'a'))[0]).toMatchObject({ text: '1' });
  expect(await first.classify('b', { signal })).toMatchObject({ effect: 'write', summary: 'b 2' });
  expect(await first.parameters?.('int', { signal })).toEqual([{ name: '$1', type: 'int', kind: 'text' }]);
  expect(await first.endTransaction('commit', { signal })).toEqual({ transaction: 'none', role: 'commit' });
  await first.close();
  await first.close();
  expect(await closed()).toMatchObject({ text: '1' });
  await expect(run(first, 'a')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  // A statement that is cancelled ends, and the session stays.
  const stopping = new AbortController();
  const slow = (async () => {
    for await (const event of second.run('slow', { maxRows: 1, signal: stopping.signal })) {
      expect(event).toMatchObject({ type: 'notice', severity: 'warning' });
      stopping.abort();
    }
  })();
  await expect(slow).rejects.toMatchObject({ code: 'CANCELLED' });
  expect((await run(second, 'a'))[0]).toMatchObject({ text: '3' });
  // One whose opening is given up is closed there.
  const leaving = new AbortController();
  const opening = open(leaving.signal);
  setTimeout(() => leaving.abort(), 50);
  await expect(opening).rejects.toMatchObject({ code: 'CANCELLED' });
  await expect.poll(closed).toMatchObject({ text: '2' });
  await session.close();
});

it('a row that is larger than an event may be fails its statement, and the driver keeps running', async () => {
  const processes = await bench.processes();
  const session = await processes.connect({ driver: await bench.driver(SOURCE), settings: { host: 'h' }, files: {}, signal });
  const large = Array.fromAsync(session.console?.run('large', { maxRows: 1, signal }) ?? []);
  await expect(large).rejects.toMatchObject({ code: 'TOO_LARGE', message: /17 MB/ });
  expect(await session.console?.split('a')).toHaveLength(1);
  await session.close();
});

it('a statement that was stopped or left holds its session until it has ended, and the session says how it was left', async () => {
  // Shorter than the statement takes to end: the other sessions of the process don't die with it.
  const processes = await bench.processes({ limits: { cancelGrace: 100, sessionCancelGrace: 10_000 } });
  const session = await processes.connect({ driver: await bench.driver(SOURCE), settings: { host: 'h' }, files: {}, signal });
  const open = async (): Promise<ConsoleSession> => {
    const opened = await session.console?.openSession?.({ signal });
    if (opened === undefined) throw new Error('There are no sessions.');
    return opened;
  };
  const [own, other] = [await open(), await open()];
  const stopping = new AbortController();
  const long = (async () => {
    for await (const event of own.run('long', { maxRows: 1, signal: stopping.signal })) {
      expect(event).toMatchObject({ message: 'begun' });
      await expect(own.classify('b', { signal })).rejects.toMatchObject({ code: 'CONFLICT' });
      stopping.abort();
    }
  })();
  await expect(long).rejects.toMatchObject({ code: 'CANCELLED' });
  expect(own.context).toEqual({ transaction: 'failed', role: 'tester' });
  // The commit that the server refuses leaves no transaction.
  await expect(own.endTransaction('commit', { signal })).rejects.toMatchObject({ code: 'SERVER_ERROR' });
  expect(own.context).toEqual({ transaction: 'none', role: 'tester' });
  // A call right after a stop waits for its end, beside the host's own question for the context.
  const second = new AbortController();
  const again = Array.fromAsync(own.run('long', { maxRows: 1, signal: second.signal }));
  again.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 50));
  second.abort();
  expect(await own.endTransaction('rollBack', { signal })).toMatchObject({ transaction: 'none' });
  await expect(again).rejects.toMatchObject({ code: 'CANCELLED' });
  for await (const event of own.run('long', { maxRows: 1, signal })) if (event.type === 'notice') break;
  expect(own.context.transaction).toBe('failed');
  expect((await run(own, 'a'))[0]).toMatchObject({ text: '4' });
  await expect(run(own, 'lose')).rejects.toMatchObject({ code: 'CONNECTION_LOST' });
  expect((await run(other, 'a'))[0]).toMatchObject({ text: '1' });
  await session.close();
});
