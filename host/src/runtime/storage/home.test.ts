import { chmod, lstat, mkdir, mkdtemp, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openHome, resolveHome } from './home.ts';

describe('resolveHome', () => {
  it.each([
    ['darwin', {}, '/Users/ada/Library/Application Support/Tabularium'],
    ['linux', {}, '/Users/ada/.local/share/tabularium'],
    ['linux', { XDG_DATA_HOME: '/data' }, '/data/tabularium'],
    ['linux', { XDG_DATA_HOME: 'relative' }, '/Users/ada/.local/share/tabularium'],
    ['win32', { APPDATA: '/Users/ada/Roaming' }, '/Users/ada/Roaming/Tabularium'],
    ['linux', { TABULARIUM_HOME: '/elsewhere', XDG_DATA_HOME: '/data' }, '/elsewhere'],
    ['linux', { TABULARIUM_HOME: '' }, '/Users/ada/.local/share/tabularium'],
  ] as const)('on %s with %j', (platform, env, folder) => {
    expect(resolveHome(env, platform, '/Users/ada')).toBe(folder);
  });
});

describe('openHome', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await realpath(await mkdtemp(join(tmpdir(), 'tabularium-test-')));
  });
  afterEach(() => rm(parent, { recursive: true, force: true }));

  const modeOf = async (path: string): Promise<number> => (await lstat(path)).mode & 0o777;

  it('creates the home and its folders for their owner alone, whatever the umask', async () => {
    const home = await openHome(join(parent, 'a', 'home'));
    for (const folder of [home.folder, home.drivers, home.logs, home.cache]) expect(await modeOf(folder)).toBe(0o700);
  });

  it('tightens what is open to others', async () => {
    await mkdir(join(parent, 'home', 'logs'), { recursive: true });
    await chmod(join(parent, 'home', 'logs'), 0o755);
    await chmod(join(parent, 'home'), 0o777);
    const home = await openHome(join(parent, 'home'));
    expect(await modeOf(home.folder)).toBe(0o700);
    expect(await modeOf(home.logs)).toBe(0o700);
  });

  it('resolves a link once, so that it cannot be turned elsewhere later', async () => {
    await mkdir(join(parent, 'real'));
    await symlink(join(parent, 'real'), join(parent, 'link'));
    expect((await openHome(join(parent, 'link'))).folder).toBe(join(parent, 'real'));
  });

  it('says of a link that it leads nowhere, such as one to a disk that is not mounted', async () => {
    await symlink(join(parent, 'none', 'real'), join(parent, 'link'));
    await expect(openHome(join(parent, 'link'))).rejects.toMatchObject({
      code: 'HOME_UNUSABLE',
      message: `${join(parent, 'link')} is a symbolic link that leads nowhere.`,
    });
  });

  it('refuses a file, and a folder whose place anybody may take', async () => {
    await writeFile(join(parent, 'file'), '');
    await expect(openHome(join(parent, 'file'))).rejects.toMatchObject({ code: 'HOME_UNUSABLE' });
    await mkdir(join(parent, 'open'));
    await chmod(join(parent, 'open'), 0o777);
    await expect(openHome(join(parent, 'open', 'home'))).rejects.toMatchObject({ code: 'HOME_UNUSABLE' });
  });

  it('leaves a folder that something else uses as it is, and takes one with its own files', async () => {
    const used = join(parent, 'used');
    await mkdir(join(used, 'backups'), { recursive: true });
    await chmod(used, 0o755);
    await writeFile(join(used, 'passwd'), '');
    await expect(openHome(used)).rejects.toMatchObject({
      code: 'HOME_UNUSABLE',
      message: expect.stringContaining('“passwd”') as string,
    });
    expect([await modeOf(used), (await readdir(used)).sort()]).toEqual([0o755, ['backups', 'passwd']]);
    for (const name of ['host.lock', 'tabularium.db', 'tabularium.db-wal']) {
      await writeFile(join(used, name), '');
      await expect(openHome(used), name).resolves.toBeDefined();
      await rm(join(used, name));
    }
    await rm(join(used, 'passwd'));
    await mkdir(join(used, 'lost+found'));
    await expect(openHome(used)).resolves.toBeDefined();
  });

  it('gives up where the system creates nothing', async () => {
    await expect(openHome('/proc/tabularium-test/home')).rejects.toMatchObject({ code: 'HOME_UNUSABLE' });
  });

  it('refuses to go through a file', async () => {
    await writeFile(join(parent, 'file'), '');
    await expect(openHome(join(parent, 'file', 'home'))).rejects.toMatchObject({ code: 'HOME_UNUSABLE' });
  });

  it('creates nothing for somebody who has left', async () => {
    await expect(openHome(join(parent, 'home'), AbortSignal.abort(new Error('left')))).rejects.toThrow('left');
    await expect(lstat(join(parent, 'home'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('accepts a folder that is open to all but sticky, such as /tmp', async () => {
    await mkdir(join(parent, 'sticky'));
    await chmod(join(parent, 'sticky'), 0o1777);
    await expect(openHome(join(parent, 'sticky', 'home'))).resolves.toBeDefined();
  });
});
