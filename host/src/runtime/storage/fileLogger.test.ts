import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logEntrySchema } from '../../common/logs.ts';
import type { LogEntry } from '../../common/logs.ts';
import { FileLogger } from './fileLogger.ts';
import { componentLogger } from './logger.ts';

const MEGABYTE = 1024 * 1024;

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tabularium-log-'));
  file = join(folder, 'host.log');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const written = (): readonly LogEntry[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => logEntrySchema.parse(JSON.parse(line)));

describe('FileLogger', () => {
  it('deletes and rotates nothing before it has the settings, which may keep more', async () => {
    writeFileSync(file, `${'x'.repeat(6 * MEGABYTE)}\n`);
    for (let number = 1; number <= 20; number += 1) writeFileSync(`${file}.${number}`, 'older\n');
    const logger = new FileLogger({ folder });
    logger.error('a command failed');
    await logger.flush();
    expect(readdirSync(folder)).toHaveLength(21);
    expect(statSync(file).size).toBeGreaterThan(6 * MEGABYTE);
  });

  it('writes although a folder has the name of an older file', async () => {
    mkdirSync(`${file}.7`);
    const logger = new FileLogger({ folder });
    logger.configure({ level: 'info', fileMegabytes: 1, olderFiles: 2 });
    logger.info('written all the same');
    await logger.flush();
    expect(written()).toMatchObject([{ message: 'written all the same' }]);
  });

  it('writes one line of JSON for each entry, in order, with its part of the host, its fields and the error behind it', async () => {
    const logger = new FileLogger({ folder });
    logger.info('first');
    componentLogger(logger, 'drivers').warn('second', { fields: { driver: 'search', attempt: 2 } });
    logger.error('third', new Error('why'));
    await logger.flush();
    const [first, second, third] = written();
    expect(first).toEqual({
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string,
      level: 'info',
      component: 'host',
      message: 'first',
    });
    expect(second).toMatchObject({ level: 'warn', component: 'drivers', fields: { driver: 'search', attempt: 2 } });
    expect(third).toMatchObject({ level: 'error', message: 'third', error: expect.stringMatching(/^Error: why\n/) as string });
  });

  it('writes the levels of the settings, unless this run has one of its own', async () => {
    const logger = new FileLogger({ folder });
    logger.debug('left out');
    logger.configure({ level: 'warn', fileMegabytes: 5, olderFiles: 4 });
    logger.info('left out');
    logger.warn('written');
    const verbose = new FileLogger({ folder, level: 'debug' });
    verbose.configure({ level: 'error', fileMegabytes: 5, olderFiles: 4 });
    await logger.flush();
    verbose.debug('written, too');
    await verbose.flush();
    expect(written().map(({ message }) => message)).toEqual(['written', 'written, too']);
  });

  it('hides secrets that are known, and what has the form of one, in messages, errors and fields', async () => {
    const logger = new FileLogger({ folder });
    logger.redactWith((text) => text.replaceAll('s3cret\n"value', '[hidden]'));
    logger.error('a call with s3cret\n"value failed', new Error('bad header s3cret\n"value'), {
      fields: { url: 'https://ada:MARKED@search.example/?key=MARKED', body: '{"apiKey":"MARKED"}', header: 's3cret\n"value' },
    });
    logger.warn('Authorization: Bearer MARKED');
    await logger.flush();
    const log = readFileSync(file, 'utf8');
    expect(log).toContain('bad header [hidden]');
    expect(log).not.toMatch(/s3cret|MARKED/);
  });

  it('hides a secret before it cuts a text, wherever the cut is', async () => {
    const secret = `MARKED${'s'.repeat(20_000)}`;
    const hidden = 'token=MARKED_and_much_more_of_it '.repeat(100);
    const logger = new FileLogger({ folder });
    logger.redactWith((text) => text.replaceAll(secret, '[hidden]'));
    for (const before of [0, 100, 480, 499, 900, 1_000, 15_990, 16_000, 31_990, 32_000, 65_000, 66_000, 81_500, 81_530])
      for (const start of ['', hidden])
        for (const [beside, end] of [
          ['', secret],
          ['postgres://ada:', `${'MARKED'.repeat(2_000)}@db`],
        ] as const) {
          const text = `${start}${'x'.repeat(before)} ${beside}${end} ${'y'.repeat(100_000)}`;
          logger.error(text, new Error(text), { fields: { text } });
          await logger.flush();
        }
    const log = readFileSync(file, 'utf8');
    expect(log).toContain('token=•••');
    // Alone, so that a failure doesn't print the whole log.
    expect(/MARK|sss/.exec(log)?.[0]).toBeUndefined();
  });

  it('lets no text pass for an entry, and no character steer a terminal', async () => {
    const logger = new FileLogger({ folder });
    const forged = '{"time":"2026-01-01T00:00:00.000Z","level":"error","component":"host","message":"forged"}';
    const hostile = `name\n${forged}\r\n\u001b[2J\u001b]0;title\u0007\u009b31m\u202e\u200b\u2028\0\u007f`;
    logger.warn(hostile, { fields: { table: hostile } });
    logger.error('failed', new Error(hostile));
    await logger.flush();
    const log = readFileSync(file, 'utf8');
    expect(log.split('\n')).toHaveLength(3);
    expect(log.replaceAll('\n', '')).toMatch(/^[\x20-\x7e]*$/);
    expect(written()[0]).toMatchObject({ message: hostile, fields: { table: hostile } });
  });

  it('bounds texts and fields', async () => {
    const logger = new FileLogger({ folder });
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, 'x'.repeat(10_000)]));
    logger.error('m'.repeat(1_000_000), new Error('e'.repeat(1_000_000)), { fields });
    await logger.flush();
    expect(statSync(file).size).toBeLessThan(50_000);
  });

  it('begins a new file when one is full, and takes no more of the disk than its settings say', async () => {
    const logger = new FileLogger({ folder });
    logger.configure({ level: 'info', fileMegabytes: 1, olderFiles: 2 });
    for (let number = 0; number < 600; number += 1) {
      logger.info(`${number} ${'x'.repeat(10_000)}`);
      if (number % 50 === 0) await logger.flush();
    }
    await logger.flush();
    expect(readdirSync(folder).sort()).toEqual(['host.log', 'host.log.1', 'host.log.2']);
    for (const name of readdirSync(folder)) {
      expect(statSync(join(folder, name)).size).toBeLessThanOrEqual(MEGABYTE);
      expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
    }
    expect(written().at(-1)?.message).toMatch(/^599 /);
    logger.configure({ level: 'info', fileMegabytes: 1, olderFiles: 0 });
    logger.info('fewer files');
    await logger.flush();
    expect(readdirSync(folder)).toEqual(['host.log']);
  });

  it('closes a log that others could read, and begins a line of its own after a torn one', async () => {
    writeFileSync(file, '{"time":"torn');
    chmodSync(file, 0o644);
    const logger = new FileLogger({ folder });
    logger.info('whole');
    await logger.flush();
    const [torn, whole] = readFileSync(file, 'utf8').split('\n');
    expect(torn).toBe('{"time":"torn');
    expect(JSON.parse(whole ?? '')).toMatchObject({ message: 'whole' });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  it('says once that it cannot be written, and counts what is lost until it can', async () => {
    const troubles: unknown[] = [];
    const also: string[] = [];
    mkdirSync(file);
    const logger = new FileLogger({
      folder,
      onTrouble: (error) => troubles.push(error),
      alsoTo: ({ message }) => also.push(message),
    });
    for (const message of ['one', 'two']) {
      logger.info(message);
      await logger.flush();
    }
    expect(troubles).toHaveLength(1);
    rmSync(file, { recursive: true });
    logger.info('three');
    await logger.flush();
    expect(written().map(({ message }) => message)).toEqual([
      '2 entries of the log could not be written before this one',
      'three',
    ]);
    expect(also).toEqual(['one', 'two', 'three']);
  });

  it('follows no link', async () => {
    const target = join(folder, 'elsewhere');
    symlinkSync(target, file);
    const logger = new FileLogger({ folder });
    logger.info('not there');
    await logger.flush();
    expect(existsSync(target)).toBe(false);
  });

  it('holds a bounded number of entries for a slow disk', async () => {
    const logger = new FileLogger({ folder });
    for (let number = 0; number < 2_000; number += 1) logger.info('x'.repeat(10_000));
    await logger.flush();
    logger.info('last');
    await logger.flush();
    const entries = written();
    expect(entries.at(-1)?.message).toBe('last');
    expect(entries.some(({ component, fields }) => component === 'log' && Number(fields?.['lost']) > 1_000)).toBe(true);
  });
});
