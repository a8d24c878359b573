import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { EndRequest, RunningEntry } from '@tabularium/sdk';
import { FakeMachine } from './cli.test-helper.ts';

const ENTRIES: readonly RunningEntry[] = [
  {
    ...{ id: '4711-1', number: '4711', kind: 'session', state: 'waiting', user: 'ada', application: 'psql', own: false },
    statement: { id: '900', text: 'UPDATE stock\n SET n = \u202e0', isCut: false },
    milliseconds: 61_000,
    lockWait: { lock: 'relation stock', blockedBy: ['4690-1'], others: [] },
    ways: ['cancel', 'terminate'],
  },
  { ...{ id: '4690-1', number: '4690', kind: 'session', state: 'idle', user: 'ben', own: false }, ways: ['terminate'] },
  { ...{ id: '4600-1', number: '4600', kind: 'session', state: 'idle', user: 'cleo', own: false }, ways: ['terminate'] },
];

let machine: FakeMachine;
let asked: EndRequest[];
let entries: readonly RunningEntry[];

beforeEach(async () => {
  machine = await FakeMachine.create();
  asked = [];
  entries = ENTRIES;
  machine.database.activity = {
    list: async () => ({ entries, notes: ['ada sees \u202ea part.'] }),
    end: async (request) => {
      asked.push(request);
      return { outcome: entries.some(({ id }) => id === request.id) ? 'ended' : 'gone' };
    },
    slow: async () => ({ available: false, reason: 'The extension is missing.' }),
  };
  await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'Shop', '--access-key-env', 'K'], {
    env: { K: 'k' },
  });
});
afterEach(() => machine[Symbol.asyncDispose]());

describe('tabularium activity', () => {
  it('lists what runs and holds others up, and idle ones when asked', async () => {
    const { out, err } = await machine.run(['activity', 'Shop']);
    expect(out).toMatch(/4711-1 +waiting +ada +psql +61 s +4690 +UPDATE stock SET n =/);
    expect(out).toContain('4690-1');
    expect(out).not.toContain('4600-1');
    expect(`${out}${err}`).not.toContain('\u202e');
    expect(err).toContain('1 idle session not listed');
    expect((await machine.run(['activity', 'list', 'Shop', '--all'])).out).toContain('4600-1');
    expect(JSON.parse((await machine.run(['activity', 'Shop', '--json'])).out)).toMatchObject({
      entries: [{ id: '4711-1', statementId: '900', lock: 'relation stock', blockedBy: ['4690-1'] }, { id: '4690-1' }],
      idle: 1,
    });
  });

  it('ends the entry that was shown after a yes, with the identity of its statement', async () => {
    const end = (...words: readonly string[]) => ['activity', 'end', 'Shop', '4711-1', ...words];
    const no = await machine.run(end('--way', 'cancel'), { isTerminal: true, input: 'n\n' });
    expect([no.code, asked]).toEqual([2, []]);
    expect(no.err).toContain('SET n =');
    expect(no.err).toContain('Cancel the statement of 4711 (ada, psql)?');
    expect(no.err).not.toContain('\u202e');
    const yes = await machine.run(end('--way', 'cancel'), { isTerminal: true, input: 'y\n' });
    expect([yes.code, yes.out]).toEqual([0, 'Ended.\n']);
    expect((await machine.run(end('--way', 'terminate', '--yes', '--json'))).out).toBe(
      '{"id":"4711-1","way":"terminate","outcome":"ended"}\n',
    );
    await machine.run(end('--way', 'cancel', '--statement', '7', '--yes'));
    expect(asked).toEqual([
      { id: '4711-1', way: 'cancel', statement: '900' },
      { id: '4711-1', way: 'terminate' },
      { id: '4711-1', way: 'cancel', statement: '7' },
    ]);
  });

  it('needs a way, and a yes where there is no terminal; what is gone fails', async () => {
    expect((await machine.run(['activity', 'end', 'Shop', '4711-1', '--yes'])).code).toBe(2);
    const silent = await machine.run(['activity', 'end', 'Shop', '4711-1', '--way', 'terminate']);
    expect([silent.code, silent.err]).toEqual([2, expect.stringContaining('Add --yes')]);
    expect(asked).toEqual([]);
    const gone = await machine.run(['activity', 'end', 'Shop', '4700-9', '--way', 'terminate', '--yes']);
    expect([gone.code, gone.out]).toEqual([1, 'It had already ended. Nothing was ended.\n']);
  });

  it('says why there are no statistics', async () => {
    expect((await machine.run(['activity', 'slow', 'Shop'])).out).toBe('The extension is missing.\n');
  });
});
