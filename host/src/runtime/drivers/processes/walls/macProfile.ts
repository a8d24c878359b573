export interface MacProfileOptions {
  readonly node: string;
  readonly runner: string;
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly right: 'read' | 'readWrite' }[];
  /** A folder of its own for temporary files, where SQLite needs one. */
  readonly temporary?: string;
  readonly network: boolean;
}

/**
 * A profile for macOS's sandbox-exec: the counterpart of Landlock and seccomp on Linux. It has never been run on a Mac, so nothing uses it yet; an
 * untested profile isn't a wall.
 */
export function macProfile(options: MacProfileOptions): string {
  const { node, runner, folder, files, temporary, network } = options;
  const writable = files.filter(({ right }) => right === 'readWrite');
  return [
    '(version 1)',
    '(deny default)',
    '(import "system.sb")',
    `(allow process-exec (literal ${quoted(node)}))`,
    '(allow process-info* (target self))',
    '(allow signal (target self))',
    '(allow sysctl-read)',
    `(allow file-read* (literal ${quoted(node)}) (literal ${quoted(runner)}) (subpath ${quoted(folder)}))`,
    '(allow file-read* (subpath "/usr/lib") (subpath "/System/Library") (subpath "/usr/share/zoneinfo") (literal "/dev/urandom"))',
    '(allow file-read* file-write-data (literal "/dev/null"))',
    ...files.map(({ path }) => `(allow file-read* (literal ${quoted(path)}))`),
    ...writable.map(({ path }) => `(allow file-write* (literal ${quoted(path)}))`),
    ...(temporary === undefined ? [] : [`(allow file-read* file-write* (subpath ${quoted(temporary)}))`]),
    ...(network ? ['(allow network-outbound (remote tcp))', '(allow network-outbound (remote udp))'] : ['(deny network*)']),
    '',
  ].join('\n');
}

/** Starts a program inside a profile. */
export function macCommand(profile: string, command: readonly string[]): readonly string[] {
  return ['/usr/bin/sandbox-exec', '-p', profile, ...command];
}

/** A text of the profile's language. @throws Error for a path that it cannot name */
function quoted(path: string): string {
  if (/\p{Cc}/u.test(path)) throw new Error('A path with a control character cannot be named in a sandbox profile');
  return `"${path.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
