import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ImportObjectsEvent } from '../../common/objects.ts';
import { FakeWork, never } from '../work.test-helper.ts';
import { fakeObjects } from './fakeObjects.test-helper.ts';
import { NamedObjects } from './namedObjects.ts';
import { readObjectFile, writeObjectFile } from './objectFile.ts';

const place = { kind: 'word' };

let work: FakeWork;
let words: Map<string, string>;
let changed: string[];
let objects: NamedObjects;

beforeEach(() => {
  work = new FakeWork();
  words = new Map([
    ['a', '{"text":"A"}'],
    ['b', '{"text":"B"}'],
    ['c', '{"text":"C"}'],
  ]);
  work.session.objects = fakeObjects(words);
  changed = [];
  objects = new NamedObjects(work.sessions, (connectionId) => changed.push(connectionId));
});
afterEach(() => work[Symbol.asyncDispose]());

const save = (name: string, document: string, was: string | null) =>
  objects.apply(
    { connectionId: work.connectionId, change: { action: 'save', object: { ...place, name }, document, was } },
    never,
  );

async function imported(content: string, onlyPlan = false): Promise<ImportObjectsEvent[]> {
  const events: ImportObjectsEvent[] = [];
  for await (const event of objects.import({ connectionId: work.connectionId, place, content, onlyPlan }, never))
    events.push(event);
  return events;
}

describe('named objects', () => {
  it('are changed, and what shows tables learns of it, also where the change failed', async () => {
    await save('d', '{"text":"D"}', null);
    expect(words.get('d')).toBe('{"text":"D"}');
    await expect(save('d', '{"text":"E"}', null)).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(changed).toEqual([work.connectionId, work.connectionId]);
    await objects.plan({ connectionId: work.connectionId, change: { action: 'remove', object: { ...place, name: 'd' } } }, never);
    expect(changed.length).toBe(2);
  });

  it('are removed only as they were seen, whatever a driver compares', async () => {
    await save('d', '{"text":"D","n":10000000000000001}', null);
    const remove = (was: string) =>
      objects.apply(
        { connectionId: work.connectionId, change: { action: 'remove', object: { ...place, name: 'd' }, was } },
        never,
      );
    await expect(remove('{"text":"D","n":10000000000000002}')).rejects.toMatchObject({
      code: 'CONFLICT',
      message: expect.stringContaining('“d” was changed meanwhile') as string,
    });
    expect(words.has('d')).toBe(true);
    await remove('{ "n": 10000000000000001, "text": "D" }');
    expect(words.has('d')).toBe(false);
    await expect(remove('{"text":"D"}')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('are not changed in read-only mode, and each kind says why', async () => {
    const { id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...connection } = work.connections.get(work.connectionId);
    work.connections.update(work.connectionId, { ...connection, access: { ...connection.access, readOnly: true } });
    const [kind] = await objects.kinds(work.connectionId, never);
    expect(kind).toMatchObject({ save: { allowed: false }, remove: { allowed: false } });
    await expect(save('d', '{"text":"D"}', null)).rejects.toMatchObject({ code: 'CONNECTION_READ_ONLY' });
    await expect(imported(writeObjectFile('word', [{ name: 'd', document: '{"text":"D"}' }]))).rejects.toMatchObject({
      code: 'CONNECTION_READ_ONLY',
    });
    expect(words.size).toBe(3);
    expect(changed).toEqual([]);
  });

  it('are none for a driver without them', async () => {
    delete work.session.objects;
    expect(await objects.kinds(work.connectionId, never)).toEqual([]);
    await expect(objects.list({ connectionId: work.connectionId, place }, never)).rejects.toMatchObject({ code: 'UNSUPPORTED' });
  });

  it('are exported with all parts of their list', async () => {
    const { objects: count, text } = await objects.export({ connectionId: work.connectionId, place }, never);
    expect(count).toBe(3);
    expect(readObjectFile('word', text)).toEqual([...words].map(([name, document]) => ({ name, document })));
  });

  it('are taken from a file: what is missing is added, what differs is changed, and one that fails leaves the others', async () => {
    const file = writeObjectFile('word', [
      { name: 'a', document: '{"text":"A"}' },
      { name: 'b', document: '{"text":"changed"}' },
      { name: 'wrong', document: '{}' },
      { name: 'new', document: '{"text":"N"}' },
    ]);
    const outcomes = [
      { name: 'a', outcome: 'same' },
      { name: 'b', outcome: 'change' },
      {
        name: 'wrong',
        outcome: 'failed',
        message: 'A word needs a text.',
        report: expect.objectContaining({ code: 'INVALID_INPUT', message: 'A word needs a text.' }) as object,
      },
      { name: 'new', outcome: 'add' },
    ];
    const planned = await imported(file, true);
    expect(planned.at(-1)).toEqual({ type: 'outcomes', outcomes });
    expect(words.get('b')).toBe('{"text":"B"}');
    expect(changed).toEqual([]);
    const events = await imported(file);
    expect(events.slice(0, -1)).toEqual([1, 2, 3, 4].map((done) => ({ type: 'progress', done, of: 4 })));
    expect(events.at(-1)).toEqual({ type: 'outcomes', outcomes });
    expect([...words.keys()]).toEqual(['a', 'b', 'c', 'new']);
    expect(words.get('b')).toBe('{"text":"changed"}');
  });

  it('a file that can’t be read changes nothing', async () => {
    await expect(imported('{"kind":"rule","objects":[]}')).rejects.toMatchObject({ code: 'INVALID_REQUEST' });
    expect(changed).toEqual([]);
  });

  it('a lost connection ends an import at once', async () => {
    let asked = 0;
    const facet = fakeObjects(words);
    work.session.objects = {
      ...facet,
      get: async () => {
        asked += 1;
        throw new DriverError('TIMEOUT', 'The server does not answer.');
      },
    };
    const file = writeObjectFile('word', [
      { name: 'x', document: '{"text":"X"}' },
      { name: 'y', document: '{"text":"Y"}' },
    ]);
    await expect(imported(file)).rejects.toMatchObject({ code: 'TIMEOUT' });
    expect(asked).toBe(1);
  });
});
