import { once } from 'node:events';
import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { OperationRun } from '../../common/operations.ts';
import { readOnlyWall } from '../data/readOnlyWall.ts';
import { requireWritable } from '../connections/readOnlyMode.ts';
import { silentLogger } from '../storage/logger.ts';
import { FakeWork, never } from '../work.test-helper.ts';
import { fakeOperations } from './fakeOperations.test-helper.ts';
import type { FakeBoxes } from './fakeOperations.test-helper.ts';
import { OperationJournal } from './operationJournal.ts';
import { OperationRuns } from './operationRuns.ts';
import { Operations } from './operations.ts';

let work: FakeWork;
let world: FakeBoxes;
let changed: string[];
let hosts: OperationRuns[];

beforeEach(() => {
  work = new FakeWork();
  world = { boxes: new Map([['tools', ['saw', 'axe', 'file', 'bad', 'nail']]]), pause: () => Promise.resolve() };
  work.session.operations = fakeOperations(world);
  changed = [];
  hosts = [];
});
afterEach(async () => {
  for (const host of hosts) await host[Symbol.asyncDispose]();
  await work[Symbol.asyncDispose]();
});

const operations = () => new Operations(work.sessions);
/** A host that has just started on this home. */
function newHost(): OperationRuns {
  const journal = new OperationJournal(work.database.connection, silentLogger);
  const runs = new OperationRuns(operations(), work.sessions, journal, silentLogger, (id) => changed.push(id));
  runs.restore();
  hosts.push(runs);
  return runs;
}

const tools = { on: 'table', table: { namespace: [], name: 'tools' } } as const;
const copy = { place: tools, operation: 'copy', input: '{"name":"copy"}' } as const;
const empty = { place: tools, operation: 'empty', input: '{}' } as const;

async function begin(
  runs: OperationRuns,
  call: typeof copy | typeof empty,
  more: { readonly basis?: string; readonly typedName?: string } = {},
): Promise<OperationRun> {
  const { connectionId } = work;
  const { basis } = await operations().plan({ connectionId, call }, never);
  return runs.start({ connectionId, call, basis, typedName: '', ...more }, never);
}

async function ended(runs: OperationRuns, id: string): Promise<OperationRun> {
  let last: OperationRun | undefined;
  for await (const run of runs.follow(id, never)) last = run;
  if (last === undefined) throw new Error('There is no such run.');
  return last;
}

/** Holds a run behind its checkpoints from this one on, until it is cancelled. */
function holdAt(checkpoint: number): { readonly reached: Promise<void> } {
  const reached = Promise.withResolvers<void>();
  world.pause = async (done, signal) => {
    if (done < checkpoint) return;
    reached.resolve();
    await once(signal, 'abort');
    throw new DriverError('CANCELLED');
  };
  return { reached: reached.promise };
}

function makeReadOnly(): void {
  const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...connection } = work.connections.get(work.connectionId);
  work.connections.update(work.connectionId, { ...connection, access: { ...connection.access, readOnly: true } });
}

