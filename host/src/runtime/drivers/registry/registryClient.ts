import { DRIVER_KEYWORD } from '@tabularium/sdk/package';
import semver from 'semver';
import { z } from 'zod';
import { HostError } from '../../../common/errors.ts';
import { readRegistryDocument, readRegistryVersion } from './registryDocument.ts';
import type { RegistryDocument, RegistryVersion } from './registryDocument.ts';
import { registryUnreachable, whyNoAnswer } from './registryFaults.ts';
import { RegistryNetwork } from './registryNetwork.ts';
import type { RegistrySource } from '../trust/registrySource.ts';
import { DocumentCache } from './documentCache.ts';
import type { Inject } from '../../container/inject.ts';

/** The largest document that is read. */
const MOST_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MOST_FOUND = 250;
/** The most packages of one registry that are asked for and kept: found ones, listed ones and installed ones together. */
const MOST_PACKAGES = 300;
/** The most bytes of documents that are read from one registry in one refresh. Unchanged documents cost none. */
const MOST_BYTES_OF_DOCUMENTS = 64 * 1024 * 1024;
const DOCUMENTS_AT_ONCE = 6;
/** After so many documents that could not be read, the rest are not asked for. */
const MOST_FAILURES = 5;
/** verdaccio looks for every word in name and description, other registries in the keywords too. The keyword decides afterwards. */
const SEARCH_TEXT = 'tabularium driver';

const searchSchema = z.object({
  objects: z.array(z.object({ package: z.object({ name: z.string(), keywords: z.array(z.string()).optional() }) })),
});

const taggedSchema = z.object({ 'dist-tags': z.object({ latest: z.string().max(100).optional() }) });

interface Answer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: unknown;
}

/** How many bytes may still be read. */
interface Budget {
  left: number;
}

/** A name becomes part of an address, so `http:127.0.0.1` or `\\\\127.0.0.1` from a search must not be one. */
function isPackageName(name: string): boolean {
  return name.length <= 214 && /^(?:@[a-z0-9~-][a-z0-9._~-]*\/)?[a-z0-9~-][a-z0-9._~-]*$/i.test(name);
}

/** Asks registries for documents, revalidates what is cached, and finds packages. */
export class RegistryClient implements AsyncDisposable {
  static readonly inject: Inject<typeof RegistryClient> = { cache: DocumentCache, network: RegistryNetwork };

  readonly #cache: DocumentCache;
  readonly #network: RegistryNetwork;

  constructor(options: { readonly cache: DocumentCache; readonly network?: RegistryNetwork }) {
    this.#cache = options.cache;
    this.#network = options.network ?? new RegistryNetwork();
  }

  /**
   * A package's document, requested again; an unchanged one costs a 304.
   *
   * @returns undefined when the registry has no such package
   * @throws HostError `REGISTRY_UNREACHABLE`, `CANCELLED`
   */
  document(registry: RegistrySource, name: string, signal: AbortSignal): Promise<RegistryDocument | undefined> {
    return this.#document(registry, name, signal, { left: MOST_DOCUMENT_BYTES });
  }

