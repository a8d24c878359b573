import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileLogger } from './logger.ts';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'tabularium-log-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('FileLogger', () => {
  it('writes lines in order, with what an error says of itself', async () => {
    const logger = new FileLogger(folder);
    logger.info('first');
    logger.error('second', new Error('why'));
    await logger.flush();
    const lines = readFileSync(join(folder, 'host.log'), 'utf8').split('\n');
    expect(lines[0]).toMatch(/ info first$/);
    expect(lines[1]).toMatch(/ error second: Error: why$/);
  });

  it('hides credentials that an unforeseen error quotes', async () => {
    const logger = new FileLogger(folder);
    logger.redactWith((text) => text.replaceAll('s3cret-value', '[hidden]'));
    logger.error('a call failed', new Error('bad header s3cret-value'));
    await logger.flush();
    const log = readFileSync(join(folder, 'host.log'), 'utf8');
    expect(log).toContain('bad header [hidden]');
    expect(log).not.toContain('s3cret-value');
  });
});
