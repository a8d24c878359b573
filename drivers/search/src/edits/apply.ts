import { DriverError, isDriverError } from '@tabularium/sdk';
import type { ChangeOutcome, DriverErrorCode, HttpResponse, RowChange } from '@tabularium/sdk';
import { isObject, textOfField } from '../guards.ts';
import { requestLine } from '../serverErrors.ts';
import { parseExactly, sameValue } from './exactValue.ts';
import type { ExactValue } from './exactValue.ts';
import { valueAt } from './fieldPath.ts';
import type { ChangeContext, ChangeRequest } from './request.ts';
import { changeRequest } from './request.ts';

/** The answer did not come, or not from the server: the change may have been made. */
const LOST: ReadonlySet<DriverErrorCode> = new Set(['CONNECTION_LOST', 'TIMEOUT', 'CANCELLED']);
/** There is no server to try the rest with. */
const UNREACHABLE: ReadonlySet<DriverErrorCode> = new Set([
  'HOST_NOT_FOUND',
  'CONNECTION_REFUSED',
  'TLS_FAILED',
  'CREDENTIALS_MISSING',
  'PERMISSION_DENIED',
]);

/** The outcome of one change, and whether later ones can be tried. */
interface Made {
  readonly outcome: ChangeOutcome;
  readonly goesOn: boolean;
}

/** Makes changes one after the other, each with one request that is never repeated. */
export async function* applyChanges(changes: readonly RowChange[], context: ChangeContext): AsyncGenerator<ChangeOutcome, void> {
  for (const [index, change] of changes.entries()) {
    if (context.signal.aborted) {
      if (index === 0) throw new DriverError('CANCELLED');
      return;
    }
    const { outcome, goesOn } = await make(index, change, context);
    yield outcome;
    if (!goesOn) return;
  }
}

async function make(index: number, change: RowChange, context: ChangeContext): Promise<Made> {
  let request: ChangeRequest;
  try {
    request = await changeRequest(change, context);
  } catch (error) {
    if (!isDriverError(error)) throw error;
    // Nothing was sent. Was the document to be read and the server gone, the rest need not be tried.
    return { outcome: failed(index, error), goesOn: !LOST.has(error.code) && !UNREACHABLE.has(error.code) };
  }
  let response: HttpResponse;
  try {
    response = await context.client.send({
      method: request.method,
      path: request.path,
      ...(request.body === undefined ? {} : { body: request.body, headers: { 'content-type': 'application/json' } }),
      repeatable: false,
      signal: context.signal,
    });
  } catch (error) {
    if (!isDriverError(error)) throw error;
    if (LOST.has(error.code) || isFromGateway(error))
      return { outcome: unknown(index, request, error), goesOn: isFromGateway(error) };
    return { outcome: failed(index, error, columnOf(error, change)), goesOn: !UNREACHABLE.has(error.code) };
  }
  return { outcome: await saved(index, change, request, response), goesOn: true };
}

/** Something between here and the server gave up waiting for it. */
function isFromGateway({ details }: DriverError): boolean {
  return details.status === '502' || details.status === '504' || details.status === '408';
}

function unknown(index: number, { method, path }: ChangeRequest, error: DriverError): ChangeOutcome {
  return {
    index,
    outcome: 'unknown',
    message: `${requestLine(method, path)} was sent, but its response was lost, so the change may have been made. ${error.message}`,
    texts: { message: { id: 'edit.lost', values: { request: requestLine(method, path).slice(0, 400) } } },
  };
}

function failed(index: number, error: DriverError, column = error.details.field): ChangeOutcome {
  return {
    index,
    outcome: 'failed',
    code: error.code,
    message: error.message,
    details: error.details,
    ...(column === undefined ? {} : { column }),
  };
}

/** The column that the server complains of, if the change has it. */
function columnOf({ code, details }: DriverError, change: RowChange): string | undefined {
  const words = details.serverMessage ?? '';
  const named = /[Ff]ield `([^`]+)`/.exec(words)?.[1] ?? (/`id`|with id /.test(words) ? 'id' : undefined);
  if (change.kind === 'delete' || named === undefined) return undefined;
  // A required field that was left out is none of the change's, and still the one to be marked.
  if (change.kind === 'insert') return named;
  return change.assignments.some(({ column }) => column === named) ? named : code === 'NOT_FOUND' ? undefined : details.field;
}

async function saved(index: number, change: RowChange, request: ChangeRequest, response: HttpResponse): Promise<ChangeOutcome> {
  let document: ExactValue;
  try {
    document = parseExactly(await response.text());
  } catch {
    // The status said that it is made; only what the document looks like now stays unknown.
    document = undefined;
  }
  if (change.kind === 'delete') return { index, outcome: 'saved' };
  const id = request.id ?? (isObject(document) ? textOfField(document, 'id') : undefined);
  const wrong =
    document === undefined ? undefined : request.expected.find(({ segments, value }) => !holds(document, segments, value));
  if (wrong !== undefined) {
    const line = requestLine(request.method, request.path);
    return failed(
      index,
      new DriverError(
        'SERVER_ERROR',
        `The server answered ${response.status} to ${line}, and “${wrong.column}” is not as it was asked for.`,
        {
          details: {
            request: line,
            status: String(response.status),
            field: wrong.column,
            advice: 'Look at the document in the console; another value may hide this one.',
            texts: {
              message: { id: 'edit.otherValue', values: { column: wrong.column.slice(0, 400), request: line.slice(0, 400) } },
              advice: { id: 'edit.otherValue.advice' },
            },
          },
        },
      ),
    );
  }
  return { index, outcome: 'saved', ...(id === undefined ? {} : { key: [id] }) };
}

function holds(document: ExactValue, segments: readonly string[], wanted: ExactValue): boolean {
  const found = valueAt(document, segments);
  return wanted === undefined ? found === undefined || found === null : sameValue(found, wanted);
}
