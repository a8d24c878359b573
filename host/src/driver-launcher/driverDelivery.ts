/**
 * A driver's files, as the host sends them to a process that may not read the driver's folder. The host writes one delivery to descriptor 3,
 * before the wire begins: a 4-byte big-endian length, this head as JSON, and then the bytes of all files in the order of the list.
 */
export interface DriverDelivery {
  readonly version: 1;
  readonly id: string;
  /** The driver's folder: a real path, which addresses the files and cannot be read. */
  readonly folder: string;
  /** The file to load, relative to the folder, with forward slashes as all paths here. */
  readonly entry: string;
  readonly files: readonly { readonly path: string; readonly bytes: number }[];
  /** A random text that can't be guessed, for the module hooks of the process: to make one there would load Node's cryptography at each start. */
  readonly secret: string;
  /** Whether the process answers with {@link DELIVERY_TAKEN} before it runs any code of the driver. */
  readonly acknowledge: boolean;
}

/** The argument in place of a driver's entry: the driver is delivered. */
export const DELIVERED = '--delivered';
/** The argument after it, where no caller waits for the process yet: it plays a session with itself before it waits for its driver. */
export const REHEARSED = '--rehearsed';
/** The byte that says that the delivery is complete. */
export const DELIVERY_TAKEN = 0x06;
/** Largest size of all files of one delivery, in bytes. */
export const LARGEST_DELIVERY = 16 * 1024 * 1024;
/** Largest size of the head, in bytes. */
export const LARGEST_DELIVERY_HEAD = 1024 * 1024;
