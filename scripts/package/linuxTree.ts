import { chmod, cp, link, lstat, mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { NOTICE_FILES } from '../../sdk/src/cli/notices/writeNotices.ts';
import { DESKTOP_ENTRIES } from './desktopEntries.ts';

/** The programs of a package, on the PATH of a person. */
export const LINUX_PROGRAMS: readonly string[] = ['tabularium', 'tabularium-mcp'];

/** Says that Electron is missing, which nothing here needs. */
const OF_THE_LAYOUT_ALONE = 'READ-ME.txt';
const ICON_SIZES = [48, 512];

export interface LinuxTreeOptions {
  readonly root: string;
  /** A laid out application. Its files are linked, or copied where they can't be. */
  readonly laidOut: string;
  /** An empty folder for the tree. */
  readonly output: string;
}

/**
 * The files of an application below a prefix of Linux, such as `/usr` or `~/.local`: the laid out application in `lib`, links to its programs in `bin`,
 * and what a desktop, `man` and systemd look for. The archive and the Debian package are made of the same tree.
 */
export async function makeLinuxTree({ root, laidOut, output }: LinuxTreeOptions): Promise<void> {
  const application = join(output, 'lib/tabularium');
  const ownPlace = new Set([OF_THE_LAYOUT_ALONE, ...NOTICE_FILES]);
  for (const name of await readdir(laidOut)) {
    if (!ownPlace.has(name)) await linkTree(join(laidOut, name), join(application, name));
  }
  await mkdir(join(output, 'bin'));
  for (const name of LINUX_PROGRAMS) await symlink(`../lib/tabularium/${name}`, join(output, 'bin', name));

  const write = async (path: string, content: string | Uint8Array): Promise<void> => {
    await mkdir(dirname(join(output, path)), { recursive: true });
    await writeFile(join(output, path), content);
  };
  for (const [name, content] of DESKTOP_ENTRIES) await write(`share/applications/${name}`, content);
  for (const size of ICON_SIZES) {
    const icon = await readFile(join(root, `host/icons/tabularium-${size}.png`));
    await write(`share/icons/hicolor/${size}x${size}/apps/tabularium.png`, icon);
  }
  for (const name of LINUX_PROGRAMS) {
    const page = await readFile(join(root, `host/man/${name}.1`));
    // Without a time in its head: the same page is the same file.
    await write(`share/man/man1/${name}.1.gz`, gzipSync(page, { level: 9 }));
  }
  await write('lib/systemd/user/tabularium.service', await readFile(join(import.meta.dirname, 'linux/tabularium.service')));
  for (const name of NOTICE_FILES) await write(`share/doc/tabularium/${name}`, await readFile(join(laidOut, name)));
  await write('share/doc/tabularium/copyright', await readFile(join(root, 'host/LICENSE')));
  await setModes(output);
}

async function linkTree(from: string, to: string): Promise<void> {
  if ((await lstat(from)).isDirectory()) {
    await mkdir(to, { recursive: true });
    for (const name of await readdir(from)) await linkTree(join(from, name), join(to, name));
    return;
  }
  await mkdir(dirname(to), { recursive: true });
  try {
    await link(from, to);
  } catch {
    // Another file system, or one without links.
    await cp(from, to);
  }
}

/** Files that everyone may read and only the owner changes, whatever the umask of this machine and the modes inside packages of npm are. */
async function setModes(path: string): Promise<void> {
  const state = await lstat(path);
  if (state.isSymbolicLink()) return;
  const mode = state.isDirectory() || (state.mode & 0o111) !== 0 ? 0o755 : 0o644;
  if ((state.mode & 0o7777) !== mode) await chmod(path, mode);
  if (!state.isDirectory()) return;
  for (const name of await readdir(path)) await setModes(join(path, name));
}
