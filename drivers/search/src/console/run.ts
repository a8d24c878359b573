import type { DescribedRequest, ResultEvent, RunOptions } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import type { ExactJson } from '../exactJson.ts';
import { parseExact } from '../exactJson.ts';
import { textMustFit } from '../rowEvents.ts';
import { effectOf } from './effects.ts';
import { showJson } from './grid.ts';
import type { Shown } from './grid.ts';
import { showLines } from './jsonLines.ts';
import { namingVersion } from './otherVersion.ts';
import type { ConsoleRequest } from './request.ts';

/** JSON is shown whole or not at all. The process has 256 MiB; text, value and indented text must fit into it together. */
const MAX_JSON_BYTES = 24 * 1_048_576;

const STATUS_TEXTS: Readonly<Record<number, string>> = { 200: 'OK', 201: 'Created', 202: 'Accepted', 204: 'No Content' };

function placeOf({ path }: ConsoleRequest): { readonly onDocuments: boolean; readonly action: string | undefined } {
  const [area, , documents, action] = path.segments;
  return { onDocuments: area === 'collections' && documents === 'documents', action };
}

/** The HTTP request of a console request; the host adds the key. */
export function describeRequest(request: ConsoleRequest): DescribedRequest {
  const { onDocuments, action } = placeOf(request);
  const { method, path, body } = request;
  if (body === '') return { method, path: path.encoded };
  const type = onDocuments && action === 'import' ? 'text/plain' : 'application/json';
  return { method, path: path.encoded, body, headers: { 'content-type': type } };
}

export async function* runRequest(
  request: ConsoleRequest,
  client: SearchClient,
  { maxRows, signal }: RunOptions,
  version?: string,
): AsyncGenerator<ResultEvent, void> {
  const started = performance.now();
  const { onDocuments, action } = placeOf(request);
  const response = await client
    .send({
      ...describeRequest(request),
      method: request.method,
      repeatable: effectOf(request).effect === 'read',
      signal,
    })
    .catch((error: unknown) => {
      throw namingVersion(error, request, version);
    });
  let shown: Shown = { truncated: false };
  if (request.method === 'HEAD' || response.status === 204) {
    await response.discard();
  } else if (isLines(response.headers['content-type'] ?? '', onDocuments ? action : undefined)) {
    shown = yield* showLines(response.body, { maxRows, always: onDocuments && action === 'export' });
  } else {
    const text = await response.text(MAX_JSON_BYTES);
    const json = jsonOf(text);
    if (json !== undefined) shown = yield* showJson(text, json, maxRows);
    else if (text !== '') {
      textMustFit(text);
      yield { type: 'text', mediaType: 'text/plain', text };
    }
  }
  const words = STATUS_TEXTS[response.status];
  yield {
    type: 'done',
    ...shown,
    status: words === undefined ? String(response.status) : `${response.status} ${words}`,
    milliseconds: performance.now() - started,
  };
}

/** Exports and imports answer in lines, unless they answer with an error; whatever else is plain text may be lines too. */
function isLines(contentType: string, action: string | undefined): boolean {
  if (/^application\/json\b/.test(contentType)) return false;
  return contentType.startsWith('text/plain') || action === 'export' || action === 'import';
}

function jsonOf(text: string): ExactJson | undefined {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
