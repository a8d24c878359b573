import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome } from '../../host/src/runtime/storage/home.ts';
import { acquireHomeLock } from '../../host/src/runtime/storage/homeLock.ts';

const modules = new URL('../../host/src/runtime/storage/', import.meta.url);
const program = `
  import { openHome } from '${new URL('home.ts', modules).href}';
  import { acquireHomeLock } from '${new URL('homeLock.ts', modules).href}';
  try {
    globalThis.lock = await acquireHomeLock(await openHome(process.argv[1]));
    process.stdout.write('locked');
    setInterval(() => undefined, 60_000);
  } catch (error) {
    process.stdout.write(error.code);
  }
`;

describe('one host owns a home', () => {
  let parent: string;
  let folder: string;
  const children: ChildProcess[] = [];

  beforeEach(async () => {
    parent = await mkdtemp(join(tmpdir(), 'tabularium-test-'));
    folder = join(parent, 'home');
  });
  afterEach(async () => {
    for (const child of children.splice(0)) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const exit = once(child, 'exit');
      child.kill('SIGKILL');
      await exit;
    }
    await rm(parent, { recursive: true, force: true });
  });

  /** Another process that takes the home and keeps it. */
  async function other(): Promise<{ child: ChildProcess; says: string }> {
    const child = spawn(process.execPath, ['--conditions=tabularium:source', '--input-type=module', '-e', program, folder], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    children.push(child);
    const [said] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, says: said.toString() };
  }

  it('is refused to a second process, and to a second owner in the same process', async () => {
    const { says } = await other();
    expect(says).toBe('locked');
    expect((await other()).says).toBe('HOME_IN_USE');
    await expect(acquireHomeLock(await openHome(folder))).rejects.toMatchObject({ code: 'HOME_IN_USE' });
  });

  it('is free again after its owner was killed', async () => {
    const { child } = await other();
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    using lock = await acquireHomeLock(await openHome(folder));
    expect(lock.home.folder).toContain('home');
    expect((await other()).says).toBe('HOME_IN_USE');
  });

  it('stays with its owner when the same process is refused a second time', async () => {
    using lock = await acquireHomeLock(await openHome(folder));
    await expect(acquireHomeLock(await openHome(folder))).rejects.toMatchObject({ code: 'HOME_IN_USE' });
    expect((await other()).says).toBe('HOME_IN_USE');
    lock[Symbol.dispose]();
    expect((await other()).says).toBe('locked');
  });

  it('is refused, with what to do, where the lock is a file of something else', async () => {
    const home = await openHome(folder);
    await writeFile(join(home.folder, 'host.lock'), 'a shopping list\n'.repeat(100));
    await expect(acquireHomeLock(home)).rejects.toMatchObject({
      code: 'HOME_UNUSABLE',
      details: { advice: expect.stringContaining('Remove that file') as string },
    });
    expect(await readFile(join(home.folder, 'host.lock'), 'utf8')).toContain('a shopping list');
  });

  it('is refused where the folder belongs to somebody else', async () => {
    await mkdir(folder);
    // Only root may give a folder away; for anybody else, the root folder is somebody else's.
    const foreign = process.getuid?.() === 0 ? folder : '/';
    if (foreign === folder) await chown(folder, 12_345, 12_345);
    await expect(openHome(foreign)).rejects.toMatchObject({ code: 'HOME_UNUSABLE' });
  });
});
