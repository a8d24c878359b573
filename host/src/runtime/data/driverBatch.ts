import { DriverError, decodeBatch, decodePage } from '@tabularium/sdk';
import type { PageBatch, RowBatch } from '@tabularium/sdk';

/** The rows of a driver's batch. @throws DriverError `DRIVER_FAULT` for bytes that aren't a batch */
export function driverBatch(bytes: Uint8Array): RowBatch {
  return decoded(bytes, decodeBatch);
}

/** The rows of a driver's page whose request allows placeholders. @throws DriverError `DRIVER_FAULT` for bytes that aren't a batch */
export function driverPage(bytes: Uint8Array): PageBatch {
  return decoded(bytes, decodePage);
}

function decoded<Batch>(bytes: Uint8Array, decode: (bytes: Uint8Array) => Batch): Batch {
  try {
    return decode(bytes);
  } catch (cause) {
    throw new DriverError('DRIVER_FAULT', "The driver sent rows that can't be read.", { cause });
  }
}
