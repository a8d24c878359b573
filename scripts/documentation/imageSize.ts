import { readFileSync } from 'node:fs';

const PNG = '89504e470d0a1a0a';
const WIDTH_AT = 16;
const HEIGHT_AT = 20;

/** The size of a PNG, which keeps the place of a picture until it is there. Undefined for other files. */
export function imageSize(file: string): { readonly width: number; readonly height: number } | undefined {
  const content = readFileSync(file);
  if (content.subarray(0, PNG.length / 2).toString('hex') !== PNG) return undefined;
  return { width: content.readUInt32BE(WIDTH_AT), height: content.readUInt32BE(HEIGHT_AT) };
}
