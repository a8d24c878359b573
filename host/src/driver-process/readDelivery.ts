import { readSync, writeSync } from 'node:fs';
import type { DriverDelivery } from '../driver-launcher/driverDelivery.ts';
import { DELIVERY_TAKEN, LARGEST_DELIVERY, LARGEST_DELIVERY_HEAD } from '../driver-launcher/driverDelivery.ts';
import { create } from './sandbox/intrinsics.ts';

// Taken now: the process loses them before the delivery comes.
const read = readSync;
const write = writeSync;

/** A driver that the host has sent. */
export interface ReceivedDriver {
  readonly id: string;
  readonly folder: string;
  /** Relative to the folder. */
  readonly entry: string;
  /** A random text that can't be guessed. */
  readonly secret: string;
  /** The files by their absolute paths. The object has no prototype. */
  readonly files: Readonly<Record<string, Uint8Array>>;
}

/**
 * Waits for the host's delivery. It blocks the thread: nothing else happens in the process, and it uses no processor time.
 *
 * @returns undefined when the host is gone
 * @throws Error for a delivery of another version or beyond the limits
 */
export function readDelivery(descriptor: number): ReceivedDriver | undefined {
  const length = readExactly(descriptor, 4)?.readUInt32BE();
  if (length === undefined) return undefined;
  if (length > LARGEST_DELIVERY_HEAD) throw new Error('The head of the delivery is too large');
  const head = readExactly(descriptor, length);
  if (head === undefined) return undefined;
  const { version, id, folder, entry, files, secret, acknowledge } = JSON.parse(head.toString()) as DriverDelivery;
  if (version !== 1) throw new Error('The delivery has another version than this program');
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  if (total > LARGEST_DELIVERY) throw new Error('The delivery is too large');
  const delivered = create(null) as Record<string, Uint8Array>;
  for (const { path, bytes } of files) {
    const content = readExactly(descriptor, bytes);
    if (content === undefined) return undefined;
    delivered[`${folder}/${path}`] = content;
  }
  if (acknowledge) write(descriptor, Uint8Array.of(DELIVERY_TAKEN));
  return { id, folder, entry, secret, files: delivered };
}

function readExactly(descriptor: number, length: number): Buffer | undefined {
  // Of its own memory: a part of Node's shared pool would show a driver what lies beside it.
  const bytes = Buffer.allocUnsafeSlow(length);
  for (let filled = 0; filled < length;) {
    const count = read(descriptor, bytes, filled, length - filled, null);
    if (count === 0) return undefined;
    filled += count;
  }
  return bytes;
}
