import { DriverError } from '@tabularium/sdk';

/** Bytes of one event as a line of JSON, its line feed included; the host takes no longer one. */
const LARGEST_EVENT = 16 * 1024 * 1024;
/** Bytes that one UTF-16 unit needs at most. */
const BYTES_OF_UNIT = 3;

/**
 * An event as a line of JSON. The host ends a process that sends a longer one.
 *
 * @throws DriverError where it is too long: the data is at fault, not the driver, where a single row is
 */
export function eventLine(event: unknown): string {
  const line = `${JSON.stringify(event)}\n`;
  const bytes = line.length * BYTES_OF_UNIT <= LARGEST_EVENT ? 0 : Buffer.byteLength(line);
  if (bytes > LARGEST_EVENT) throw largeEvent(event, bytes);
  return line;
}

function largeEvent(event: unknown, bytes: number): DriverError {
  const megabytes = (size: number): string => (size / (1024 * 1024)).toFixed(0);
  const rows =
    typeof event === 'object' && event !== null && 'rows' in event && Array.isArray(event.rows) ? event.rows.length : 0;
  if (rows > 1)
    return new DriverError(
      'DRIVER_FAULT',
      `An event with ${rows} rows is ${megabytes(bytes)} MB; the most is ${megabytes(LARGEST_EVENT)} MB.`,
    );
  return new DriverError(
    'TOO_LARGE',
    `A part of the answer is ${megabytes(bytes)} MB, and ${megabytes(LARGEST_EVENT)} MB are shown at most.`,
    { details: { advice: 'Leave the large value out, or read a part of it.' } },
  );
}
