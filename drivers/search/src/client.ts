import { DriverError, isDriverError } from '@tabularium/sdk';
import type { DescribedRequest, HttpCapability, HttpRequest, HttpResponse } from '@tabularium/sdk';
import type { ExactJson } from './exactJson.ts';
import { parseExact } from './exactJson.ts';
import { PageEncoder } from './page/pageEncoder.ts';
import type { EncodedPage } from './page/pageEncoder.ts';
import { neededAction } from './keyActions.ts';
import type { NeededAction } from './keyActions.ts';
import { LIMITS } from './limits.ts';
import type { PageColumn } from './pageColumns.ts';
import { AnswerTooLarge } from './pageSizes.ts';
import { otherServerError } from './otherServer.ts';
import { TOO_MANY_SEARCHES } from './errorRules/searchRules.ts';
import { TooManySearches } from './embeddedLimits.ts';
import { USUAL_LIMITS, narrowedBy } from './searchLimits.ts';
import type { SearchLimits } from './searchLimits.ts';
import { requestLine, serverError, serverWords } from './serverErrors.ts';
import { faultTexts } from './faultTexts.ts';

/** How long a request may wait for the head of its answer when the form says nothing. */
export const DEFAULT_TIMEOUT_MILLISECONDS = 30_000;
/** The limit of an answer; the rest of it is dropped. */
const MAX_ANSWER_BYTES = 64 * 1_048_576;
/** Room for an answer of unknown length to begin with, and at most for what a server says it will send. */
const SMALL_ANSWER = 65_536;
const LARGE_ANSWER = 4 * 1_048_576;
/** Error answers are sentences. What is longer comes from something else, and its beginning says enough. */
const MAX_ERROR_BYTES = 1_048_576;
/** Accepted requests that a session remembers: some for each collection that is used. */
const MOST_PASSED = 10_000;

/** A key that has just worked is not asked for again: one that lacks an action is rejected often. */
const CONFIRMED_MILLISECONDS = 2_000;

/** One search of a request; its other members are the server's parameters. */
export interface Search {
  readonly collection: string;
  readonly [parameter: string]: unknown;
}

/** Requests to the one server of a connection, as JSON. */
export class SearchClient {
  readonly #http: HttpCapability;
  readonly #timeoutMilliseconds: number;
  /** Whether the server has accepted the key for anything. */
  #accepted = false;
  /** Requests that the server has accepted. It never takes an action from a key, so that a rejection of the same request means that the key has ended. */
  readonly #passed = new Set<string>();
  #confirm: ((signal: AbortSignal) => Promise<unknown>) | undefined;
  /** When the key worked for sure, in milliseconds since 1970. */
  #confirmedAt = 0;
  readonly #mostBytes: number;
  #limits: SearchLimits = USUAL_LIMITS;
  #lastNode = 0;

  /** @param mostBytes - what an answer may have */
  constructor(http: HttpCapability, timeoutMilliseconds: number, mostBytes = MAX_ANSWER_BYTES) {
    this.#http = http;
    this.#timeoutMilliseconds = timeoutMilliseconds;
    this.#mostBytes = mostBytes;
  }

  /** The limits that searches keep to; an answer can lower them, for as long as the session lasts. */
  get limits(): SearchLimits {
    return this.#limits;
  }

  /**
   * Searches, and again in smaller pieces where the server or a scoped key allows less than usual.
   *
   * @param ask - keeps to the limits that it is given
   */
  async withinLimits<T>(ask: (limits: SearchLimits) => Promise<T>): Promise<T> {
    for (let limits = this.#limits; ; limits = this.#limits) {
      try {
        return await ask(limits);
      } catch (error) {
        // Compared with those of this request: another one may have learned the same meanwhile.
        const narrowed = narrowedBy(error, limits);
        if (narrowed === undefined) throw error;
        this.#limits = narrowed;
      }
    }
  }

  /** Names of the nodes that the connection reaches; one or none where it has no further ones, or in a host of contract 1.0. */
  get nodes(): readonly string[] {
    return this.#http.nodes ?? [];
  }

  /** The index of the node that answered last, of those that the host has chosen. */
  get lastNode(): number {
    return this.#lastNode;
  }

