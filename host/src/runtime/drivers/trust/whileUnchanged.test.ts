import { chmod, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { whileUnchanged } from './whileUnchanged.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-unchanged-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const AGE = 2_100;

describe.concurrent('a file that is read again only when it has changed', () => {
  const reader = (path: string) => {
    const counted = { reads: 0 };
    const read = whileUnchanged(path, async () => {
      counted.reads += 1;
      return readFile(path, 'utf8');
    });
    return { counted, read };
  };

  const changes: readonly [string, (path: string) => Promise<void>, string][] = [
    ['content of the same length, with the old times set again', (path) => rewrittenWithOldTimes(path, 'two'), 'two'],
    ['another file of that name', (path) => replaced(path, 'two'), 'two'],
    ['other permissions', (path) => chmod(path, 0o640), 'one'],
  ];
  for (const [what, change, expected] of changes) {
    it(`sees ${what}`, async () => {
      const path = join(folder, `${what}.json`);
      await writeFile(path, 'one');
      await delay(AGE);
      const { counted, read } = reader(path);
      expect([await read(), await read(), await read(), counted.reads]).toStrictEqual(['one', 'one', 'one', 1]);
      await change(path);
      expect(await read()).toBe(expected);
      await delay(AGE);
      expect([await read(), await read(), counted.reads]).toStrictEqual([expected, expected, 3]);
    });
  }

  it('reads a fresh file each time', async () => {
    const path = join(folder, 'fresh.json');
    const { counted, read } = reader(path);
    for (const text of ['one', 'two', 'six']) {
      await writeFile(path, text);
      expect(await read()).toBe(text);
    }
    expect(counted.reads).toBe(3);
  });

  it('asks again after a failure, and notices that the file is gone', async () => {
    const path = join(folder, 'missing.json');
    const { read } = reader(path);
    await expect(read()).rejects.toThrow('ENOENT');
    await writeFile(path, 'one');
    await delay(AGE);
    expect([await read(), await read()]).toStrictEqual(['one', 'one']);
    await rm(path);
    await expect(read()).rejects.toThrow('ENOENT');
  });
});

async function rewrittenWithOldTimes(path: string, text: string): Promise<void> {
  const old = new Date(Date.now() - 60_000);
  await writeFile(path, text);
  await utimes(path, old, old);
}

async function replaced(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, text);
  await rename(`${path}.new`, path);
}
