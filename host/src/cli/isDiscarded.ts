import { fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Writable } from 'node:stream';

/** Whether what is written there is lost: to the null device, which Node also puts in the place of an output that was closed before it started. */
export function isDiscarded(output: Writable): boolean {
  if (!('fd' in output) || typeof output.fd !== 'number' || process.platform === 'win32') return false;
  try {
    const entry = fstatSync(output.fd);
    return entry.isCharacterDevice() && entry.rdev === statSync(devNull).rdev;
  } catch {
    return false;
  }
}
