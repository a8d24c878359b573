import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { ALONE } from './clusterNode.ts';
import type { ClusterNode } from './clusterNode.ts';
import { Engine } from './engine.ts';
import { Faults } from './faults.ts';
import type { Fault, Resource } from './faults.ts';
import { readPace } from './pace.ts';
import type { PaceOptions } from './pace.ts';
import { Router } from './router.ts';
import { aliasRoutes } from './routes/aliases.ts';
import { bulkRoutes } from './routes/bulk.ts';
import { collectionRoutes } from './routes/collections.ts';
import { curationRoutes } from './routes/curation.ts';
import { documentRoutes } from './routes/documents.ts';
import { keyRoutes } from './routes/keys.ts';
import { metaRoutes } from './routes/meta.ts';
import { operationRoutes } from './routes/operations.ts';
import { searchRoutes } from './routes/search.ts';
import { loadSampleData } from './sample/load.ts';
import type { SampleOptions } from './sample/load.ts';
import { createServer } from './server.ts';
import type { SeenRequest } from './seenRequest.ts';
import { loadSnapshot, saveSnapshot } from './snapshot.ts';
import { Statistics } from './statistics.ts';
import { featuresOf } from './versions.ts';
import type { SandboxVersion } from './versions.ts';

const DEFAULT_VERSION: SandboxVersion = '29.0';
const DEFAULT_HOST = '127.0.0.1';
const KEY_SWEEP_MS = 3_600_000;
const ANALYTICS_FLUSH_MS = 3_600_000;
const MAX_REMEMBERED_REQUESTS = 1000;

export interface SandboxOptions {
  /** The bootstrap key, which may do everything. */
  readonly apiKey: string;
  readonly version?: SandboxVersion;
  readonly host?: string;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly sampleData?: boolean | SampleOptions;
  /** Read at the start if it exists; written by `POST /operations/snapshot` and on close. */
  readonly snapshotFile?: string;
  /** Answer as slowly as a real server. */
  readonly pace?: boolean | PaceOptions;
  /** How often counted searches are written; once an hour by default, as on a real server. */
  readonly analyticsFlushMs?: number;
  readonly tls?: { readonly key: string; readonly cert: string };
}

/** The requests to a sandbox, for tests. Keys never show. */
export interface RequestLog {
  /** The last thousand. */
  readonly seen: readonly SeenRequest[];
  clear(): void;
  /** Calls the listener for every request until the returned function is called. */
  onRequest(listener: (request: SeenRequest) => void): () => void;
}

export interface Sandbox extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly version: SandboxVersion;
  readonly requests: RequestLog;
  /** Lets something go wrong with the requests the function names; without one everything goes right again. */
  fault(choose?: (request: SeenRequest) => Fault | undefined): void;
  /** A starting server refuses almost everything with 503 "Not Ready or Lagging". */
  setStarting(isStarting: boolean): void;
  /** A server that runs out of something refuses writes with 422 and says so in its health; none lets it write again. */
  setExhausted(resource?: Resource): void;
  /** The server's place in a cluster; at first a server is the only one of its cluster. */
  setNode(node: ClusterNode): void;
  /** Writes the counts of analytics rules, as a server does periodically. */
  flushAnalytics(): void;
  /** Ends every connection at once. */
  close(): Promise<void>;
}

class Requests implements RequestLog {
  readonly #listeners = new Set<(request: SeenRequest) => void>();
  #seen: SeenRequest[] = [];

  get seen(): readonly SeenRequest[] {
    return this.#seen;
  }

  clear(): void {
    this.#seen = [];
  }

  onRequest(listener: (request: SeenRequest) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  add(request: SeenRequest): void {
    this.#seen.push(request);
    if (this.#seen.length > 2 * MAX_REMEMBERED_REQUESTS) this.#seen = this.#seen.slice(-MAX_REMEMBERED_REQUESTS);
    for (const listener of this.#listeners) listener(request);
  }
}

export const startSandbox = async (options: SandboxOptions): Promise<Sandbox> => {
  const version = options.version ?? DEFAULT_VERSION;
  const host = options.host ?? DEFAULT_HOST;
  const { snapshotFile } = options;
  const engine = new Engine(featuresOf(version), options.apiKey);
  const isRestored = snapshotFile !== undefined && loadSnapshot(engine, snapshotFile);
  if (!isRestored && options.sampleData !== undefined && options.sampleData !== false) {
    loadSampleData(engine, options.sampleData === true ? {} : options.sampleData);
  }
  const save = (): void => {
    if (snapshotFile !== undefined) saveSnapshot(engine, snapshotFile);
  };
  const statistics = new Statistics();
  const requests = new Requests();
  const faults = new Faults();
  let node = ALONE;
  const router = new Router([
    ...metaRoutes(engine, statistics, () => node),
    ...collectionRoutes,
    ...bulkRoutes,
    ...searchRoutes,
    ...documentRoutes,
    ...keyRoutes,
    ...aliasRoutes,
    ...operationRoutes(engine, save),
    ...curationRoutes(engine.features),
  ]);
  const server = createServer({
    engine,
    router,
    statistics,
    pace: readPace(options.pace),
    tls: options.tls,
    onRequest: (request) => requests.add(request),
    faultFor: (request) => faults.for(request),
  });
  server.listen(options.port ?? 0, host);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const flush = setInterval(() => engine.analytics.flush(), options.analyticsFlushMs ?? ANALYTICS_FLUSH_MS);
  flush.unref();
  const sweep = setInterval(() => engine.keys.sweep(), KEY_SWEEP_MS);
  sweep.unref();
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      clearInterval(sweep);
      clearInterval(flush);
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
      save();
    })();
    return closing;
  };
  const scheme = options.tls === undefined ? 'http' : 'https';
  return {
    url: `${scheme}://${host}:${port}`,
    port,
    version,
    requests,
    fault: (choose) => faults.set(choose),
    setExhausted: (resource) => faults.setExhausted(resource),
    flushAnalytics: () => engine.analytics.flush(),
    setNode: (next) => {
      node = next;
    },
    setStarting: (isStarting) => faults.setStarting(isStarting),
    close,
    [Symbol.asyncDispose]: close,
  };
};
