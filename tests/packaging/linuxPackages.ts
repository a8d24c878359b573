import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaidOut } from '../../scripts/package/layOut.ts';
import { makeLinuxArchives } from '../../scripts/package/linuxArchives.ts';
import type { LinuxArchives } from '../../scripts/package/linuxArchives.ts';
import { platformOf } from '../../scripts/package/platforms.ts';
import { root } from '../../scripts/paths.ts';
import { onPath } from '../../scripts/testing/onPath.ts';
import { startTourWorld, takeTour } from './installedTour.ts';
import type { TourWorld } from './installedTour.ts';
import type { Ended, Machine } from './machine.test-helper.ts';

const DATA = '.local/share/tabularium';
/** 320 MB are packed twice and unpacked four times. */
const packMilliseconds = 600_000;

/** Files that desktops, `man` and systemd look for, below a prefix. */
const LOOKED_FOR = [
  'share/applications/tabularium.desktop',
  'share/applications/tabularium-url-handler.desktop',
  'share/icons/hicolor/48x48/apps/tabularium.png',
  'share/icons/hicolor/512x512/apps/tabularium.png',
  'share/man/man1/tabularium.1.gz',
  'share/man/man1/tabularium-mcp.1.gz',
  'share/doc/tabularium/copyright',
  'share/doc/tabularium/sbom.cdx.json',
  'share/doc/tabularium/THIRD-PARTY-NOTICES.txt',
  'lib/systemd/user/tabularium.service',
];

/** The commands below a heading of the guide, the last block before the next heading. */
function guideCommands(heading: string): string {
  const guide = readFileSync(join(root, 'docs/guide/install.md'), 'utf8');
  const section = guide.split('\n## ').find((text) => text.startsWith(`${heading}\n`)) ?? '';
  const commands = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].at(-1)?.[1];
  if (commands === undefined) throw new Error(`The guide has no commands under ${heading}.`);
  return commands;
}

/** The files below a home that are not data. */
function strayFiles(home: string): string[] {
  const paths = readdirSync(home, { recursive: true, encoding: 'utf8' });
  return paths.filter((path) => !path.startsWith(DATA) && !statSync(join(home, path)).isDirectory());
}

/** Tests of the archive and the Debian package for Linux, made of what is laid out already. */
export function describeLinuxPackages(machine: Machine, laidOut: () => LaidOut): void {
  describe('the packages for Linux', () => {
    let archives: LinuxArchives;
    let world: TourWorld;
    /** The programs that launcher and removal ask for, and no Node. */
    const tools = join(machine.folder, 'tools');

    beforeAll(async () => {
      const platform = platformOf(`${process.platform}-${process.arch}`);
      archives = await makeLinuxArchives({ root, platform, laidOut: laidOut(), output: machine.folder, compression: 'fast' });
      world = await startTourWorld(machine.folder);
      mkdirSync(tools);
      for (const name of ['readlink', 'dirname', 'rm']) symlinkSync(onPath(name) ?? '', join(tools, name));
    }, packMilliseconds);
    afterAll(() => world?.[Symbol.asyncDispose]());

    async function tour(prefix: string, home: string): Promise<void> {
      const env = { HOME: home, PATH: tools };
      const command = join(prefix, 'bin/tabularium');
      await takeTour({ machine, command, bridge: join(prefix, 'bin/tabularium-mcp'), env }, world, laidOut().version);
    }

    const succeed = async (ended: Promise<Ended>): Promise<string> => {
      expect(await ended).toMatchObject({ code: 0, stderr: '' });
      return (await ended).stdout;
    };

    it('the archive is unpacked, used and removed as the guide says, without Node and npm, and leaves the data directory', async () => {
      const home = mkdtempSync(join(machine.folder, 'home-'));
      const prefix = join(home, '.local');
      mkdirSync(prefix);
      await succeed(machine.run('tar', ['-xzf', archives.archive, '-C', prefix, '--strip-components=1']));
      expect(LOOKED_FOR.filter((file) => !existsSync(join(prefix, file)))).toEqual([]);
      expect(readdirSync(prefix).toSorted()).toEqual(['bin', 'lib', 'share']);
      await tour(prefix, home);
      expect(strayFiles(home).length).toBeGreaterThan(100);
      const env = { HOME: home, PATH: `${join(prefix, 'bin')}:${tools}` };
      await succeed(machine.run('/bin/sh', ['-e', '-c', guideCommands('Any other Linux')], { env }));
      expect(strayFiles(home)).toEqual([]);
      expect(readdirSync(join(home, DATA))).toContain('tabularium.db');
    });

    if (onPath('dpkg-deb') === undefined) {
      console.log('NOT RUN on this machine: the Debian package, because there is no dpkg-deb.');
      return;
    }

    it('the Debian package is used without Node and npm, and leaves the data directory', async () => {
      const home = mkdtempSync(join(machine.folder, 'home-'));
      const system = mkdtempSync(join(machine.folder, 'system-'));
      await succeed(machine.run('dpkg-deb', ['-x', archives.debianPackage ?? '', system]));
      const prefix = join(system, 'usr');
      expect(LOOKED_FOR.filter((file) => !existsSync(join(prefix, file)))).toEqual([]);
      await tour(prefix, home);
      if (onPath('xdg-mime') !== undefined) {
        // The desktop has the entry of the package, so that the user's settings stay as they are.
        const env = { HOME: home, PATH: '/usr/bin:/bin', XDG_DATA_DIRS: join(prefix, 'share') };
        const words = ['integrations', 'register-url', '--json'];
        expect(await succeed(machine.run(join(prefix, 'bin/tabularium'), words, { env }))).toBe('{"state":"unchanged"}\n');
      }
      rmSync(system, { recursive: true });
      expect(strayFiles(home)).toEqual([]);
      expect(readdirSync(join(home, DATA))).toContain('tabularium.db');
    });

    if (process.getuid?.() !== 0 || onPath('dpkg') === undefined) {
      console.log('NOT RUN on this machine: dpkg installs and removes the package, which only root may try.');
      return;
    }

    it('dpkg installs the Debian package below a root of its own, and removes every file', async () => {
      const system = mkdtempSync(join(machine.folder, 'system-'));
      for (const folder of ['info', 'updates']) mkdirSync(join(system, 'var/lib/dpkg', folder), { recursive: true });
      // The packages of the machine are not in that root, and so neither are the libraries that this one depends on.
      const dpkg = (...words: string[]): Promise<Ended> =>
        machine.run('dpkg', [`--root=${system}`, '--force-depends', '--force-unsafe-io', ...words], {
          env: { PATH: '/usr/sbin:/usr/bin:/sbin:/bin' },
        });
      expect(await dpkg('--install', archives.debianPackage ?? '')).toMatchObject({ code: 0 });
      const version = await machine.run(join(system, 'usr/bin/tabularium'), ['--version'], { env: { PATH: tools } });
      expect(version).toMatchObject({ code: 0, stdout: `${laidOut().version}\n` });
      expect((await dpkg('--listfiles', 'tabularium')).stdout).toContain('\n/usr/bin/tabularium-mcp\n');
      expect(await dpkg('--remove', 'tabularium')).toMatchObject({ code: 0 });
      expect(existsSync(join(system, 'usr'))).toBe(false);
      expect((await dpkg('--list', 'tabularium')).stdout).not.toMatch(/^ii/m);
    });
  });
}
