import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeOperations } from '../runtime/operations/fakeOperations.test-helper.ts';
import type { FakeBoxes } from '../runtime/operations/fakeOperations.test-helper.ts';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let world: FakeBoxes;

beforeEach(async () => {
  machine = await FakeMachine.create();
  world = { boxes: new Map([['tools', ['saw', 'bad', 'file']]]), pause: () => Promise.resolve() };
  machine.database.tables = [{ ref: { namespace: [], name: 'tools' }, kind: 'table' }];
  machine.database.operations = fakeOperations(world);
  await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'Shop', '--access-key-env', 'K'], {
    env: { K: 'k' },
  });
});
afterEach(() => machine[Symbol.asyncDispose]());

const operations = (command: string, ...line: readonly string[]) => machine.run(['operations', command, ...line]);

describe('tabularium operations', () => {
  it('lists the operations of the server and of a table', async () => {
    expect(JSON.parse((await operations('list', 'Shop', '--json')).out)).toMatchObject({
      operations: [{ operation: 'make', allowed: true, effect: 'write' }],
    });
    expect((await operations('list', 'Shop', '--table', 'tools')).out).toContain('destructive');
    const both = await operations('list', 'Shop', '--table', 'tools', '--namespace', 'a');
    expect([both.code, both.err]).toEqual([2, expect.stringContaining('not both')]);
  });

  it('plans without sending, and refuses an operation that is not there', async () => {
    const { code, out } = await operations('plan', 'Shop', 'make', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([0, { effect: 'write', steps: [{ title: 'Make', statements: ['make new'] }] }]);
    expect(world.boxes.has('new')).toBe(false);
    const unknown = await operations('plan', 'Shop', 'burn');
    expect([unknown.code, unknown.err]).toEqual([2, expect.stringContaining('The operations are: make.')]);
  });

  it('runs with the input of a file or of standard input', async () => {
    const { code, out } = await machine.run(['operations', 'run', 'Shop', 'make', '-', '--json'], { input: '{"name":"nails"}' });
    expect([code, JSON.parse(out)]).toMatchObject([0, { state: 'done', message: 'Made “nails”.', undo: 'Empty nails' }]);
    expect(world.boxes.has('nails')).toBe(true);
  });

  it('runs a destructive operation only with --yes and the name', async () => {
    const line = ['Shop', 'empty', '--table', 'tools'];
    for (const lacking of [[], ['--yes'], ['--confirm', 'tools']]) {
      const { code, err } = await operations('run', ...line, ...lacking);
      expect([code, err]).toEqual([2, expect.stringContaining('--yes --confirm tools')]);
    }
    const wrong = await operations('run', ...line, '--yes', '--confirm', 'tool');
    expect([wrong.code, wrong.err]).toEqual([1, expect.stringContaining("the typed name isn't")]);
    expect(world.boxes.get('tools')).toHaveLength(3);
    expect((await operations('run', ...line, '--yes', '--confirm', 'tools')).code).toBe(0);
    expect(world.boxes.get('tools')).toHaveLength(0);
  });

  it('names rejected rows', async () => {
    const { err } = await operations('run', 'Shop', 'copy', '--table', 'tools');
    expect(err).toContain('Failed: bad: It does not fit.');
    expect(world.boxes.get('new')).toEqual(['saw', 'file']);
  });

  it('finds an interrupted run again, resumes it and takes it back', async () => {
    const stop = new AbortController();
    world.pause = async (_done, signal) => {
      stop.abort();
      await once(signal, 'abort');
      signal.throwIfAborted();
    };
    const cut = await machine.run(['operations', 'run', 'Shop', 'copy', '--table', 'tools'], { signal: stop.signal });
    expect(cut.code).not.toBe(0);
    expect(world.boxes.get('new')).toEqual(['saw']);
    world.pause = () => Promise.resolve();
    const { runs } = JSON.parse((await operations('runs', '--json')).out) as { runs: { run: string; canResume: boolean }[] };
    expect(runs).toMatchObject([{ operation: 'copy', table: 'tools', canResume: true }]);
    // Advice has no prefix.
    expect(cut.err).not.toContain('Warning:');
    expect((await operations('runs')).out).toMatch(/Table .*\n.*tools/);
    const id = runs[0]?.run ?? '';
    expect(JSON.parse((await operations('resume', id, '--json')).out)).toMatchObject({ state: 'done' });
    expect(world.boxes.get('new')).toEqual(['saw', 'file']);
    expect((await operations('undo', id, '--yes', '--confirm', 'new')).code).toBe(0);
    expect(world.boxes.get('new')).toEqual([]);
    expect((await operations('leave', id)).out).toContain(`Left ${id}.`);
  });
});