  async #document(
    registry: RegistrySource,
    name: string,
    signal: AbortSignal,
    budget: Budget,
  ): Promise<RegistryDocument | undefined> {
    if (!isPackageName(name)) throw new HostError('INVALID_REQUEST', `"${name}" is not a package name.`);
    const cached = await this.#cache.get(registry.id, name);
    const answer = await this.#get(registry, name.replace('/', '%2f'), cached?.etag, signal, budget);
    const checkedAt = new Date().toISOString();
    if (answer.status === 304 && cached !== undefined) {
      await this.#cache.put({ ...cached, checkedAt });
      return cached.document;
    }
    if (answer.status === 404) {
      await this.#cache.remove(registry.id, name);
      return undefined;
    }
    const document = answer.status === 200 ? readRegistryDocument(answer.body, name) : undefined;
    if (document === undefined) {
      const instead = answer.status === 200 ? ` with something else than the package ${name}` : ` when it was asked for ${name}`;
      throw registryUnreachable(registry, `It answered ${answer.status}${instead}`);
    }
    await this.#cache.put({
      registryId: registry.id,
      checkedAt,
      document,
      ...(answer.etag === undefined ? {} : { etag: answer.etag }),
    });
    return document;
  }

  /**
   * The version that a registry marks as a package's latest, of any package. Nothing is cached: this is asked once a day.
   *
   * @returns undefined when the registry has no such package, or marks none
   * @throws HostError `REGISTRY_UNREACHABLE`, `CANCELLED`
   */
  async latestVersion(registry: RegistrySource, name: string, signal: AbortSignal): Promise<string | undefined> {
    if (!isPackageName(name)) throw new HostError('INVALID_REQUEST', `"${name}" is not a package name.`);
    const answer = await this.#get(registry, name.replace('/', '%2f'), undefined, signal, { left: MOST_DOCUMENT_BYTES });
    const latest = taggedSchema.safeParse(answer.body).data?.['dist-tags'].latest;
    return latest !== undefined && semver.valid(latest) === latest ? latest : undefined;
  }

  /**
   * The archive of exactly one version of a package that isn't a driver's. Nothing is cached: it is asked for once, when it is installed.
   *
   * @returns undefined when the registry has no such package or version
   * @throws HostError `REGISTRY_UNREACHABLE`, `CANCELLED`
   */
  async archiveOf(
    registry: RegistrySource,
    name: string,
    version: string,
    signal: AbortSignal,
  ): Promise<RegistryVersion | undefined> {
    if (!isPackageName(name)) throw new HostError('INVALID_REQUEST', `"${name}" is not a package name.`);
    const answer = await this.#get(registry, name.replace('/', '%2f'), undefined, signal, { left: MOST_DOCUMENT_BYTES });
    return answer.status === 200 ? readRegistryVersion(answer.body, name, version) : undefined;
  }

  /**
   * The names of packages that say they are drivers.
   *
   * @returns undefined when the registry has no search
   * @throws HostError `REGISTRY_UNREACHABLE`, `CANCELLED`
   */
  async search(registry: RegistrySource, signal: AbortSignal): Promise<readonly string[] | undefined> {
    const path = `-/v1/search?text=${encodeURIComponent(SEARCH_TEXT)}&size=${MOST_FOUND}`;
    const answer = await this.#get(registry, path, undefined, signal, { left: MOST_DOCUMENT_BYTES });
    const found = searchSchema.safeParse(answer.body);
    if (answer.status !== 200 || !found.success) return undefined;
    return found.data.objects
      .map((object) => object.package)
      .flatMap(({ name, keywords }) => (keywords?.includes(DRIVER_KEYWORD) === true && isPackageName(name) ? [name] : []))
      .slice(0, MOST_FOUND);
  }

  /**
   * Brings the documents of many packages up to date, a few at a time. What a registry sends in one call, and what is kept of it, is bounded:
   * a registry names its packages itself, so their number says nothing.
   *
   * @param names - the most important first; those beyond the first {@link MOST_PACKAGES} are neither asked for nor kept
   * @throws HostError `REGISTRY_UNREACHABLE`, `CANCELLED`; the documents that arrived before are kept
   */
  async documents(registry: RegistrySource, names: readonly string[], signal: AbortSignal): Promise<void> {
    const asked = new Set(names.slice(0, MOST_PACKAGES));
    for (const { registryId, document } of await this.#cache.all()) {
      if (registryId === registry.id && !asked.has(document.name)) await this.#cache.remove(registryId, document.name);
    }
    const budget: Budget = { left: MOST_BYTES_OF_DOCUMENTS };
    const waiting = asked.values();
    const failures: unknown[] = [];
    const work = async (): Promise<void> => {
      for (const name of waiting) {
        // One bad document does not spoil the others; a registry that does not answer is not waited for again and again.
        if (signal.aborted || budget.left < 0 || failures.length >= MOST_FAILURES) return;
        await this.#document(registry, name, signal, budget).catch((error: unknown) => failures.push(error));
      }
    };
    await Promise.all(Array.from({ length: DOCUMENTS_AT_ONCE }, work));
    if (signal.aborted) throw new HostError('CANCELLED');
    if (failures.length > 0) throw failures[0];
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#network[Symbol.asyncDispose]();
  }

  async #get(
    registry: RegistrySource,
    path: string,
    etag: string | undefined,
    signal: AbortSignal,
    budget: Budget,
  ): Promise<Answer> {
    const url = new URL(path, registry.url);
    const tooLong = AbortSignal.timeout(this.#network.times.document);
    try {
      const { statusCode, headers, body } = await this.#network.ask(registry, url, {
        signal: AbortSignal.any([signal, tooLong]),
        // The abbreviated document has no manifests, so never ask for that.
        headers: { accept: 'application/json', ...(etag === undefined ? {} : { 'if-none-match': etag }) },
      });
      if (statusCode === 401 || statusCode === 403) {
        await body.dump();
        throw registryUnreachable(registry, `It answered ${statusCode}: it needs a token, or rejected the one that was sent`);
      }
      const chunks: Buffer[] = [];
      let received = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (received > MOST_DOCUMENT_BYTES)
          throw registryUnreachable(registry, `Its answer has more than ${MOST_DOCUMENT_BYTES} bytes`);
        budget.left -= chunk.length;
        if (budget.left < 0)
          throw registryUnreachable(registry, `Its documents have more than ${MOST_BYTES_OF_DOCUMENTS} bytes together`);
        chunks.push(chunk);
      }
      const tag = headers['etag'];
      return {
        status: statusCode,
        etag: typeof tag === 'string' ? tag : undefined,
        body: statusCode === 200 ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : undefined,
      };
    } catch (cause) {
      if (signal.aborted) throw new HostError('CANCELLED', undefined, { cause });
      if (cause instanceof HostError) throw cause;
      if (tooLong.aborted) {
        const seconds = this.#network.times.document / 1_000;
        throw registryUnreachable(registry, `Its answer was not complete after ${seconds} seconds`, cause);
      }
      const why =
        cause instanceof SyntaxError ? 'It answered something that is not JSON' : whyNoAnswer(cause, this.#network.proxyFor(url));
      throw registryUnreachable(registry, why, cause);
    }
  }
}
