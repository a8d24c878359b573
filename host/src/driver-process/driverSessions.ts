import { AsyncLocalStorage } from 'node:async_hooks';
import type { Driver, DriverContext, Page, Session } from '@tabularium/sdk';
import { DriverError } from '@tabularium/sdk';
import type { DriverMethod, IncomingRequest } from '@tabularium/sdk/protocol';
import { ALIVE_METHOD, DRIVER_METHODS } from '@tabularium/sdk/protocol';
import { httpCapability } from './httpCapability.ts';
import { socketCapability } from './socketCapability.ts';
import { DriverLog } from './driverLog.ts';
import { LogRate } from './logRate.ts';
import { closeConsoleSessions } from './consoleSessions.ts';
import { excessOf } from './excess.ts';
import { logStack, sourcePlace } from './sourcePlace.ts';
import { eventLine } from './eventLine.ts';
import { gatheredOutcomes } from './gatheredOutcomes.ts';
import { callFacet, facetDetails, facetNames } from './facetCalls.ts';
import type { AskHost } from './askHost.ts';

type Params<M extends DriverMethod> = ReturnType<(typeof DRIVER_METHODS)[M]['params']['parse']>;

/** The largest parameters: a console text, mostly. */
const LARGEST_PARAMS = 64 * 1024 * 1024;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true });

/** Serves the host's requests with one driver; any number of sessions at once. */
export class DriverSessions {
  readonly #id: string;
  readonly #driver: Driver | undefined;
  readonly #ask: AskHost;
  readonly #sessions = new Map<number, Session>();
  readonly #logRate = new LogRate();
  /** The signal of the call that is being served, so that its HTTP requests end with it even if the driver does not hand the signal on. */
  readonly #call = new AsyncLocalStorage<AbortSignal>();

  constructor(id: string, driver: Driver | undefined, ask: AskHost) {
    this.#id = id;
    this.#driver = driver;
    this.#ask = ask;
  }

  async serve(request: IncomingRequest): Promise<void> {
    if (request.method === ALIVE_METHOD) return request.answer({});
    if (!isDriverMethod(request.method)) {
      throw new DriverError(
        'UNSUPPORTED',
        `The program in the driver's process doesn't support "${request.method}". Update Tabularium.`,
      );
    }
    const { method } = request;
    try {
      await this.#call.run(request.signal, () => this.#serve(method, request));
    } catch (error) {
      throw this.#named(error, request.signal);
    }
  }