describe('runs of operations', () => {
  it('report progress, rejected rows and the result with what takes it back, and windows that show tables are notified', async () => {
    const runs = newHost();
    const { id } = await begin(runs, copy);
    const run = await ended(runs, id);
    expect(run).toMatchObject({
      ...{ state: 'done', rejected: 1, canResume: false, steps: [{ title: 'Make' }, { title: 'Copy' }] },
      rejections: [{ row: 'bad', message: 'It does not fit.' }],
      result: { message: 'Made “copy”.', undo: { label: 'Empty copy' } },
    });
    expect(world.boxes.get('copy')).toEqual(['saw', 'axe', 'file', 'nail']);
    expect(changed).toEqual([work.connectionId]);
    expect(runs.undoOf(id)).toEqual({
      place: { on: 'table', table: { namespace: [], name: 'copy' } },
      operation: 'empty',
      input: '{}',
    });
    // The next host still has the result and its undo.
    expect(newHost().undoOf(id)).toEqual(runs.undoOf(id));
  });

  it('are not started for what was not confirmed, or without the typed name', async () => {
    const runs = newHost();
    await expect(begin(runs, empty)).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    await expect(begin(runs, empty, { typedName: 'tool' })).rejects.toMatchObject({ code: 'APPROVAL_REQUIRED' });
    await expect(begin(runs, copy, { basis: '{}' })).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(runs.list()).toEqual([]);
    expect(world.boxes.get('tools')).toHaveLength(5);
    const { id } = await begin(runs, empty, { typedName: 'tools' });
    expect(await ended(runs, id)).toMatchObject({ state: 'done', result: { affectedRows: 5 } });
  });

  it('are cancelled where they are, and continue from there', async () => {
    const runs = newHost();
    const { reached } = holdAt(2);
    const { id } = await begin(runs, copy);
    await reached;
    // Nothing invites to begin a second one.
    await expect(runs.resume(id, never)).rejects.toThrow('runs already');
    expect(await runs.cancel(id)).toMatchObject({ state: 'cancelled', canResume: true });
    expect(world.boxes.get('copy')).toEqual(['saw', 'axe']);
    world.pause = () => Promise.resolve();
    await runs.resume(id, never);
    expect(await ended(runs, id)).toMatchObject({ state: 'done', rejected: 1 });
    expect(world.boxes.get('copy')).toEqual(['saw', 'axe', 'file', 'nail']);
    await expect(runs.resume(id, never)).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
  });

  it.each([1, 2, 3, 4, 5])('that a host did not end are resumed by the next one behind checkpoint %i', async (checkpoint) => {
    const { reached } = holdAt(checkpoint);
    const { id } = await begin(newHost(), copy);
    await reached;
    // The first host is killed here: it records nothing more.
    const next = newHost();
    expect(next.list()).toMatchObject([{ id, state: 'interrupted', canResume: true }]);
    world.pause = () => Promise.resolve();
    await next.resume(id, never);
    expect(await ended(next, id)).toMatchObject({ state: 'done', rejected: 1 });
    expect(world.boxes.get('copy')).toEqual(['saw', 'axe', 'file', 'nail']);
  });

  it('are resumed once when two windows ask at the same time', async () => {
    const runs = newHost();
    const { reached } = holdAt(2);
    const { id } = await begin(runs, copy);
    await reached;
    await runs.cancel(id);
    world.pause = () => Promise.resolve();
    const asked = await Promise.allSettled([runs.resume(id, never), runs.resume(id, never)]);
    expect(asked.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(asked[1]).toMatchObject({ reason: { code: 'INVALID_REQUEST', message: 'This operation is being resumed already.' } });
    expect(await ended(runs, id)).toMatchObject({ state: 'done', rejected: 1 });
    expect(world.boxes.get('copy')).toEqual(['saw', 'axe', 'file', 'nail']);
  });

  it('that are being resumed stay on the list, and stay cancelled when they are cancelled meanwhile', async () => {
    const runs = newHost();
    const { reached } = holdAt(2);
    const { id } = await begin(runs, copy);
    await reached;
    await runs.cancel(id);
    world.pause = () => Promise.resolve();
    const resumed = runs.resume(id, never);
    expect(() => runs.leave(id)).toThrow('is being resumed');
    const cancelled = runs.cancel(id);
    await expect(resumed).rejects.toMatchObject({ code: 'CANCELLED' });
    expect(await cancelled).toMatchObject({ state: 'cancelled', canResume: true });
    expect(world.boxes.get('copy')).toEqual(['saw', 'axe']);
    await runs.resume(id, never);
    expect(await ended(runs, id)).toMatchObject({ state: 'done', rejected: 1 });
  });

  it('are not started, and not resumed, on another server than that of the plan', async () => {
    const runs = newHost();
    const { connectionId } = work;
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...connection } = work.connections.get(connectionId);
    const lead = (host: string) => work.connections.update(connectionId, { ...connection, settings: { host } });
    lead('staging');
    const { basis } = await operations().plan({ connectionId, call: empty }, never);
    lead('production');
    const refused = {
      code: 'CONFLICT',
      message: expect.stringContaining('“One”') as string,
      details: { advice: expect.stringContaining('Look at the plan again') as string },
    };
    await expect(runs.start({ connectionId, call: empty, basis, typedName: 'tools' }, never)).rejects.toMatchObject(refused);
    expect(world.boxes.get('tools')).toHaveLength(5);
    lead('staging');
    const { reached } = holdAt(2);
    const { id } = await begin(runs, copy);
    await reached;
    await runs.cancel(id);
    world.pause = () => Promise.resolve();
    lead('production');
    const resumed = { ...refused, details: { advice: expect.stringContaining('change the connection back') as string } };
    await expect(newHost().resume(id, never)).rejects.toMatchObject(resumed);
    await expect(runs.resume(id, never)).rejects.toMatchObject(resumed);
    expect(world.boxes.get('copy')).toEqual(['saw', 'axe']);
    lead('staging');
    await runs.resume(id, never);
    expect(await ended(runs, id)).toMatchObject({ state: 'done', rejected: 1 });
  });

  it('that can never continue are not offered to be resumed, also by the next host', async () => {
    const runs = newHost();
    const { reached } = holdAt(2);
    const { id } = await begin(runs, copy);
    await reached;
    await runs.cancel(id);
    expect(runs.list()[0]).toMatchObject({ canResume: true });
    world.pause = async () => {
      throw new DriverError('CONFLICT', 'It is another one.', { details: { cannotResume: true } });
    };
    await runs.resume(id, never);
    expect(await ended(runs, id)).toMatchObject({ state: 'failed', canResume: false });
    expect(newHost().list()).toMatchObject([{ id, state: 'failed', canResume: false }]);
  });

  it('that the host stops are interrupted, and can be left', async () => {
    const { reached } = holdAt(1);
    const runs = newHost();
    const { id } = await begin(runs, copy);
    expect(() => runs.leave(id)).toThrow('Cancel it first');
    await reached;
    await runs[Symbol.asyncDispose]();
    const next = newHost();
    expect(next.list()).toMatchObject([{ state: 'interrupted', canResume: true }]);
    next.leave(id);
    expect(next.list()).toEqual([]);
    expect(newHost().list()).toEqual([]);
    expect(world.boxes.get('copy')).toEqual(['saw']);
  });

  it('are not started, and not resumed, in read-only mode; the wall around the session holds as well', async () => {
    const runs = newHost();
    const { reached } = holdAt(1);
    const { id } = await begin(runs, copy);
    await reached;
    await runs.cancel(id);
    makeReadOnly();
    await expect(runs.resume(id, never)).rejects.toMatchObject({ code: 'CONNECTION_READ_ONLY' });
    await expect(begin(runs, copy)).rejects.toMatchObject({ code: 'CONNECTION_READ_ONLY' });
    const { connectionId } = work;
    const listed = await operations().list({ connectionId, place: tools }, never);
    expect(listed.map(({ ability }) => ability.allowed)).toEqual([false, false]);
    const session = readOnlyWall({ operations: fakeOperations(world) } as never, (effect) =>
      requireWritable(work.connections.get(connectionId), effect),
    ) as { operations: ReturnType<typeof fakeOperations> };
    const events = session.operations.run(empty, { basis: '{"empty":"tools"}', signal: never });
    await expect(Array.fromAsync(events)).rejects.toMatchObject({ code: 'CONNECTION_READ_ONLY' });
    expect(world.boxes.get('tools')).toHaveLength(5);
  });

  it('of a connection that is removed are forgotten', async () => {
    const runs = newHost();
    const { id } = await begin(runs, copy);
    await ended(runs, id);
    work.connections.remove(work.connectionId);
    expect(newHost().list()).toEqual([]);
  });

  it('of table operations are in the same menu and run the same way', async () => {
    const ran: string[] = [];
    work.session.tableOperations = {
      list: async () => [
        { id: 'burn', label: 'Burn', effect: 'destructive', ability: { allowed: true } },
        { id: 'empty', label: 'Old empty', effect: 'destructive', ability: { allowed: true } },
      ],
      plan: async (target) => ({ consequence: 'All of it burns.', target, text: `burn ${target.name}` }),
      run: async (table, operation) => {
        ran.push(`${operation} ${table.name}`);
        return { message: 'Burnt.', affectedRows: 3 };
      },
    };
    const { connectionId } = work;
    const listed = await operations().list({ connectionId, place: tools }, never);
    expect(listed.map(({ label }) => label)).toEqual(['Copy', 'Empty', 'Burn']);
    const call = { place: tools, operation: 'burn', input: '{}' };
    const { basis, confirm } = await operations().plan({ connectionId, call }, never);
    expect(confirm).toBe('tools');
    const runs = newHost();
    const { id } = await runs.start({ connectionId, call, basis, typedName: 'tools' }, never);
    expect(await ended(runs, id)).toMatchObject({ state: 'done', result: { message: 'Burnt.', affectedRows: 3 } });
    expect(ran).toEqual(['burn tools']);
  });
});
