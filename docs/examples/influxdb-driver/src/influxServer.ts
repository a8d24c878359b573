import { DriverError } from '@tabularium/sdk';
import type { HttpCapability, HttpResponse, Settings } from '@tabularium/sdk';
import { linesOf, readAnswerLine } from './answer.ts';
import type { AnswerPart, Series } from './answer.ts';

/** How a statement is sent. */
export interface SendOptions {
  readonly signal: AbortSignal;
  /** Whether it only reads: the host may send it again when a connection that was kept open breaks. */
  readonly isRead: boolean;
  /** Whether its text must be in no error: it may hold a password. */
  readonly holdsSecret?: boolean;
  /** The database of a statement that names none. */
  readonly database?: string;
}

const MAX_ERROR_BYTES = 65_536;
const ROWS_OF_A_PART = 500;

/** One InfluxDB server. The host connects, does TLS and signs in: no secret is seen here. */
export class InfluxServer {
  readonly #http: HttpCapability;
  readonly #isSignedIn: boolean;

  constructor(http: HttpCapability, settings: Settings) {
    this.#http = http;
    this.#isSignedIn = settings['signIn'] !== 'none';
  }

  /**
   * The version of the server.
   *
   * @throws DriverError `BAD_ANSWER` when it is another kind of server
   */
  async version(signal: AbortSignal): Promise<string> {
    const response = await this.#http.request({ method: 'GET', path: '/ping', repeatable: true, signal });
    const version = response.headers['x-influxdb-version'];
    await response.discard();
    if (response.status < 300 && version !== undefined) return version;
    throw new DriverError('BAD_ANSWER', 'The server at this address isn’t InfluxDB.', {
      details: {
        request: 'GET /ping',
        status: String(response.status),
        advice: 'Check the host and the port. InfluxDB listens on port 8086 unless its configuration names another.',
      },
    });
  }

  /** The parts of the answer to one statement, as they arrive. Ending the iteration early ends the statement on the server, too. */
  async *parts(statement: string, options: SendOptions): AsyncGenerator<AnswerPart> {
    if (!statement.isWellFormed()) throw new DriverError('INVALID_INPUT', 'The statement holds half of a surrogate pair.');
    const database = options.database === undefined ? '' : `&db=${encodeURIComponent(options.database)}`;
    const response = await this.#http.request({
      method: 'POST',
      // A part for some rows: without "chunked" the server may leave rows out, and only a mark in the answer says so.
      path: `/query?epoch=ns&chunked=true&chunk_size=${ROWS_OF_A_PART}${database}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: `q=${encodeURIComponent(statement)}`,
      repeatable: options.isRead,
      signal: options.signal,
    });
    const secret = options.holdsSecret === true;
    const request = secret ? 'POST /query' : `POST /query ${statement.slice(0, 1_000)}`;
    try {
      if (response.status !== 200) throw await this.#refusal(response, request, secret);
      let isWhole = false;
      for await (const line of linesOf(response.body)) {
        const part = readLine(line, request);
        if (part.error !== undefined) throw failure(part.error, request, secret);
        isWhole = !part.isPartial;
        yield part;
      }
      if (!isWhole)
        throw new DriverError('CONNECTION_LOST', 'The answer of the server ends before its last row.', { details: { request } });
    } finally {
      await response.discard();
    }
  }

  /** The whole answer to one statement that only reads, and whose rows the statement limits. */
  async read(statement: string, signal: AbortSignal): Promise<readonly Series[]> {
    const series: Series[] = [];
    for await (const part of this.parts(statement, { signal, isRead: true })) series.push(...part.series);
    return series;
  }

  async #refusal(response: HttpResponse, request: string, isSecret: boolean): Promise<DriverError> {
    const text = await response.text(MAX_ERROR_BYTES).catch((error: unknown) => {
      if (error instanceof DriverError && error.code === 'TOO_LARGE') return '';
      throw error;
    });
    const said = errorIn(text);
    const details = {
      request,
      status: String(response.status),
      ...(isSecret ? {} : { serverMessage: (said ?? text).slice(0, 2_000) }),
    };
    if (response.status === 401) {
      return this.#isSignedIn
        ? new DriverError('ACCESS_REFUSED', 'The server rejected the user name or the password.', {
            details: { ...details, field: 'password', advice: 'Correct the user name and the password in the connection.' },
          })
        : new DriverError('CREDENTIALS_MISSING', 'The server needs a user name and a password.', {
            details: {
              ...details,
              field: 'signIn',
              advice: 'Choose “User name and password” under “Sign in” in the connection.',
            },
          });
    }
    if (response.status === 403) {
      return new DriverError('ACCESS_REFUSED', 'The user lacks the permission for this statement.', {
        details: { ...details, advice: 'Ask an administrator for READ on the database, or sign in as another user.' },
      });
    }
    if (response.status === 400 && said !== undefined)
      return new DriverError('INVALID_INPUT', isSecret ? 'The server rejected the statement.' : said, { details });
    if (response.status === 429) return new DriverError('RATE_LIMITED', undefined, { details });
    if (response.status === 503) return new DriverError('SERVER_NOT_READY', undefined, { details });
    if (response.status >= 500) return new DriverError('SERVER_ERROR', undefined, { details });
    return new DriverError('BAD_ANSWER', `The server responded with status ${response.status}, as no InfluxDB does.`, {
      details,
    });
  }
}

function readLine(line: string, request: string): AnswerPart {
  try {
    return readAnswerLine(line);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new DriverError('BAD_ANSWER', 'A part of the answer isn’t one of InfluxDB, or was cut.', {
      details: { request },
      cause: error,
    });
  }
}

/** The message of an error's body. */
function errorIn(text: string): string | undefined {
  try {
    return readAnswerLine(text).error;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** An error that the server reports inside an answer, with status 200. */
function failure(message: string, request: string, isSecret: boolean): DriverError {
  const details = { request, ...(isSecret ? {} : { serverMessage: message.slice(0, 2_000) }) };
  if (/^(?:database|measurement|retention policy|user) (?:name )?not found/.test(message))
    return new DriverError('NOT_FOUND', isSecret ? undefined : `The server reports: ${message}.`, { details });
  if (message === 'database name required') {
    return new DriverError('INVALID_INPUT', 'The statement names no database.', {
      details: {
        ...details,
        advice: 'Write FROM "database".."measurement", or ON "database", or enter a database in the connection.',
      },
    });
  }
  if (message.startsWith('max-'))
    return new DriverError('TOO_LARGE', 'The statement exceeds a limit of the server.', { details });
  return new DriverError('SERVER_ERROR', isSecret ? undefined : `The server reports: ${message}.`, { details });
}
