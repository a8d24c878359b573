import { readFile } from 'node:fs/promises';
import type { ConnectionInput } from '../common/connection.ts';
import { connectionInputSchema } from '../common/connection.ts';
import { HostError } from '../common/errors.ts';

/**
 * Connections to offer (see `offerSample`), from a file that holds one or a list.
 *
 * @throws HostError `INVALID_REQUEST` when the file holds none
 */
export async function readFileToImport(file: string): Promise<readonly ConnectionInput[]> {
  try {
    const value: unknown = JSON.parse(await readFile(file, 'utf8'));
    return (Array.isArray(value) ? value : [value]).map((one) => connectionInputSchema.parse(one));
  } catch (cause) {
    throw new HostError('INVALID_REQUEST', `${file} holds no connection.`, { cause });
  }
}
