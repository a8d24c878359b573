import { DriverError } from '@tabularium/sdk';
import { badAnswer } from '../client.ts';
import type { SearchClient } from '../client.ts';
import { linesOf } from '../console/lines.ts';
import { lineFault } from '../export/judge.ts';
import { isObject, textOfField } from '../guards.ts';
import { collectionPath } from '../paths.ts';
import { requestLine } from '../serverErrors.ts';
import { faultTexts } from '../faultTexts.ts';

/** Documents of one import: enough that a round trip costs little, few enough that the server answers long before a time-out. */
const BATCH_DOCUMENTS = 1_000;
const BATCH_CHARACTERS = 2 * 1_048_576;

/** How far a copy is. */
export interface CopyState {
  /** Documents that were sent, rejected ones among them. */
  readonly done: number;
  readonly rejected: number;
  /** The id of the last one. */
  readonly lastId?: string;
}

/** A document that the new collection refused. */
export interface Rejection {
  readonly id: string;
  readonly message: string;
}

/** One import of a copy. */
export interface CopiedBatch {
  readonly state: CopyState;
  readonly rejections: readonly Rejection[];
}

export function exportRequestPath(from: string): string {
  return `${collectionPath(from)}/documents/export?batch_size=${BATCH_DOCUMENTS}`;
}

/**
 * A document that is sent twice, such as after an interruption, is the same one.
 *
 * @param converts - values of another type are converted where the server can, 9.99 to 9 among them; otherwise their documents are rejected
 */
export function importRequestPath(to: string, converts: boolean): string {
  return `${collectionPath(to)}/documents/import?action=upsert&dirty_values=${converts ? 'coerce_or_reject' : 'reject'}`;
}

/** The source and the target of a copy. */
interface CopyNames {
  readonly from: string;
  readonly to: string;
  /** Whether values of another type are converted. */
  readonly converts: boolean;
}

interface Line {
  readonly text: string;
  readonly id: string;
}

/**
 * Copies the documents behind a state from one collection to another. Memory holds one import. The server exports in the order in which documents were
 * added, so what is behind the last one has not been copied; where that one is gone, all are sent again, which changes none that is there.
 *
 * @param from - the state to continue from
 */
export async function* copyDocuments(
  client: SearchClient,
  names: CopyNames,
  from: CopyState,
  signal: AbortSignal,
): AsyncGenerator<CopiedBatch, CopyState> {
  const state = yield* copyBehind(client, names, from, signal);
  if (state !== undefined) return state;
  return (yield* copyBehind(client, names, { done: 0, rejected: 0 }, signal)) ?? { done: 0, rejected: 0 };
}

/** @returns undefined where the last document of the state is gone */
async function* copyBehind(
  client: SearchClient,
  { from, to, converts }: CopyNames,
  begin: CopyState,
  signal: AbortSignal,
): AsyncGenerator<CopiedBatch, CopyState | undefined> {
  const path = exportRequestPath(from);
  const response = await client.send({ method: 'GET', path, repeatable: true, signal });
  const lines = linesOf(response.body);
  let state = begin;
  let isBehind = begin.lastId === undefined;
  let batch: Line[] = [];
  let characters = 0;
  const send = async (): Promise<CopiedBatch> => {
    const rejections = await importLines(client, importRequestPath(to, converts), batch, signal);
    const lastId = batch.at(-1)?.id;
    state = {
      done: state.done + batch.length,
      rejected: state.rejected + rejections.length,
      ...(lastId === undefined ? {} : { lastId }),
    };
    batch = [];
    characters = 0;
    return { state, rejections };
  };
  try {
    for await (const text of lines) {
      signal.throwIfAborted();
      const id = idOf(text, requestLine('GET', path));
      if (!isBehind) {
        isBehind = id === begin.lastId;
        continue;
      }
      batch.push({ text, id });
      characters += text.length;
      if (batch.length >= BATCH_DOCUMENTS || characters >= BATCH_CHARACTERS) yield await send();
    }
    if (batch.length > 0) yield await send();
  } finally {
    await lines.return();
  }
  return isBehind ? state : undefined;
}

function idOf(line: string, request: string): string {
  const fault = lineFault(line, true, request);
  if (fault !== undefined) throw fault;
  const document: unknown = JSON.parse(line);
  return (isObject(document) ? textOfField(document, 'id') : undefined) ?? '';
}

async function importLines(
  client: SearchClient,
  path: string,
  batch: readonly Line[],
  signal: AbortSignal,
): Promise<Rejection[]> {
  const response = await client.send({
    method: 'POST',
    path,
    headers: { 'content-type': 'text/plain' },
    body: batch.map(({ text }) => text).join('\n'),
    repeatable: false,
    signal,
  });
  const rejections: Rejection[] = [];
  let place = 0;
  for await (const line of linesOf(response.body)) {
    const outcome = outcomeOf(line, requestLine('POST', path));
    const id = batch[place]?.id ?? '';
    place += 1;
    if (outcome !== undefined) rejections.push({ id, message: outcome });
  }
  if (place !== batch.length) {
    throw badAnswer(requestLine('POST', path), `it has ${place} outcomes for ${batch.length} documents`);
  }
  return rejections;
}

/** @returns why a document was rejected; undefined for one that was taken */
function outcomeOf(line: string, request: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw badAnswer(request, "an outcome isn't JSON", error);
  }
  if (!isObject(value) || typeof value['success'] !== 'boolean') throw badAnswer(request, 'an outcome says neither yes nor no');
  if (value['success']) return undefined;
  const message = textOfField(value, 'error') ?? 'The server gave no reason.';
  // The state of the server, not of one document: every other document would fail alike.
  if (/OUT_OF_(?:DISK|MEMORY)|Not Ready or Lagging/i.test(message)) {
    throw new DriverError('SERVER_ERROR', `The server stopped taking documents: ${message}`, {
      details: {
        request,
        serverMessage: message.slice(0, 2_000),
        advice: 'Give it room, then resume.',
        texts: faultTexts('fault.takesNoMore', { message }, 'fault.takesNoMore.advice'),
      },
    });
  }
  return message.slice(0, 4_000);
}
