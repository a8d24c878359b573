import { DriverError, isDriverError, wholeStart } from '@tabularium/sdk';
import type { DescribedRequest, ResultEvent, RunOptions } from '@tabularium/sdk';
import type { SearchClient } from '../client.ts';
import type { ExactJson } from '../exactJson.ts';
import { parseExact } from '../exactJson.ts';
import { otherServerError } from '../otherServer.ts';
import { textMustFit } from '../rowEvents.ts';
import { requestLine } from '../serverErrors.ts';
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
  options: RunOptions,
  version?: string,
): AsyncGenerator<ResultEvent, void> {
  try {
    yield* sendRequest(request, client, options, version);
  } catch (error) {
    const isLost = isDriverError(error) && error.code === 'CONNECTION_LOST' && error.details.advice === undefined;
    if (!isLost || effectOf(request).effect !== 'read') throw error;
    // The usual advice is to look for a change, and there is none.
    const details = {
      ...error.details,
      advice: 'Run the request again. It only reads, so nothing was changed.',
      texts: { ...error.details.texts, advice: { id: 'fault.readAgain' } },
    };
    throw new DriverError(error.code, error.message, { details, cause: error });
  }
}

async function* sendRequest(
  request: ConsoleRequest,
  client: SearchClient,
  { maxRows, whole = false, signal }: RunOptions,
  version: string | undefined,
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
  const contentType = response.headers['content-type'] ?? '';
  let shown: Shown = { truncated: false };
  let other: string | undefined;
  const words = STATUS_TEXTS[response.status];
  const end = (): { status: string; milliseconds: number } => ({
    status: `${words === undefined ? String(response.status) : `${response.status} ${words}`}${other ?? ''}`,
    milliseconds: performance.now() - started,
  });
  if (request.method === 'HEAD' || response.status === 204) {
    await response.discard();
  } else if (isLines(contentType, onDocuments ? action : undefined)) {
    shown = yield* showLines(response.body, { maxRows, always: onDocuments && action === 'export' });
  } else {
    const text = await response.text(MAX_JSON_BYTES);
    const json = jsonOf(text);
    if (json !== undefined) shown = yield* showJson(text, json, { maxRows, whole, end });
    else if (text !== '') {
      textMustFit(text);
      other = otherAnswer(text, contentType, requestLine(request.method, request.path.encoded));
      yield { type: 'text', mediaType: 'text/plain', text };
    }
  }
  yield { type: 'done', ...shown, ...end() };
}

/** Exports and imports answer in lines, unless they answer with an error; whatever else is plain text may be lines too. */
function isLines(contentType: string, action: string | undefined): boolean {
  if (/^(?:application\/json|text\/html)\b/.test(contentType)) return false;
  return contentType.startsWith('text/plain') || action === 'export' || action === 'import';
}

const LONGEST_BEGINNING = 80;

/** Says of an answer that a search server never gives what it seems to be, for the end of its status. */
function otherAnswer(text: string, contentType: string, line: string): string | undefined {
  const found = otherServerError(200, text, line);
  if (found === undefined) return undefined;
  const type = contentType.split(';', 1)[0]?.trim().slice(0, LONGEST_BEGINNING) ?? '';
  const [first = ''] = text.trim().split('\n', 1);
  const beginning = first.length > LONGEST_BEGINNING ? `${wholeStart(first, LONGEST_BEGINNING)}…` : first;
  return `. This isn't the search server's answer. ${found.message} It has ${type === '' ? 'no content type' : `the content type ${type}`} and begins “${beginning}”. ${found.advice}`;
}

function jsonOf(text: string): ExactJson | undefined {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}
