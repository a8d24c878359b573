import type { PackageFiles } from './files.ts';
import { PackageFault } from './sign.ts';

const BLOCK = 512;
/** npm's own: every file of every package bears this date, so that the same content gives the same archive. */
const MODIFIED_SECONDS = Date.parse('1985-10-26T08:15:00.000Z') / 1_000;
const MODE = 0o644;
/** The fields of a ustar header, and where they are. */
const NAME_BYTES = 100;
const PREFIX_BYTES = 155;

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, '0')}\0`;
}

/** A path as ustar has it: what does not fit into the name goes before it, cut at a slash. */
function splitPath(path: string): { readonly prefix: string; readonly name: string } {
  if (path.length <= NAME_BYTES) return { prefix: '', name: path };
  for (let at = path.indexOf('/'); at !== -1; at = path.indexOf('/', at + 1)) {
    if (at <= PREFIX_BYTES && path.length - at - 1 <= NAME_BYTES) return { prefix: path.slice(0, at), name: path.slice(at + 1) };
  }
  throw new PackageFault(`The path ${JSON.stringify(path)} is too long for an archive.`);
}

/** The header of one file, POSIX 1003.1-1988. Paths of packages are ASCII (see faultOfPath). */
function header(path: string, size: number): Uint8Array<ArrayBuffer> {
  const { prefix, name } = splitPath(path);
  const block = new Uint8Array(BLOCK);
  const encoder = new TextEncoder();
  const write = (at: number, text: string): void => block.set(encoder.encode(text), at);
  write(0, name);
  write(100, octal(MODE, 8));
  write(108, octal(0, 8));
  write(116, octal(0, 8));
  write(124, octal(size, 12));
  write(136, octal(MODIFIED_SECONDS, 12));
  // The checksum is taken with blanks in its own place.
  write(148, ' '.repeat(8));
  write(156, '0');
  write(257, 'ustar\0' + '00');
  write(345, prefix);
  const sum = block.reduce((total, byte) => total + byte, 0);
  write(148, `${sum.toString(8).padStart(6, '0')}\0 `);
  return block;
}

/**
 * An npm archive (`.tgz`) of a package's files. The same files give the same bytes.
 *
 * @param files - the signature among them, where the package is signed
 * @throws PackageFault for a path that no archive can hold
 */
export async function packPackageFiles(files: PackageFiles): Promise<Uint8Array<ArrayBuffer>> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (const [path, bytes] of [...files].sort(([a], [b]) => (a < b ? -1 : 1))) {
    parts.push(header(`package/${path}`, bytes.length), bytes, new Uint8Array((BLOCK - (bytes.length % BLOCK)) % BLOCK));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  const stream = new Blob(parts).stream().pipeThrough(new CompressionStream('gzip'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}
