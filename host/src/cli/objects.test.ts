import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fakeObjects } from '../runtime/data/fakeObjects.test-helper.ts';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let words: Map<string, string>;
let folder: string;

beforeEach(async () => {
  machine = await FakeMachine.create();
  folder = mkdtempSync(join(tmpdir(), 'tabularium-objects-'));
  words = new Map([
    ['a', '{"text":"A","n":12345678901234567890}'],
    ['b', '{"text":"\u202eB"}'],
    ['c', '{"text":"C"}'],
  ]);
  machine.database.tables = [{ ref: { namespace: [], name: 'products' }, kind: 'table' }];
  machine.database.objects = fakeObjects(words);
  await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'Shop', '--access-key-env', 'K'], {
    env: { K: 'k' },
  });
});
afterEach(async () => {
  await machine[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const objects = (command: string, ...line: readonly string[]) => machine.run(['objects', command, 'Shop', ...line]);
const save = (input: string, ...line: readonly string[]) => machine.run(['objects', 'save', 'Shop', ...line], { input });

describe('tabularium objects', () => {
  it('lists kinds and objects, all parts of the list', async () => {
    expect(JSON.parse((await objects('kinds', '--json')).out)).toMatchObject({ kinds: [{ kind: 'word', canSave: true }] });
    const { out } = await objects('list', 'word', '--json');
    expect((JSON.parse(out) as { objects: { name: string }[] }).objects.map(({ name }) => name)).toEqual(['a', 'b', 'c']);
    const table = await objects('list', 'word');
    expect(table.out).toContain('Text');
    expect(table.out).not.toContain('\u202e');
  });

  it('prints a document with its digits, and hidden characters so that they are seen', async () => {
    expect((await objects('get', 'word', 'a')).out).toContain('"n": 12345678901234567890');
    expect((await objects('get', 'word', 'b')).out).not.toContain('\u202e');
    const { code, err } = await objects('get', 'word', 'nowhere');
    expect([code, err]).toEqual([1, expect.stringContaining('There is no word “nowhere”.')]);
  });

  it('saves a new object, and one that exists only with --replace', async () => {
    const document = '{"text":"D","n":1.0}';
    const { code, out } = await save(document, 'word', 'd', '-', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(out)).toEqual({
      name: 'd',
      consequence: 'The word “d” is written.',
      requests: [{ method: 'PUT', path: '/d', body: document }],
      done: true,
    });
    expect(words.get('d')).toBe(document);
    const again = await save('{"text":"E"}', 'word', 'd', '-');
    expect([again.code, words.get('d')]).toEqual([1, document]);
    expect(again.err).toContain('There is a word “d” already.');
    expect((await save('{"text":"E"}', 'word', 'd', '-', '--replace')).code).toBe(0);
    expect(words.get('d')).toBe('{"text":"E"}');
    // One that is not there is added with it, too.
    expect((await save('{"text":"F"}', 'word', 'f', '-', '--replace')).code).toBe(0);
  });

  it('takes a document with a byte order mark, from a file and from standard input', async () => {
    const file = join(folder, 'word.json');
    writeFileSync(file, '\uFEFF{"text":"G"}');
    expect((await objects('save', 'word', 'g', file)).code).toBe(0);
    expect((await save('\uFEFF{"text":"H"}', 'word', 'h', '-')).code).toBe(0);
    expect([words.get('g'), words.get('h')]).toEqual(['{"text":"G"}', '{"text":"H"}']);
  });

  it('reads a device that does not end no further than an object may be long', async () => {
    const { code, err } = await objects('save', 'word', 'z', '/dev/zero');
    expect([code, err]).toEqual([1, expect.stringContaining('/dev/zero is too large')]);
    expect(words.has('z')).toBe(false);
  });

  it('does not wait for a named pipe', async () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await objects('save', 'word', 'z', pipe)).toMatchObject({
      code: 1,
      err: expect.stringContaining('named pipe') as string,
    });
  });

  it('imports from standard input', async () => {
    const input = '{"kind":"word","objects":[{"name":"n","document":{"text":"N"}}]}';
    expect((await machine.run(['objects', 'import', 'Shop', 'word', '-'], { input })).code).toBe(0);
    expect(words.get('n')).toBe('{"text":"N"}');
  });

  it('takes no empty path, as a variable that is not set leaves it', async () => {
    for (const line of [
      ['save', 'word', 'z', ''],
      ['import', 'word', ''],
      ['export', 'word', '--output', ''],
    ]) {
      const [command = '', ...rest] = line;
      expect(await objects(command, ...rest)).toMatchObject({
        code: 2,
        err: expect.stringContaining('is empty. Name one') as string,
      });
    }
  });

  it('prints a line end in a name as a mark, so that a name writes no line of its own', async () => {
    const { out } = await save('{"text":"x"}', 'word', 'a\nThe word “b” is removed.', '-');
    expect(out).toContain('⏎');
    expect(out.split('\n')).not.toContainEqual(expect.stringMatching(/^The word “b” is removed/));
  });

  it('counts an object that only looks otherwise in the file as the same', async () => {
    const file = join(folder, 'laid-out.json');
    writeFileSync(file, '{"kind":"word","objects":[{"name":"a","document":{ "n":12345678901234567890,\n "text" : "A" }}]}');
    expect(JSON.parse((await objects('import', 'word', file, '--json')).out)).toMatchObject({ same: ['a'], changed: [] });
    writeFileSync(file, '{"kind":"word","objects":[{"name":"a","document":{"n":12345678901234567891,"text":"A"}}]}');
    expect(JSON.parse((await objects('import', 'word', file, '--json')).out)).toMatchObject({ same: [], changed: ['a'] });
  });

  it('sends nothing with --dry-run', async () => {
    const { code, out } = await save('{"text":"D"}', 'word', 'd', '-', '--dry-run');
    expect([code, words.has('d')]).toEqual([0, false]);
    expect(out).toContain('PUT /d');
    expect(out).toContain('Nothing was sent.');
    expect((await objects('remove', 'word', 'a', '--dry-run')).out).toContain('DELETE /a');
    expect(words.has('a')).toBe(true);
  });

  it('removes only with --yes, or when a person agrees', async () => {
    const refused = await objects('remove', 'word', 'a');
    expect([refused.code, words.has('a')]).toEqual([2, true]);
    expect(refused.err).toContain('--yes');
    const no = await machine.run(['objects', 'remove', 'Shop', 'word', 'a'], { isTerminal: true, input: 'n\n' });
    expect([no.code, words.has('a')]).toEqual([2, true]);
    expect(no.err).toContain('The word “a” is removed. Remove it?');
    expect((await objects('remove', 'word', 'a', '--yes')).code).toBe(0);
    expect(words.has('a')).toBe(false);
    expect((await objects('remove', 'word', 'a', '--yes')).code).toBe(1);
  });

  it('names the kinds where one is wrong', async () => {
    const { code, err } = await objects('list', 'rule');
    expect([code, err]).toEqual([2, expect.stringContaining('The kinds are: word.')]);
    delete machine.database.objects;
    expect((await objects('list', 'word')).err).toContain('This connection has no named objects.');
  });

  it('writes all objects to a file and takes them from it', async () => {
    const file = join(folder, 'words.json');
    expect((await objects('export', 'word', '--output', file, '--json')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('12345678901234567890');
    expect((await objects('export', 'word', '--output', file)).err).toContain('exists already');
    expect((await objects('export', 'word', '--output', '-')).out).toBe(readFileSync(file, 'utf8'));
    words.delete('a');
    words.set('b', '{"text":"other"}');
    const planned = await objects('import', 'word', file, '--dry-run', '--json');
    expect(JSON.parse(planned.out)).toEqual({ added: ['a'], changed: ['b'], same: ['c'], failed: [], done: false });
    expect(words.has('a')).toBe(false);
    expect(JSON.parse((await objects('import', 'word', file, '--json')).out)).toMatchObject({ added: ['a'], done: true });
    expect(words.get('a')).toContain('12345678901234567890');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    writeFileSync(file, '{"kind":"word","objects":[{"name":"x","document":{}},{"name":"y","document":{"text":"Y"}}]}');
    const { code, err } = await objects('import', 'word', file);
    expect([code, words.has('y')]).toEqual([1, true]);
    expect(err).toContain('x: A word needs a text.');
  });
});
