import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import type { DriverDelivery } from '../../../driver-launcher/driverDelivery.ts';
import { LARGEST_DELIVERY } from '../../../driver-launcher/driverDelivery.ts';

/** Files that a driver can import: ES modules, JSON and WebAssembly. */
const IMPORTABLE = /\.(?:js|mjs|json|wasm)$/;
const CODE = /\.(?:js|mjs)$/;
/** The name of Node's module of files as a text in code: in an import, a `require` or anywhere else. */
const NAMES_FILES = /(['"`])(?:node:)?fs(?:\/promises)?\1/;

/** A driver's files, to be sent to its process. */
export interface DeliveredDriver {
  readonly id: string;
  readonly folder: string;
  /** Relative to the folder, with forward slashes. */
  readonly entry: string;
  readonly files: readonly { readonly path: string; readonly content: Uint8Array }[];
}

/**
 * Reads what a driver can import. A driver whose code names Node's module of files has been promised that it may read its folder, so it is
 * not delivered; nor is one that is larger than a delivery.
 *
 * @param folder - a real path
 * @param entry - below it
 * @param paths - the files of the folder, relative to it
 * @returns undefined when the process has to read the folder itself
 */
export async function deliveredDriver(
  id: string,
  folder: string,
  entry: string,
  paths: ReadonlySet<string>,
): Promise<DeliveredDriver | undefined> {
  const importable = [...paths].filter((path) => IMPORTABLE.test(path));
  let left = LARGEST_DELIVERY;
  const files = await Promise.all(
    importable.map(async (path) => {
      const content = await contentOf(join(folder, path), () => left);
      if (content === undefined) return undefined;
      left -= content.length;
      if (left < 0 || (CODE.test(path) && NAMES_FILES.test(content.toString('latin1')))) return undefined;
      return { path: slashed(path), content };
    }),
  );
  const complete = files.filter((file) => file !== undefined);
  return complete.length < files.length ? undefined : { id, folder, entry: slashed(relative(folder, entry)), files: complete };
}

/** The bytes that a process takes as its driver. @param acknowledge - whether it says so before it runs any code of the driver */
export function encodeDelivery(driver: DeliveredDriver, acknowledge: boolean): Uint8Array {
  const { id, folder, entry, files } = driver;
  const head: DriverDelivery = {
    version: 1,
    ...{ id, folder, entry, acknowledge, secret: randomUUID() },
    files: files.map(({ path, content }) => ({ path, bytes: content.length })),
  };
  const text = Buffer.from(JSON.stringify(head));
  const length = Buffer.alloc(4);
  length.writeUInt32BE(text.length);
  return Buffer.concat([length, text, ...files.map(({ content }) => content)]);
}

/** A link that takes the place of a file since the folder was looked through is not followed. */
async function contentOf(path: string, left: () => number): Promise<Buffer | undefined> {
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const { size } = await file.stat();
    return size > left() ? undefined : await file.readFile();
  } finally {
    await file.close();
  }
}

function slashed(path: string): string {
  return path.split(sep).join('/');
}
