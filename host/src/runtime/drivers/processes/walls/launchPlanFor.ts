import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { WiderGrant } from '@tabularium/sdk/manifest';
import type { LaunchPlan } from '../../../../driver-launcher/launchPlan.ts';
import type { GrantedFile } from './landlockPolicy.ts';
import { landlockPolicy } from './landlockPolicy.ts';
import { seccompPolicy } from './seccompPolicy.ts';
import type { WallState } from './wallState.ts';

/** Files that Node itself reads: the list of libraries, the time zone, nothing and chance. A folder ends in a slash. */
export const SYSTEM_READABLE: readonly string[] = [
  '/etc/ld.so.cache',
  '/dev/null',
  '/dev/urandom',
  '/etc/localtime',
  '/etc/timezone',
  '/usr/share/zoneinfo/',
  '/proc/self/stat',
].filter((path) => process.platform === 'linux' && existsSync(path));

const NAME_RESOLUTION = [
  ...[
    '/etc/resolv.conf',
    '/etc/hosts',
    '/etc/host.conf',
    '/etc/nsswitch.conf',
    '/etc/gai.conf',
    '/etc/services',
    '/etc/protocols',
  ],
  ...['/etc/ssl/', '/etc/pki/', '/usr/share/ca-certificates/', '/etc/ca-certificates/'],
];
const LIBRARIES = ['/lib/', '/lib64/', '/usr/lib/', '/usr/lib64/', '/usr/local/lib/'];

const RLIMIT_FSIZE = 1;
const RLIMIT_DATA = 2;
const RLIMIT_CORE = 4;

export interface LaunchPlanOptions {
  readonly wall: Extract<WallState, { present: true }>;
  readonly node: string;
  readonly runner: string;
  /** The driver's, which the process may read; absent: it reads none. */
  readonly folder: string | undefined;
  /** The program with its arguments. */
  readonly arguments: readonly string[];
  readonly files: readonly GrantedFile[];
  readonly temporary: string | undefined;
  readonly wider: readonly WiderGrant[];
  /** The one port that it may listen on, for its author's debugger; absent: none. */
  readonly inspector?: number | undefined;
  readonly dataBytes: number;
  /** Whether the process ends with the host. */
  readonly endWithHost: boolean;
}

/** The kernel's permissions for a driver's process. */
export function launchPlanFor(options: LaunchPlanOptions): LaunchPlan {
  const { wall, node, runner, folder, files, temporary, wider, inspector } = options;
  const writesFiles = files.some(({ right }) => right === 'readWrite');
  const writesAnything = writesFiles || wider.includes('sqlite') || wider.includes('files');
  const readable = [
    ...SYSTEM_READABLE,
    runner,
    ...packageFileAbove(runner),
    ...(folder === undefined ? [] : [`${folder}/`]),
    ...[
      ...(wider.includes('network') ? [...NAME_RESOLUTION, ...LIBRARIES] : []),
      ...(wider.includes('addons') ? LIBRARIES : []),
    ].filter((path) => existsSync(path)),
  ];
  return {
    version: 1,
    ...(options.endWithHost ? { parent: process.pid } : {}),
    folder: folder ?? '/',
    arguments: options.arguments,
    environment: temporary === undefined ? [] : [`SQLITE_TMPDIR=${temporary}`],
    limits: [
      { resource: RLIMIT_CORE, value: 0 },
      { resource: RLIMIT_DATA, value: options.dataBytes },
      ...(writesAnything ? [] : [{ resource: RLIMIT_FSIZE, value: 0 }]),
    ],
    landlock: landlockPolicy({
      version: wall.landlock,
      libraries: wall.libraries,
      ...{ node, readable, files, temporary, wider, inspector },
    }),
    seccomp: seccompPolicy(wall.architecture, { wider, writesFiles, listens: inspector !== undefined }),
  };
}

/** Node looks there whether the runner is a module; what it cannot read it takes for broken. */
function packageFileAbove(file: string): readonly string[] {
  for (let folder = dirname(file); ; folder = dirname(folder)) {
    const found = join(folder, 'package.json');
    if (existsSync(found)) return [found];
    if (folder === dirname(folder)) return [];
  }
}
