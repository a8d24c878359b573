import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const ROWS = 120_000;
/** Of a row, on average. An object for each row or field has 40 at least, and each row of the file has 100. */
const MOST_OLD_BYTES = 20;

/**
 * Reads a file as an import does, and prints how much of its heap became old meanwhile, for each row. The collector has no reason to look at what is old in such a
 * small heap: all that grew old is still counted, dead or alive.
 */
const PROGRAM = `
  import { getHeapSpaceStatistics } from 'node:v8';
  import { importParts } from './importParts.ts';
  import { prepareSource, resolvedFields } from './prepareSource.ts';
  import { RowMapping } from './rowMapping.ts';
  import { SourceFile } from './sourceFile.ts';
  const [path, options] = process.argv.slice(1);
  const { format, mapping: fields } = JSON.parse(options);
  const never = new AbortController().signal;
  const oldBytes = () =>
    getHeapSpaceStatistics().reduce((sum, { space_name, space_used_size }) => sum + (space_name === 'old_space' ? space_used_size : 0), 0);
  const allowed = { allowed: true };
  const column = (name, kind) => ({ name, kind, type: kind, nullable: true, editable: allowed, sortable: allowed });
  await using file = await SourceFile.open(path);
  const prepared = await prepareSource(file, { format }, [column('id', 'integer'), column('n', 'integer'), column('name', 'text')], never, false);
  const mapping = new RowMapping(prepared.format, prepared.names, resolvedFields(prepared, fields));
  let rows = 0;
  let start;
  for await (const part of importParts(file, prepared.format, mapping, prepared.start, 0, never)) {
    for (let index = 0; index < part.rows; index += 1)
      if (JSON.parse(part.document(index)).id !== rows + index) throw new Error('Row ' + (rows + index) + ' is ' + part.document(index));
    rows += part.rows;
    part.release();
    // Before, functions are compiled and memory is taken that stays.
    start ??= rows < 60_000 ? undefined : { rows, old: oldBytes() };
  }
  console.log(JSON.stringify({ rows, oldBytes: (oldBytes() - start.old) / (rows - start.rows) }));
`;

const filler = 'x'.repeat(80);
const rowsOf = (row: (id: number) => string): string => Array.from({ length: ROWS }, (_, id) => row(id)).join('');
const mapping = ['id', 'n', 'name'].map((source) => ({ source, target: source, type: source === 'name' ? 'text' : 'integer' }));
const FILES = {
  csv: { format: 'csv', content: () => `id,n,name\n${rowsOf((id) => `${id},${id % 7},${filler}\n`)}` },
  'csv with quotes': { format: 'csv', content: () => `id,n,name\n${rowsOf((id) => `"${id}",${id % 7},"a ""${filler}"""\n`)}` },
  'JSON lines': { format: 'jsonl', content: () => rowsOf((id) => `{"id":${id},"n":${id % 7},"name":"${filler}"}\n`) },
  'JSON lines with a mapping': {
    format: 'jsonl',
    mapping,
    content: () => rowsOf((id) => `{"id":${id},"n":${id % 7},"name":"${filler}"}\n`),
  },
  'a list of JSON': {
    format: 'json',
    content: () => `[${rowsOf((id) => `${id === 0 ? '' : ','}{"id":${id},"n":${id % 7},"name":"${filler}"}`)}]`,
  },
} as const;

it.each(Object.entries(FILES))('leaves next to nothing that V8 takes for long-lived, of each row of %s', async (_name, file) => {
  const folder = await mkdtemp(join(tmpdir(), 'tabularium-garbage-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'rows');
  await writeFile(path, file.content());
  const flags = ['--initial-old-space-size=1000', '--conditions=tabularium:source', '--import', 'reflect-metadata'];
  const { content: _content, ...options } = file;
  // A process that waits long for the processor is collected in the middle of its rows, and what it has in hand becomes old: the least of several is that of the rows.
  let least = Infinity;
  for (let turn = 0; turn < 4 && least >= MOST_OLD_BYTES; turn += 1) {
    const { stdout } = await run(
      process.execPath,
      [...flags, '--input-type=module', '-e', PROGRAM, path, JSON.stringify(options)],
      { cwd: import.meta.dirname },
    );
    const { rows, oldBytes } = JSON.parse(stdout) as { readonly rows: number; readonly oldBytes: number };
    expect(rows).toBe(ROWS);
    least = Math.min(least, oldBytes);
  }
  expect(least).toBeLessThan(MOST_OLD_BYTES);
});
