import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { NotAFile, openRegularFile, readRegularText } from './regularFile.ts';

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tabularium-regular-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

it('reads a file, also through a link', async () => {
  await writeFile(join(folder, 'a'), 'text');
  await symlink('a', join(folder, 'b'));
  expect(await readRegularText(join(folder, 'b'))).toBe('text');
});

// Opening a pipe without a writer never returns: the test would exceed its time.
it.each([
  ['a named pipe', (path: string) => void execFileSync('mkfifo', [path])],
  [
    'a named pipe',
    async (path: string) => {
      execFileSync('mkfifo', [`${path}.pipe`]);
      await symlink(`${path}.pipe`, path);
    },
  ],
  ['a device', (path: string) => symlink('/dev/zero', path)],
  ['a folder', (path: string) => symlink(folder, path)],
])('opens no %s', async (kind, make) => {
  const path = join(folder, 'x');
  await make(path);
  await expect(openRegularFile(path)).rejects.toThrow(new NotAFile(path, kindAs(kind)));
});

it('opens no socket', async () => {
  const server = createServer();
  const path = join(folder, 's');
  await new Promise<void>((resolve) => server.listen(path, resolve));
  try {
    await expect(readRegularText(path)).rejects.toThrow(`${path} is a socket, not a file.`);
  } finally {
    server.close();
  }
});

it('says that there is no file as the system does', async () => {
  await expect(openRegularFile(join(folder, 'gone'))).rejects.toMatchObject({ code: 'ENOENT' });
});

function kindAs(kind: string): ConstructorParameters<typeof NotAFile>[1] {
  return { isDirectory: () => kind === 'a folder', isFIFO: () => kind === 'a named pipe', isSocket: () => false };
}
