import { DriverError } from '@tabularium/sdk';
import type { DriverErrorCode, HttpCapability, HttpRequest, TableRef } from '@tabularium/sdk';

/** A request of this driver: its body is a value, sent as JSON, or a text, sent as it is. */
export interface LinkRequest {
  readonly method: HttpRequest['method'];
  /** Made with {@link pathOf}. */
  readonly path: string;
  readonly json?: unknown;
  readonly text?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Whether it only reads, so that sending it twice does no harm. */
  readonly isReading: boolean;
  readonly signal: AbortSignal;
}

/** The refusals of the server, by their own code. What isn't listed is a `SERVER_ERROR`. */
const CODES: Readonly<Record<string, DriverErrorCode>> = {
  badKey: 'ACCESS_REFUSED',
  notFound: 'NOT_FOUND',
  unknownColumn: 'STRUCTURE_CHANGED',
  badName: 'INVALID_INPUT',
  badRequest: 'INVALID_INPUT',
  notAStatement: 'INVALID_INPUT',
  changes: 'PERMISSION_DENIED',
  changed: 'CONFLICT',
  ended: 'CANCELLED',
};

/**
 * A path of names, each encoded. A name that is a step of a path (`..`), or can't be encoded at all, is the name of nothing.
 *
 * @throws DriverError `NOT_FOUND`
 */
export function pathOf(...names: readonly string[]): string {
  for (const name of names)
    if (name === '' || name === '.' || name === '..' || !name.isWellFormed() || name.length > 500)
      throw new DriverError('NOT_FOUND', `There is nothing called “${name.toWellFormed().slice(0, 100)}”.`);
  return `/${names.map(encodeURIComponent).join('/')}`;
}

/** The path of a table. @throws DriverError `NOT_FOUND` */
export function tablePath({ namespace, name }: TableRef, ...rest: readonly string[]): string {
  if (namespace.length > 0) throw new DriverError('NOT_FOUND', 'This server has no namespaces.');
  return pathOf('tables', name, ...rest);
}

/** The server of one connection. The host connects, does TLS and adds the key; nothing of that is seen here. */
export class Link {
  readonly #http: HttpCapability;
  #isClosed = false;

  constructor(http: HttpCapability) {
    this.#http = http;
  }

  close(): void {
    this.#isClosed = true;
  }

  /** Every call begins so: it may have been given up, and a closed session serves none. */
  begin(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#isClosed) throw new DriverError('CONNECTION_LOST', 'The connection is closed.');
  }

  /** @returns the text of an answer. @throws DriverError for every other answer */
  async text(request: LinkRequest): Promise<string> {
    const { method, path, json, text, headers, isReading, signal } = request;
    this.begin(signal);
    const body = json === undefined ? text : JSON.stringify(json);
    const response = await this.#http.request({
      method,
      path,
      headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
      ...(body === undefined ? {} : { body }),
      repeatable: isReading,
      signal,
    });
    const answer = await response.text();
    if (response.status === 200) return answer;
    const known = refusalIn(answer);
    throw new DriverError(CODES[known.code] ?? (known.code === '' ? 'BAD_ANSWER' : 'SERVER_ERROR'), known.message, {
      details: {
        request: `${method} ${path}`,
        status: String(response.status),
        ...(known.field === undefined ? {} : { field: known.field }),
      },
    });
  }

  /** The value of an answer in JSON. */
  async json(request: LinkRequest): Promise<unknown> {
    const text = await this.text(request);
    try {
      // Numbers beyond 2^53 lose digits here. To keep them, make cells with `numeralCell` of the SDK from `context.source` in a reviver.
      return JSON.parse(text);
    } catch {
      throw new DriverError('BAD_ANSWER', 'The server sent something that is not JSON. It may be another program.', {
        details: { request: `${request.method} ${request.path}`, serverMessage: text.slice(0, 200) },
      });
    }
  }
}

interface ServerRefusal {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
}

/** What the server says of a refusal; another program says it otherwise, and then there is no code. */
function refusalIn(text: string): ServerRefusal {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && 'code' in value && 'message' in value) {
      const field = 'field' in value && typeof value.field === 'string' ? { field: value.field } : {};
      return { code: String(value.code), message: String(value.message), ...field };
    }
  } catch {
    // Said below.
  }
  return { code: '', message: 'The server gave an answer that this driver does not know. It may be another program.' };
}
