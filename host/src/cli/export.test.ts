import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportFacet, ExportRequest } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FakeMachine } from './cli.test-helper.ts';

let machine: FakeMachine;
let folder: string;
const asked: ExportRequest[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-cli-export-'));
  machine = await FakeMachine.create();
  asked.length = 0;
  machine.database.tables = [{ ref: { namespace: ['attic'], name: 'hats' }, kind: 'table' }];
  machine.database.export = {
    splice: async () => undefined,
    judge: () => undefined,
    async *rows(request) {
      asked.push(request);
      yield { type: 'begin', columns: [{ name: 'size', kind: 'integer' }] };
      yield { type: 'rows', rows: [[57], ['9007199254740993']] };
    },
  };
  await machine.run(['connections', 'add', '--driver', 'fixture', '--name', 'S', '--access-key-env', 'K'], { env: { K: 'k' } });
});
afterEach(async () => {
  await machine[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const words = (...more: string[]): string[] => ['export', 's', 'hats', '--output', join(folder, 'hats'), ...more];

it('writes a table to a file and says how much', async () => {
  const answer = await machine.json(words('--format', 'csv', '--filter', 'size > 1', '--columns', 'size'));
  expect(answer).toMatchObject({ rows: 2, bytes: 28, format: 'csv', table: 'attic.hats', file: join(folder, 'hats') });
  expect(await readFile(join(folder, 'hats'), 'utf8')).toBe('size\r\n57\r\n9007199254740993\r\n');
  expect(asked).toMatchObject([
    { table: { namespace: ['attic'], name: 'hats' }, columns: ['size'], filter: { raw: 'size > 1' } },
  ]);
});

it('prints the rows for another program, exactly and alone, and leaves nothing behind', async () => {
  const spools = async (): Promise<string[]> =>
    (await readdir(tmpdir())).filter((name) => name.startsWith(`tabularium-export-${process.pid}-`));
  machine.database.export = {
    splice: async () => undefined,
    judge: () => undefined,
    async *rows() {
      yield { type: 'begin', columns: [{ name: 'note', kind: 'text' }] };
      yield { type: 'rows', rows: [['a\u001b[31m\u202eb']] };
    },
  };
  const { code, out, err } = await machine.run(['export', 's', 'hats', '--output', '-', '--format', 'csv']);
  expect([code, out]).toEqual([0, 'note\r\na\u001b[31m\u202eb\r\n']);
  expect(err).toMatch(/^1 row, /);
  expect(await spools()).toEqual([]);
});

it('prints no row of an export that fails, and takes one of --json and standard output', async () => {
  machine.database.export = INCONSISTENT;
  const failed = await machine.run(['export', 's', 'hats', '--output', '-', '--format', 'csv']);
  expect([failed.code, failed.out]).toEqual([1, '']);
  const both = await machine.run(['export', 's', 'hats', '--output', '-', '--format', 'csv', '--json']);
  expect([both.code, both.err]).toEqual([2, expect.stringContaining('both print on standard output')]);
});

it('refuses an option with one value that is given twice, whatever comes of the first, and takes those that are repeated', async () => {
  for (const [option, ...command] of [
    ['--format', ...words('--format', 'csv', '--format', 'json')],
    ['--limit', 'rows', 's', 'hats', '--limit', '1', '--limit=2'],
    ['--connections', 'tokens', 'create', '--name', 'a', '--connections', 's', '--connections', 's'],
    ['--driver', 'connections', 'add', '--driver', 'fixture', '--driver', 'fixture', '--name', 'T'],
    [
      '--access-key-env',
      'connections',
      'add',
      '--driver',
      'fixture',
      '--name',
      'T',
      '--access-key-env',
      'K',
      '--access-key-env',
      'L',
    ],
  ] as const)
    expect(await machine.run(command, { env: { K: 'k', L: 'l' } }), option).toMatchObject({
      code: 2,
      err: expect.stringContaining(`${option} is given twice, and takes one value.`) as string,
    });
  const sorted = await machine.run(['rows', 's', 'hats', '--sort', 'size', '--sort', 'size:desc']);
  expect(sorted.err).not.toContain('twice');
});

it('stops when its reader has gone', async () => {
  const lost = new AbortController();
  const { out } = await machine.run(['export', 's', 'hats', '--output', '-', '--format', 'csv'], {
    outputLost: lost.signal,
    onOutput: () => lost.abort(),
  });
  expect(out).toContain('57');
});

it('replaces a file only when asked', async () => {
  await machine.run(words('--format', 'jsonl'));
  const { code, err } = await machine.run(words('--format', 'json'));
  expect([code, err]).toEqual([1, expect.stringContaining('exists')]);
  const { out } = await machine.run(words('--format', 'json', '--overwrite'));
  expect(out).toMatch(/^2 rows, 0\.0 kB|^2 rows/);
  expect(JSON.parse(await readFile(join(folder, 'hats'), 'utf8'))).toHaveLength(2);
});

it('removes the unfinished file when it is interrupted', async () => {
  const reached = Promise.withResolvers<void>();
  const interrupt = new AbortController();
  machine.database.export = {
    splice: async () => undefined,
    judge: () => undefined,
    async *rows(_request, { signal }) {
      yield { type: 'begin', columns: [{ name: 'size', kind: 'integer' }] };
      reached.resolve();
      await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
    },
  };
  const running = machine.run(words('--format', 'jsonl'), { signal: interrupt.signal });
  await reached.promise;
  expect(await readdir(folder)).toEqual(['hats.part']);
  interrupt.abort();
  expect((await running).code).not.toBe(0);
  expect(await readdir(folder)).toEqual([]);
});

const INCONSISTENT = {
  splice: async () => undefined,
  judge: () => undefined,
  async *rows() {
    yield { type: 'begin', columns: [{ name: 'size', kind: 'integer' }] };
    yield { type: 'rows', rows: [[57]] };
    throw new DriverError('ROWS_DIFFER', 'The server exported 1 row, and counts 3.', {
      details: { rows: { got: 1, counted: 3 } },
    });
  },
} satisfies ExportFacet;

it('fails without a terminal when the rows differ from the count, and names the option that keeps the file', async () => {
  machine.database.export = INCONSISTENT;
  const { code, err } = await machine.run(words('--format', 'jsonl'));
  expect([code, err]).toEqual([1, expect.stringMatching(/counts 3\..*removed\.\n.*--keep-inconsistent/s)]);
  const answer = JSON.parse((await machine.run(words('--format', 'jsonl', '--json'))).out) as unknown;
  expect(answer).toMatchObject({ error: { code: 'ROWS_DIFFER', details: { rows: { got: 1, counted: 3 } } } });
  expect(await readdir(folder)).toEqual([]);
});

it('keeps the file with --keep-inconsistent, with a warning', async () => {
  machine.database.export = INCONSISTENT;
  const { code, out, err } = await machine.run(words('--format', 'jsonl', '--keep-inconsistent'));
  expect([code, out]).toEqual([0, expect.stringContaining(join(folder, 'hats'))]);
  expect(err).toContain('Warning: The file has 1 row, but the database counts 3. Rows may be missing.');
  expect(await readFile(join(folder, 'hats'), 'utf8')).toBe('{"size":57}\n');
  const answer = await machine.json(words('--format', 'csv', '--keep-inconsistent', '--overwrite'));
  expect(answer).toMatchObject({ rows: 1, rowsDiffer: { got: 1, counted: 3 } });
});

it('changes nothing about an export that is right', async () => {
  const { code, err } = await machine.run(words('--format', 'jsonl', '--keep-inconsistent'));
  expect([code, err]).toEqual([0, '']);
});

it.each([
  ['y\n', 0, ['hats']],
  ['yes\n', 0, ['hats']],
  ['n\n', 1, []],
  ['\n', 1, []],
  ['keep\n', 1, []],
  ['', 1, []],
])('asks a person at a terminal: %j', async (typed, exit, files) => {
  machine.database.export = INCONSISTENT;
  const { code, err } = await machine.run(words('--format', 'jsonl'), { isTerminal: true, input: typed });
  expect([code, await readdir(folder)]).toEqual([exit, files]);
  expect(err).toContain(
    `The file has 1 row, but the database counts 3. Rows may be missing. Keep ${join(folder, 'hats')}? [y/N]`,
  );
});

it('deletes the file when the person interrupts the question', async () => {
  machine.database.export = INCONSISTENT;
  const interrupt = new AbortController();
  const running = machine.run(words('--format', 'jsonl'), {
    isTerminal: true,
    input: 'not ended',
    signal: interrupt.signal,
    onError: (text) => {
      if (text.includes('[y/N]')) interrupt.abort();
    },
  });
  expect((await running).code).toBe(130);
  await expect.poll(() => readdir(folder)).toEqual([]);
});
