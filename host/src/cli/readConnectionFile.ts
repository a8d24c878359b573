import { readFile } from 'node:fs/promises';
import type { ConnectionInput } from '../common/connection.ts';
import { connectionInputSchema } from '../common/connection.ts';
import { HostError } from '../common/errors.ts';

/**
 * A connection to offer (see `offerSample`), from a file.
 *
 * @throws HostError `INVALID_REQUEST` when the file holds none
 */
export async function readConnectionFile(file: string): Promise<ConnectionInput> {
  try {
    return connectionInputSchema.parse(JSON.parse(await readFile(file, 'utf8')));
  } catch (cause) {
    throw new HostError('INVALID_REQUEST', `${file} holds no connection.`, { cause });
  }
}
