import { decodePage } from '@tabularium/sdk';
import type { PageRequest } from '@tabularium/sdk';
import type { Runtime } from '../../host/src/runtime/runtime.ts';

/** Reads a page as the window does, over the API, decodes it, and returns how many rows it has. */
export async function rowsOfPage(runtime: Runtime, connectionId: string, request: PageRequest): Promise<number> {
  const body = JSON.stringify({ connectionId, request });
  const answer = await runtime.handler(new Request('http://host/api/page', { method: 'POST', body }));
  const bytes = new Uint8Array(await answer.arrayBuffer());
  return decodePage(bytes.subarray(bytes.indexOf(10) + 1)).rows.length;
}