  async #serve(method: DriverMethod, request: IncomingRequest): Promise<void> {
    const params = await this.#params(method, request);
    if (method === 'connect') return this.#connect(params as Params<'connect'>, request);
    const session = this.#sessions.get(request.session ?? -1);
    if (session === undefined) throw new DriverError('DRIVER_FAULT', 'The session is closed.');
    const options = { signal: request.signal };
    switch (method) {
      case 'ping':
        await session.ping(options);
        return this.#json(method, {}, request);
      case 'listTables':
        return this.#json(method, await session.listTables(options), request);
      case 'describeTable':
        return this.#json(method, await session.describeTable((params as Params<'describeTable'>).table, options), request);
      case 'countRows':
        return this.#json(method, await session.countRows(params as Params<'countRows'>, options), request);
      case 'readPage':
        return this.#page(await session.readPage(params as Params<'readPage'>, options), request);
      case 'close':
        this.#sessions.delete(request.session ?? -1);
        await closeConsoleSessions(session);
        await session.close();
        return this.#json(method, {}, request);
      default: {
        const answer = await callFacet(session, method, params, request.signal);
        if ('events' in answer) {
          // Of rows there are thousands in a call, with an outcome of a few bytes each.
          return request.answer({}, method === 'import.write' ? gatheredOutcomes(answer.events) : lines(answer.events));
        }
        if ('batch' in answer) return this.#rows(method, answer.head, answer.batch, request);
        return this.#json(method, answer.value, request);
      }
    }
  }

  async #connect(params: Params<'connect'>, request: IncomingRequest): Promise<void> {
    const number = request.session;
    if (this.#driver === undefined || number === undefined || this.#sessions.has(number)) {
      throw new DriverError('DRIVER_FAULT', 'The driver received an unexpected request to open a session.');
    }
    const callSignal = (): AbortSignal | undefined => this.#call.getStore();
    const context: DriverContext = {
      ...(params.capabilities.includes('http') ? { http: httpCapability(number, params, this.#ask, callSignal) } : {}),
      ...(params.capabilities.includes('socket') && params.endpoint !== undefined
        ? { socket: socketCapability({ session: number, endpoint: params.endpoint, ask: this.#ask }) }
        : {}),
      ...(params.capabilities.includes('secrets') ? { secrets: Object.freeze({ ...params.secrets }) } : {}),
      ...(params.capabilities.includes('file') ? { file: { paths: Object.freeze({ ...params.files }) } } : {}),
      log: new DriverLog(number, this.#ask, this.#logRate).write,
    };
    const session = await this.#driver.definition.connect(params.settings, context, { signal: request.signal });
    if (typeof session !== 'object' || session === null || typeof session.close !== 'function') {
      throw new DriverError('DRIVER_FAULT', 'connect must give a session with all the members of the core.');
    }
    if (request.signal.aborted) {
      // Opened too late: no caller would ever close it.
      await session.close();
      throw new DriverError('CANCELLED');
    }
    this.#sessions.set(number, session);
    try {
      const { server, findings } = session;
      await this.#json('connect', { server, findings, facets: facetNames(session), details: facetDetails(session) }, request);
    } catch (error) {
      this.#sessions.delete(number);
      await session.close();
      throw error;
    }
  }

  async #params(method: DriverMethod, request: IncomingRequest): Promise<unknown> {
    const text = decoder.decode(await request.body.collect(LARGEST_PARAMS));
    const result = DRIVER_METHODS[method].params.safeParse(text === '' ? {} : JSON.parse(text));
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    throw new DriverError('INVALID_INPUT', `${method}: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }

  /** Checked here too, so that an author reads which value is wrong; the host checks again and ends a process that sends such a thing. */
  #checked(method: DriverMethod, value: unknown): unknown {
    const result = DRIVER_METHODS[method].result.safeParse(value);
    if (result.success) return result.data;
    const issue = result.error.issues[0];
    const excess = issue === undefined ? undefined : excessOf(method, issue);
    if (excess !== undefined) throw new DriverError('INVALID_INPUT', excess.message, { details: { advice: excess.advice } });
    throw new DriverError(
      'DRIVER_FAULT',
      `${method} answered with a value that is not valid at "${issue?.path.join('.') ?? ''}": ${issue?.message ?? ''}`,
    );
  }

  #json(method: DriverMethod, value: unknown, request: IncomingRequest): Promise<void> {
    return request.answer({}, encoder.encode(JSON.stringify(this.#checked(method, value))));
  }

  #page(page: Page, request: IncomingRequest): Promise<void> {
    const { batch, ...head } = page;
    return this.#rows('readPage', head, batch, request);
  }

  #rows(method: DriverMethod, head: unknown, batch: unknown, request: IncomingRequest): Promise<void> {
    if (!(batch instanceof Uint8Array))
      throw new DriverError('DRIVER_FAULT', `${method} gave no batch. Make one with encodeBatch.`);
    return request.answer(this.#checked(method, head), batch);
  }

  #named(error: unknown, signal: AbortSignal): unknown {
    if (error instanceof Error && error.name === 'DriverError') {
      if (!('code' in error) || error.code !== 'DRIVER_FAULT' || error.message.startsWith('The driver "')) return error;
      return new DriverError('DRIVER_FAULT', `The driver "${this.#id}" broke its contract. ${error.message}`, { cause: error });
    }
    if (signal.aborted) return new DriverError('CANCELLED', undefined, { cause: error });
    const what = error instanceof Error ? `${error.name}: ${error.message}` : `It threw ${typeof error}.`;
    const place = sourcePlace(error);
    logStack(error);
    const where = place === undefined ? '' : ` (${place})`;
    return new DriverError('DRIVER_FAULT', `The driver "${this.#id}" failed. ${what}${where}`, { cause: error });
  }
}

function isDriverMethod(method: string): method is DriverMethod {
  return Object.hasOwn(DRIVER_METHODS, method);
}

async function* lines(events: AsyncIterable<unknown>): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const event of events) yield encoder.encode(eventLine(event));
}
