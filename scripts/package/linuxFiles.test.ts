import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { list } from 'tar';
import { afterAll, describe, expect, it } from 'vitest';
import { DESKTOP_ENTRY_NAME, SCHEME_TYPE } from '../../host/src/runtime/urlScheme/desktopEntry.ts';
import { root } from '../paths.ts';
import { onPath } from '../testing/onPath.ts';
import { writeChecksums } from './checksums.ts';
import { debianControl, debianVersion } from './debianPackage.ts';
import { DESKTOP_ENTRIES } from './desktopEntries.ts';
import { writeTreeArchive } from './linuxArchives.ts';
import { LINUX_PROGRAMS } from './linuxTree.ts';

const folder = mkdtempSync(join(tmpdir(), 'tabularium-linux-files-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** All that a program says of a file: its complaints may be on either stream, and its exit code 0. */
function saidBy(program: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(program, args, {
    env: { ...process.env, XDG_RUNTIME_DIR: folder },
    encoding: 'utf8',
  });
  return `${stdout}${stderr}${status === 0 ? '' : `exit code ${String(status)}`}`;
}

/** The values of a file with one group. */
function valuesOf(text: string): Map<string, string> {
  return new Map([...text.matchAll(/^([^=\n]+)=(.*)$/gm)].map(([, key = '', value = '']) => [key, value]));
}

describe('the desktop entries', () => {
  it.each([...DESKTOP_ENTRIES])('%s has the keys that a desktop needs', (name, text) => {
    expect(text.startsWith('[Desktop Entry]\n')).toBe(true);
    const values = valuesOf(text);
    expect(values.get('Type')).toBe('Application');
    expect(values.get('Name')).toBe('Tabularium');
    expect(values.get('Icon')).toBe('tabularium');
    expect(values.get('Exec')).toMatch(/^tabularium open/);
    // Lists end with their separator.
    for (const list of ['Categories', 'Keywords', 'MimeType']) expect(values.get(list) ?? ';').toMatch(/;$/);
    const file = join(folder, name);
    writeFileSync(file, text);
    if (onPath('desktop-file-validate') !== undefined) expect(saidBy('desktop-file-validate', [file])).toBe('');
  });

  it('open the addresses of the scheme by the entry that a host would write, out of the menu', () => {
    const values = valuesOf(DESKTOP_ENTRIES.get(DESKTOP_ENTRY_NAME) ?? '');
    expect(values.get('MimeType')).toBe(`${SCHEME_TYPE};`);
    expect(values.get('Exec')).toBe('tabularium open-url %u');
    expect(values.get('NoDisplay')).toBe('true');
  });
});

describe('the archive', () => {
  it('leaves the folders of a prefix as they are, and those alone', async () => {
    const tree = join(folder, 'tree');
    const files = [
      'lib/tabularium/a/b.js',
      'lib/systemd/user/tabularium.service',
      'bin/tabularium',
      'share/doc/tabularium/copyright',
    ];
    for (const path of [...files, 'share/applications/tabularium.desktop', 'share/man/man1/tabularium.1.gz']) {
      mkdirSync(dirname(join(tree, path)), { recursive: true });
      writeFileSync(join(tree, path), path);
    }
    const file = join(folder, 'tree.tar.gz');
    await writeTreeArchive(tree, { file, prefix: 'tabularium-1', date: 0, level: 1 });
    const folders: string[] = [];
    await list({ file, onReadEntry: ({ path, type }) => void (type === 'Directory' && folders.push(path)) });
    expect(folders.toSorted()).toEqual(
      ['lib/tabularium/', 'lib/tabularium/a/', 'share/doc/tabularium/'].map((path) => `tabularium-1/${path}`),
    );

    const prefix = join(folder, 'prefix');
    const before = new Date('2025-05-05T05:05:05Z');
    const shared = ['bin', 'lib', 'lib/systemd', 'lib/systemd/user', 'share', 'share/applications', 'share/man'].map((path) =>
      join(prefix, path),
    );
    for (const path of shared) mkdirSync(path, { recursive: true });
    for (const path of shared) {
      chmodSync(path, 0o700);
      utimesSync(path, before, before);
    }
    expect(saidBy('tar', ['-xzf', file, '-C', prefix, '--strip-components=1'])).toBe('');
    expect(readFileSync(join(prefix, 'share/man/man1/tabularium.1.gz'), 'utf8')).toBe('share/man/man1/tabularium.1.gz');
    for (const path of shared) {
      const { mode, mtime } = statSync(path);
      expect([path, mode & 0o777, mtime.getTime() === 0]).toEqual([path, 0o700, false]);
    }
  });
});

describe('the manual pages', () => {
  it.each(LINUX_PROGRAMS)('%s.1 has every part, and no fault for groff', (name) => {
    const file = join(root, `host/man/${name}.1`);
    const page = readFileSync(file, 'utf8');
    const headings = [...page.matchAll(/^\.SH (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual(expect.arrayContaining(['NAME', 'SYNOPSIS', 'DESCRIPTION', 'EXIT STATUS', 'ENVIRONMENT', 'FILES']));
    expect(page).toMatch(new RegExp(`^${name.replaceAll('-', String.raw`\\-`)} \\\\- `, 'm'));
    // A line that begins so is a request.
    for (const [line] of page.matchAll(/^['.].*$/gm)) expect(line).toMatch(/^\.(?:\\"|TH|SH|SS|TP|PP|B|I|RI|BR)(?: |$)/);
    // A terminal without UTF-8 shows these alone.
    expect([...page].filter((character) => character > '~')).toEqual([]);
    if (onPath('groff') === undefined) return;
    expect(saidBy('groff', ['-man', '-Tutf8', '-Kutf8', '-ww', '-z', file])).toBe('');
  });
});

describe('the unit of systemd', () => {
  const text = readFileSync(join(import.meta.dirname, 'linux/tabularium.service'), 'utf8');

  it('serves, writes no address into the journal, and gives up what the host never needs', () => {
    const values = valuesOf(text);
    expect(values.get('ExecStart')).toBe('tabularium serve --log-format text');
    expect(values.get('ExecStartPost')).toBe('tabularium health --wait 60');
    expect(values.get('StandardOutput')).toBe('null');
    expect(values.get('NoNewPrivileges')).toBe('yes');
    // The walls of drivers and V8 need such memory.
    expect(values.has('MemoryDenyWriteExecute')).toBe(false);
    expect(values.get('SystemCallFilter')).toMatch(/^~/);
    expect(values.get('WantedBy')).toBe('default.target');
  });

  if (onPath('systemd-analyze') !== undefined) {
    it('has no fault for systemd', () => {
      const file = join(folder, 'tabularium.service');
      // Commands without a folder are looked for where packages put them.
      writeFileSync(file, text.replaceAll(/^(ExecStart(?:Post)?)=tabularium/gm, `$1=${process.execPath}`));
      expect(saidBy('systemd-analyze', ['--user', '--man=no', 'verify', file])).toBe('');
    });
  }
});

describe('the control file', () => {
  it('has what dpkg needs, and the libraries of Node', () => {
    const control = debianControl({ version: '1.2.0-beta.1', architecture: 'amd64', kibibytes: 7 });
    expect(control).toMatch(/^Package: tabularium\nVersion: 1\.2\.0~beta\.1\nArchitecture: amd64\n/);
    expect(control).toMatch(/^Depends: .*libc6 \(>= 2\.28\).*libatomic1/m);
    // Of a description, the further lines begin with a blank.
    expect(control.split('\n').at(-1)).toBe('');
    for (const line of control.trimEnd().split('\n')) expect(line).toMatch(/^(?:[A-Z][\w-]*: \S| \S)/);
  });

  it('sorts a version before its release', () => {
    expect(debianVersion('1.0.0')).toBe('1.0.0');
    expect(debianVersion('1.0.0-rc.1')).toBe('1.0.0~rc.1');
  });
});

describe('the checksums', () => {
  it('are those of sha256sum, sorted, with names without folders', async () => {
    writeFileSync(join(folder, 'b.txt'), 'abc');
    writeFileSync(join(folder, 'a.txt'), '');
    const list = await writeChecksums(folder, [join(folder, 'b.txt'), join(folder, 'a.txt')]);
    expect(readFileSync(list, 'utf8')).toBe(
      'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a.txt\n' +
        'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad  b.txt\n',
    );
  });
});

it('a Debian package is open to every user, whatever the umask of the machine that builds it', () => {
  if (onPath('dpkg-deb') === undefined) return;
  const [tree, output] = [mkdtempSync(join(folder, 'tree-')), mkdtempSync(join(folder, 'output-'))];
  const options = { tree, version: '1.0.0', cpu: 'x64', bytes: 1, date: 1_767_225_600, output, compression: 'fast' };
  const script = `
    const { buildDebianPackage } = await import(${JSON.stringify(join(import.meta.dirname, 'debianPackage.ts'))});
    await buildDebianPackage({ ...${JSON.stringify(options)}, env: process.env });
  `;
  const words = [process.execPath, '--conditions=tabularium:source', '--input-type=module', '-e', script];
  expect(saidBy('/bin/sh', ['-c', 'umask 077; exec "$@"', 'sh', ...words])).toBe('');
  const file = join(output, 'tabularium_1.0.0_amd64.deb');
  expect(saidBy('dpkg-deb', ['--contents', file])).toMatch(/^drwxr-xr-x .* \.\/\n$/);
  expect(saidBy('/bin/sh', ['-c', 'dpkg-deb --ctrl-tarfile "$1" | tar -tv', 'sh', file])).toMatch(
    /^drwxr-xr-x .* \.\/\n-rw-r--r-- .* \.\/control\n$/,
  );
});
