import { gunzipSync } from 'node:zlib';
import { Parser } from 'tar';
import type { ReadEntry } from 'tar';
import { describe, expect, it } from 'vitest';
import { packPackageFiles } from './pack.ts';
import { PACKAGE_LIMITS } from './files.ts';

/** The content of an archive as another implementation reads it. */
async function entriesOf(archive: Uint8Array): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  await new Promise<void>((resolve, reject) => {
    const parser = new Parser({
      strict: true,
      onReadEntry: (entry: ReadEntry) => {
        const chunks: Buffer[] = [];
        entry.on('data', (chunk: Buffer) => chunks.push(chunk));
        entry.on('end', () => found.set(entry.path, Buffer.concat(chunks).toString('utf8')));
      },
    });
    parser.on('end', resolve);
    parser.on('error', reject);
    parser.end(gunzipSync(archive));
  });
  return found;
}

const bytes = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

describe('an archive', () => {
  it('is read by tar as it was packed, whatever the length of a file', async () => {
    const contents = ['', 'a', 'b'.repeat(511), 'c'.repeat(512), 'd'.repeat(513), 'ü'.repeat(5_000)];
    const files = new Map(contents.map((text, place) => [`dist/${place}.js`, bytes(text)]));
    const found = await entriesOf(await packPackageFiles(files));
    expect([...found]).toEqual(contents.map((text, place) => [`package/dist/${place}.js`, text]));
  });

  it('holds every path that a package may have', async () => {
    const folder = 'x'.repeat(60);
    const long = `${folder}/${folder}/${'y'.repeat(70)}.js`;
    expect(long.length).toBeLessThanOrEqual(PACKAGE_LIMITS.pathLength);
    expect([...(await entriesOf(await packPackageFiles(new Map([[long, bytes('1')]]))))]).toEqual([[`package/${long}`, '1']]);
    await expect(packPackageFiles(new Map([['z'.repeat(150), bytes('')]]))).rejects.toThrow('too long');
  });

  it('is the same for the same files, in whatever order they come', async () => {
    const one = new Map([
      ['a', bytes('1')],
      ['b', bytes('2')],
    ]);
    expect(await packPackageFiles(one)).toEqual(await packPackageFiles(new Map([...one].reverse())));
  });
});
