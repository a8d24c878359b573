import { DriverError, isDriverError } from '@tabularium/sdk';
import type { CallOptions, DescribedRequest, HttpRequest } from '@tabularium/sdk';
import type { SearchClient } from './client.ts';
import { requestLine } from './serverErrors.ts';

const LOST: ReadonlySet<string> = new Set(['CONNECTION_LOST', 'TIMEOUT', 'CANCELLED']);

/**
 * Sends a request that changes something, once.
 *
 * @returns the text of the answer
 * @throws DriverError that says that it may have been done, where the answer was lost
 */
export async function sendChange(
  { method, path, headers, body }: DescribedRequest,
  client: SearchClient,
  { signal }: CallOptions,
  timeoutMilliseconds?: number,
): Promise<string> {
  try {
    const response = await client.send({
      method: method as HttpRequest['method'],
      path,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      ...(timeoutMilliseconds === undefined ? {} : { timeoutMilliseconds }),
      repeatable: false,
      signal,
    });
    return await response.text();
  } catch (error) {
    if (!isDriverError(error) || !LOST.has(error.code)) throw error;
    throw new DriverError(
      error.code,
      `${requestLine(method, path)} was sent, but its response was lost, so it may have been done. ${error.message}`,
      { cause: error, details: { ...error.details, advice: 'Refresh the list to see what is there now.' } },
    );
  }
}
