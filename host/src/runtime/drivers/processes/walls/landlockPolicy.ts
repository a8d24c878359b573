import type { WiderGrant } from '@tabularium/sdk/manifest';
import type { LandlockPlan, LandlockRule } from '../../../../driver-launcher/launchPlan.ts';

const EXECUTE = 1 << 0;
const WRITE_FILE = 1 << 1;
const READ_FILE = 1 << 2;
const READ_DIR = 1 << 3;
const REMOVE_FILE = 1 << 5;
const MAKE_REG = 1 << 8;
const TRUNCATE = 1 << 14;

/** All file permissions of a version of Landlock: 13 of the first, then REFER, TRUNCATE, and IOCTL_DEV. */
function everyFileRight(version: number): number {
  const count = version >= 5 ? 16 : version >= 3 ? 15 : version === 2 ? 14 : 13;
  return 2 ** count - 1;
}

const BIND_TCP = 0b01;
const CONNECT_TCP = 0b10;
/** Abstract Unix sockets, and signals. */
const SCOPES = 0b11;

export type FileRight = 'read' | 'readWrite';

/** A single file, by its identity: what takes its place later is not granted. */
export interface GrantedFile {
  readonly path: string;
  readonly right: FileRight;
  readonly device: string;
  readonly inode: string;
}

export interface LandlockOptions {
  readonly version: number;
  readonly node: string;
  /** Shared libraries and the loader: single files. */
  readonly libraries: readonly string[];
  /** Files and folders that may be read and are there. */
  readonly readable: readonly string[];
  readonly files: readonly GrantedFile[];
  /** A folder of its own where SQLite keeps temporary files. */
  readonly temporary?: string | undefined;
  readonly wider: readonly WiderGrant[];
  /** The port of its inspector. */
  readonly inspector?: number | undefined;
}

/** Everything is denied but what is listed here. */
export function landlockPolicy(options: LandlockOptions): LandlockPlan {
  const { version, node, libraries, wider } = options;
  const known = everyFileRight(version);
  const rules: LandlockRule[] = [
    { path: node, rights: EXECUTE | READ_FILE },
    ...libraries.map((path) => ({ path, rights: READ_FILE | (isLoader(path) ? EXECUTE : 0) })),
    ...options.readable.map((path) => ({ path, rights: path.endsWith('/') ? READ_FILE | READ_DIR : READ_FILE })),
    ...options.files.map(({ path, right, device, inode }) => ({
      path,
      rights: READ_FILE | (right === 'readWrite' ? WRITE_FILE | TRUNCATE : 0),
      identity: { device, inode },
    })),
    ...(options.temporary === undefined
      ? []
      : [{ path: options.temporary, rights: READ_FILE | WRITE_FILE | TRUNCATE | MAKE_REG | REMOVE_FILE | READ_DIR }]),
    // Every file, but no other program.
    ...(wider.includes('files') ? [{ path: '/', rights: known & ~EXECUTE }] : []),
  ];
  const network = version >= 4 && !wider.includes('network') ? BIND_TCP | CONNECT_TCP : 0;
  return {
    files: known,
    network,
    scopes: version >= 6 ? SCOPES : 0,
    rules: rules.map((rule) => ({ ...rule, rights: rule.rights & known })),
    ports: network === 0 || options.inspector === undefined ? [] : [{ port: options.inspector, rights: BIND_TCP }],
  };
}

/** The program that the kernel starts to load another one: `ld-linux-x86-64.so.2`, `ld-musl-aarch64.so.1`. */
function isLoader(path: string): boolean {
  return /^ld[-.]/.test(path.slice(path.lastIndexOf('/') + 1));
}
