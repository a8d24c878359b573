import { HostError } from '../common/errors.ts';
import { sampleConnectionSchema } from '../common/sampleConnection.ts';
import type { SampleConnection } from '../common/sampleConnection.ts';
import { readRegularText } from '../runtime/storage/regularFile.ts';

/**
 * Connections to offer (see `offerSample`), from a file that holds one or a list.
 *
 * @throws HostError `INVALID_REQUEST` when the file holds none
 */
export async function readSampleFile(file: string): Promise<readonly SampleConnection[]> {
  try {
    const value: unknown = JSON.parse(await readRegularText(file));
    return (Array.isArray(value) ? value : [value]).map((one) => sampleConnectionSchema.parse(one));
  } catch (cause) {
    throw new HostError('INVALID_REQUEST', `${file} holds no connection.`, { cause });
  }
}
