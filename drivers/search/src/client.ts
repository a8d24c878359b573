import { DriverError } from '@tabularium/sdk';
import type { HttpCapability, HttpRequest, HttpResponse } from '@tabularium/sdk';
import type { ExactJson } from './exactJson.ts';
import { parseExact } from './exactJson.ts';
import { requestLine, serverError, serverWords } from './serverErrors.ts';

/** How long a request may wait for the head of its answer when the form says nothing. */
export const DEFAULT_TIMEOUT_MILLISECONDS = 30_000;
/** Error answers are sentences. What is longer comes from something else, and its beginning says enough. */
const MAX_ERROR_BYTES = 1_048_576;

/** Requests to the one server of a connection, as JSON. */
export class SearchClient {
  readonly #http: HttpCapability;
  readonly #timeoutMilliseconds: number;

  constructor(http: HttpCapability, timeoutMilliseconds: number) {
    this.#http = http;
    this.#timeoutMilliseconds = timeoutMilliseconds;
  }

  /** Sends a request; an answer of 300 and above becomes an error. The body is still to be read. */
  async send(request: HttpRequest): Promise<HttpResponse> {
    const response = await this.#http.request({ timeoutMilliseconds: this.#timeoutMilliseconds, ...request });
    if (response.status < 300) return response;
    const line = requestLine(request.method, request.path);
    if (response.status < 400) {
      await response.discard();
      throw new DriverError(
        'BAD_ANSWER',
        `The server answered ${line} with a redirect (${response.status}), which a search server never does.`,
        {
          details: {
            request: line,
            status: String(response.status),
            advice: 'Check host, port and SSL mode; a proxy may expect HTTPS.',
          },
        },
      );
    }
    throw serverError(response.status, serverWords(await response.text(MAX_ERROR_BYTES)), line);
  }

  /** A question that changes nothing. */
  async read(path: string, signal: AbortSignal): Promise<ExactJson> {
    return this.#json({ method: 'GET', path, repeatable: true, signal });
  }

  /** The same, its answer as it came. */
  async readText(path: string, signal: AbortSignal): Promise<string> {
    return (await this.send({ method: 'GET', path, repeatable: true, signal })).text();
  }

  /** Searches, all of them in one request. It changes nothing, so it may be repeated. */
  async search(searches: readonly object[], signal: AbortSignal): Promise<ExactJson> {
    return this.#json({
      method: 'POST',
      path: '/multi_search',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ searches }),
      repeatable: true,
      signal,
    });
  }

  async #json(request: HttpRequest): Promise<ExactJson> {
    const response = await this.send(request);
    const text = await response.text();
    try {
      return parseExact(text);
    } catch (cause) {
      throw badAnswer(requestLine(request.method, request.path), 'it is no JSON', cause);
    }
  }
}

/** The error for an answer of another shape than a search server gives. */
export function badAnswer(request: string, why: string, cause?: unknown): DriverError {
  return new DriverError('BAD_ANSWER', `The answer to ${request} does not come from a search server: ${why}.`, {
    details: { request },
    ...(cause === undefined ? {} : { cause }),
  });
}