  /**
   * Sends a request; an answer of 300 and above becomes an error. The body is still to be read.
   *
   * @param searched - the collection of a search, which only its body names
   */
  async send(request: HttpRequest, searched?: string): Promise<HttpResponse> {
    const response = await this.#http.request({ timeoutMilliseconds: this.#timeoutMilliseconds, ...request });
    if (request.node === undefined) this.#lastNode = response.node ?? 0;
    const needed = neededAction(request.method, request.path, searched);
    const passed = passedName(needed, request.path, searched);
    if (response.status < 300) {
      // A path that needs no key, such as /health, proves nothing of it.
      this.#accepted ||= needed !== undefined;
      if (passed !== undefined && this.#passed.size < MOST_PASSED) this.#passed.add(passed);
      return response;
    }
    const line = requestLine(request.method, request.path);
    if (response.status < 400) {
      await response.discard();
      throw new DriverError(
        'BAD_ANSWER',
        `The server answered ${line} with a redirect (${response.status}), so it isn't a search server.`,
        {
          details: {
            request: line,
            status: String(response.status),
            advice: 'Check the host, port and SSL mode; a proxy may expect HTTPS.',
            texts: faultTexts('fault.redirect', { request: line, status: response.status }, 'fault.redirect.advice'),
          },
        },
      );
    }
    const body = await response.text(MAX_ERROR_BYTES);
    const isRejected = response.status === 401 || response.status === 403;
    const before = passed !== undefined && this.#passed.has(passed);
    const accepted = this.#accepted
      ? { needed, before: before || (isRejected && (await this.#hasEnded(request.signal))) }
      : undefined;
    throw otherServerError(response.status, body, line) ?? serverError(response.status, serverWords(body), line, accepted);
  }

  /**
   * Sets the question that the key was confirmed by. A server rejects a key that has ended and one that lacks an action in the same words, so a rejected
   * request is followed by this question: a key that has ended is rejected again.
   */
  confirmBy(ask: (signal: AbortSignal) => Promise<unknown>): void {
    this.#confirm = ask;
  }

  /** Whether the key works for nothing any more. */
  async #hasEnded(signal: AbortSignal = AbortSignal.timeout(this.#timeoutMilliseconds)): Promise<boolean> {
    const confirm = this.#confirm;
    if (confirm === undefined || Date.now() - this.#confirmedAt < CONFIRMED_MILLISECONDS) return false;
    // The question itself may be rejected, which asks no other one.
    this.#confirmedAt = Date.now();
    try {
      await confirm(signal);
      return false;
    } catch (error) {
      this.#confirmedAt = 0;
      return isDriverError(error) && error.code === 'ACCESS_REFUSED';
    }
  }

  /** A question that changes nothing. */
  async read(path: string, signal: AbortSignal): Promise<ExactJson> {
    return this.#json({ method: 'GET', path, repeatable: true, signal });
  }

  /** The same of one node and no other, by its index. */
  async readOf(node: number, path: string, signal: AbortSignal): Promise<ExactJson> {
    return this.#json({ method: 'GET', path, repeatable: true, node, signal });
  }

  /** The same, and the text that it was read from. */
  async readWithText(path: string, signal: AbortSignal): Promise<ExactJson & { readonly text: string }> {
    const request: HttpRequest = { method: 'GET', path, repeatable: true, signal };
    const text = await (await this.send(request)).text(this.#mostBytes);
    return { ...parsed(text, request), text };
  }

  /** The same, its answer as it came. */
  async readText(path: string, signal: AbortSignal): Promise<string> {
    return (await this.send({ method: 'GET', path, repeatable: true, signal })).text();
  }

  /** A search to the letter, with rules, synonyms and typos as it says. It changes nothing, so it may be repeated. */
  async ask(request: DescribedRequest, searched: string, signal: AbortSignal): Promise<ExactJson> {
    const { method, path, headers, body } = request;
    const sent: HttpRequest = {
      method: method === 'POST' ? 'POST' : 'GET',
      path,
      ...(headers === undefined ? {} : { headers }),
      ...(body === undefined ? {} : { body }),
      repeatable: true,
      signal,
    };
    const response = await this.send(sent, searched);
    return parsed(await response.text(this.#mostBytes), sent);
  }

  /** Searches, all of them in one request. It changes nothing, so it may be repeated. */
  async search(searches: readonly Search[], signal: AbortSignal): Promise<ExactJson> {
    const request = searchRequest(searches, signal);
    const response = await this.#sendSearches(request, searches);
    return parsed(await response.text(this.#mostBytes), request);
  }

  /**
   * The same, its documents made rows as they arrive.
   *
   * @returns the answer itself where it is not as servers write it (see page/pageEncoder.ts)
   * @throws AnswerTooLarge
   */
  async searchRows(
    searches: readonly Search[],
    columns: readonly PageColumn[],
    signal: AbortSignal,
  ): Promise<EncodedPage | ExactJson> {
    const request = searchRequest(searches, signal);
    const response = await this.#sendSearches(request, searches);
    const announced = Number(response.headers['content-length'] ?? 0);
    const encoder = new PageEncoder(columns, Math.min(Math.max(announced, SMALL_ANSWER), LARGE_ANSWER));
    for await (const chunk of response.body) {
      encoder.push(chunk);
      if (encoder.content.length > this.#mostBytes) throw new AnswerTooLarge(this.#mostBytes, encoder.rowCount);
    }
    const page = encoder.finish();
    // Quotes inside values take two bytes in a batch, which the host bounds as well.
    if (page !== undefined && page.batch.length > this.#mostBytes)
      throw new AnswerTooLarge(this.#mostBytes, Math.floor((page.rowCount * this.#mostBytes) / page.batch.length));
    return page ?? parsed(new TextDecoder().decode(encoder.content), request);
  }

  async #sendSearches(request: HttpRequest, searches: readonly Search[]): Promise<HttpResponse> {
    try {
      return await this.send(request, searches[0]?.collection);
    } catch (error) {
      if (!isDriverError(error) || !TOO_MANY_SEARCHES.test(error.details.serverMessage ?? '')) throw error;
      throw new TooManySearches(searches.length, error);
    }
  }

  async #json(request: HttpRequest): Promise<ExactJson> {
    const response = await this.send(request);
    return parsed(await response.text(this.#mostBytes), request);
  }
}

/**
 * Parameters that every search of the driver turns off, so that rows, counts and suggestions are the stored ones. A rule on `*` hides, pins and sorts
 * documents: overrides up to 29, curations from 30; each name is ignored by the other versions. Synonyms, typos and dropped words find
 * values that were not typed. 29.0 and 30.0-dev count a browse of `*` as a user's query. Before 27.1 servers have neither `enable_synonyms`
 * nor `enable_analytics`: there the driver cannot keep a browse out of a rule, so it at least never searches for a word. The person's own
 * searches in the console have none of this. Without `max_filter_by_candidates` a filter for a beginning finds documents of four words
 * only, as it does on servers before 28.0, which have no such parameter.
 */
const AS_STORED = {
  enable_overrides: false,
  enable_curations: false,
  enable_synonyms: false,
  enable_analytics: false,
  num_typos: 0,
  typo_tokens_threshold: 0,
  drop_tokens_threshold: 0,
  facet_query_num_typos: 0,
  use_cache: false,
  max_filter_by_candidates: LIMITS.wordsByBeginning.parameter.value,
} as const;

function searchRequest(searches: readonly Search[], signal: AbortSignal): HttpRequest {
  return {
    method: 'POST',
    path: '/multi_search',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ searches: searches.map((search) => ({ ...search, ...AS_STORED })) }),
    repeatable: true,
    signal,
  };
}

/** An action and its collection as a text; undefined where the collection can be another than the path says. */
function passedName(needed: NeededAction | undefined, path: string, searched: string | undefined): string | undefined {
  if (needed === undefined || /[?&]collection=/.test(path)) return undefined;
  if (needed.action === 'documents:search' && needed.collection === undefined && searched === undefined) return undefined;
  return JSON.stringify([needed.action, needed.collection ?? '']);
}

/** @param text - of an answer below 300 */
function parsed(text: string, { method, path }: HttpRequest): ExactJson {
  try {
    return parseExact(text);
  } catch (cause) {
    const line = requestLine(method, path);
    throw otherServerError(200, text, line) ?? badAnswer(line, "it isn't JSON", cause);
  }
}

/** The error for an answer of another shape than a search server gives. */
export function badAnswer(request: string, why: string, cause?: unknown): DriverError {
  return new DriverError('BAD_ANSWER', `The answer to ${request} does not come from a search server: ${why}.`, {
    details: { request, texts: faultTexts('fault.notSearchServer', { request }) },
    ...(cause === undefined ? {} : { cause }),
  });
}
