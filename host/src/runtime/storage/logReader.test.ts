import { appendFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readLog } from '../checkup/readLog.ts';
import { FileLogger } from './fileLogger.ts';
import { LogReader } from './logReader.ts';
import { logText, readLogLine } from './logText.ts';

const NEVER = new AbortController().signal;
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-log-'));
  file = join(folder, 'host.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

async function all(): Promise<readonly string[]> {
  await using reader = await LogReader.open(folder);
  return await Array.fromAsync(reader.newestFirst());
}

describe('LogReader', () => {
  it('reads the newest line first, across files and pieces, and cuts no character', async () => {
    const lines = Array.from({ length: 3_000 }, (_, index) => `${index} ${'ü€𝄞'.repeat(20)}`);
    writeFileSync(`${file}.1`, `${lines.slice(0, 1_700).join('\n')}\n`);
    writeFileSync(file, `${lines.slice(1_700).join('\n')}\n`);
    expect((await all()).toReversed()).toEqual(lines);
  });

  it('has no line where there is no log', async () => {
    expect(await all()).toEqual([]);
  });

  it('follows the file that is begun again, without a gap and without a repetition', async () => {
    writeFileSync(file, 'old\n');
    await using reader = await LogReader.open(folder);
    expect(await Array.fromAsync(reader.newestFirst())).toEqual(['old']);
    const stop = new AbortController();
    const seen: string[] = [];
    const following = (async () => {
      for await (const line of reader.following(stop.signal)) {
        seen.push(line);
        if (line === 'half') {
          appendFileSync(file, 'before the change\n');
          renameSync(file, `${file}.1`);
          writeFileSync(file, 'between two changes\n');
          renameSync(`${file}.1`, `${file}.2`);
          renameSync(file, `${file}.1`);
          writeFileSync(file, 'after the change\n');
        }
        if (line === 'after the change') stop.abort();
      }
    })();
    appendFileSync(file, 'new\nha');
    appendFileSync(file, 'lf\n');
    await following;
    expect(seen).toEqual(['new', 'half', 'before the change', 'between two changes', 'after the change']);
  });
});

describe('another thing with the name of the log', () => {
  it.each([
    ['a folder', () => mkdirSync(file), 'is not a file'],
    [
      'a link',
      () => {
        writeFileSync(join(folder, 'elsewhere'), 'private\n');
        symlinkSync(join(folder, 'elsewhere'), file);
      },
      'is a symbolic link',
    ],
  ])('is refused with its path where it is %s, and a report says so', async (_what, make, message) => {
    make();
    const error = await LogReader.open(folder).catch((cause: unknown) => cause);
    expect(error).toMatchObject({ code: 'HOME_UNUSABLE', message: expect.stringContaining(`${file} ${message}`) as string });
    expect(await readLog(folder, NEVER)).toMatch(/^The log can't be read: /);
  });

  it('is left out where it is an older file, and what is older than it is read', async () => {
    writeFileSync(file, 'newest\n');
    mkdirSync(`${file}.1`);
    writeFileSync(`${file}.2`, 'oldest\n');
    expect(await all()).toEqual(['newest', 'oldest']);
  });
});

it('stops reading when its caller is cancelled', async () => {
  writeFileSync(file, `${'x'.repeat(100)}\n`.repeat(20_000));
  const cancel = new AbortController();
  await using reader = await LogReader.open(folder, cancel.signal);
  const lines = reader.newestFirst();
  await lines.next();
  cancel.abort(new Error('stopped'));
  await expect(Array.fromAsync(lines)).rejects.toThrow('stopped');
  await expect(readLog(folder, cancel.signal)).rejects.toThrow('stopped');
});

it('reads what the log has written, and shows it as text in which nothing passes for an entry', async () => {
  const logger = new FileLogger({ folder });
  logger.error('failed at\n2026-01-01T00:00:00.000Z error forged', new Error('why\u001b[2J'), { fields: { driver: 'search' } });
  await logger.flush();
  const [line = ''] = await all();
  const entry = readLogLine(line);
  if (entry === undefined) throw new Error('The line is no entry.');
  const [head = '', ...rest] = logText(entry).trimEnd().split('\n');
  expect(head).toMatch(/^\S+Z error host: failed at$/);
  expect(rest.every((each) => each.startsWith('  '))).toBe(true);
  expect(rest.join('\n')).toContain('(driver=search)');
  expect(rest.join('\n')).not.toContain('\u001b');
  expect(readLogLine('{"time":"torn')).toBeUndefined();
  expect(readLogLine('{"level":"info"}')).toBeUndefined();
});
