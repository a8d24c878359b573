import { DRIVER_KEYWORD } from '@tabularium/sdk/package';
import { request } from 'undici';
import { z } from 'zod';
import { HostError } from '../../../common/errors.ts';
import type { DocumentCache } from './documentCache.ts';
import { readRegistryDocument } from './registryDocument.ts';
import type { RegistryDocument } from './registryDocument.ts';
import { RegistryNetwork } from './registryNetwork.ts';
import type { RegistrySource } from './registrySource.ts';

/** How long a registry may take to connect, to begin an answer, and between two pieces of it. */
const ANSWER_MILLISECONDS = 10_000;
/** The largest document that is read. */
const MOST_DOCUMENT_BYTES = 16 * 1024 * 1024;
const MOST_FOUND = 250;
/** verdaccio looks for every word in name and description, other registries in the keywords too. The keyword decides afterwards. */
const SEARCH_TEXT = 'tabularium driver';

const searchSchema = z.object({
  objects: z.array(z.object({ package: z.object({ name: z.string(), keywords: z.array(z.string()).optional() }) })),
});

interface Answer {
  readonly status: number;
  readonly etag: string | undefined;
  readonly body: unknown;
}

/** Asks registries for documents, revalidates what is cached, and finds packages. */
export class RegistryClient implements AsyncDisposable {
  readonly #cache: DocumentCache;
  readonly #network: RegistryNetwork;

  constructor(options: { readonly cache: DocumentCache; readonly network?: RegistryNetwork }) {
    this.#cache = options.cache;
    this.#network = options.network ?? new RegistryNetwork();
  }

  /**
   * A package's document, asked for anew; an unchanged one costs a 304.
   *
   * @returns undefined when the registry has no such package
   * @throws HostError `REGISTRY_UNREACHABLE`, `CANCELLED`
   */
  async document(registry: RegistrySource, name: string, signal: AbortSignal): Promise<RegistryDocument | undefined> {
    const cached = await this.#cache.get(registry.id, name);
    const answer = await this.#get(registry, name.replace('/', '%2f'), cached?.etag, signal);
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
    if (document === undefined)
      throw unreachable(registry, `It answered ${answer.status} with something else than the package ${name}`);
    await this.#cache.put({
      registryId: registry.id,
      checkedAt,
      document,
      ...(answer.etag === undefined ? {} : { etag: answer.etag }),
    });
    return document;
  }

  /**
   * The names of packages that say they are drivers.
   *
   * @returns an empty list when the registry has no search
   * @throws HostError `REGISTRY_UNREACHABLE`, `CANCELLED`
   */
  async search(registry: RegistrySource, signal: AbortSignal): Promise<readonly string[]> {
    const path = `-/v1/search?text=${encodeURIComponent(SEARCH_TEXT)}&size=${MOST_FOUND}`;
    const answer = await this.#get(registry, path, undefined, signal);
    const found = searchSchema.safeParse(answer.body);
    if (answer.status !== 200 || !found.success) return [];
    return found.data.objects
      .map((object) => object.package)
      .flatMap(({ name, keywords }) => (keywords?.includes(DRIVER_KEYWORD) === true ? [name] : []));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#network[Symbol.asyncDispose]();
  }

  async #get(registry: RegistrySource, path: string, etag: string | undefined, signal: AbortSignal): Promise<Answer> {
    await this.#network.assertAllowed(registry);
    try {
      const response = await request(new URL(path, registry.url), {
        dispatcher: await this.#network.dispatcher(registry),
        signal,
        headersTimeout: ANSWER_MILLISECONDS,
        bodyTimeout: ANSWER_MILLISECONDS,
        // The abbreviated document has no manifests, so never ask for that.
        headers: {
          accept: 'application/json',
          ...(await this.#network.headers(registry)),
          ...(etag === undefined ? {} : { 'if-none-match': etag }),
        },
      });
      const { statusCode: status, headers, body } = response;
      if (status === 401 || status === 403) {
        await body.dump();
        throw unreachable(registry, `It answered ${status}: it wants a token, or does not accept the one it got`);
      }
      const chunks: Buffer[] = [];
      let received = 0;
      for await (const chunk of body as AsyncIterable<Buffer>) {
        received += chunk.length;
        if (received > MOST_DOCUMENT_BYTES) throw unreachable(registry, `Its answer has more than ${MOST_DOCUMENT_BYTES} bytes`);
        chunks.push(chunk);
      }
      const tag = headers['etag'];
      const answerTag = typeof tag === 'string' ? tag : undefined;
      return { status, etag: answerTag, body: status === 200 ? JSON.parse(Buffer.concat(chunks).toString('utf8')) : undefined };
    } catch (cause) {
      if (signal.aborted) throw new HostError('CANCELLED', undefined, { cause });
      if (cause instanceof HostError) throw cause;
      const proxy = this.#network.proxyOf(registry);
      const way = proxy === undefined ? '' : ` (through the proxy ${proxy})`;
      throw unreachable(
        registry,
        cause instanceof SyntaxError ? 'It answered something that is not JSON' : `${whyOf(cause)}${way}`,
        cause,
      );
    }
  }
}

function unreachable(registry: RegistrySource, why: string, cause?: unknown): HostError {
  return new HostError(
    'REGISTRY_UNREACHABLE',
    `The driver registry "${registry.name}" (${registry.url}) cannot be used. ${why}.`,
    { cause },
  );
}

const UNKNOWN_AUTHORITY =
  'Its certificate is signed by an authority that this computer does not know; name a file of authorities in the settings, or set NODE_EXTRA_CA_CERTS';

/** The reason in words; a code is known to nobody. */
function whyOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
  const reasons: Readonly<Record<string, string>> = {
    ECONNREFUSED: 'Nothing answers at that address',
    ENOTFOUND: 'The name of the host is not known',
    EAI_AGAIN: 'The name of the host could not be looked up',
    ECONNRESET: 'The connection broke',
    UND_ERR_SOCKET: 'The connection broke',
    UND_ERR_CONNECT_TIMEOUT: 'It did not answer in time',
    UND_ERR_HEADERS_TIMEOUT: 'It did not answer in time',
    UND_ERR_BODY_TIMEOUT: 'Its answer stopped half-way',
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: UNKNOWN_AUTHORITY,
    UNABLE_TO_GET_ISSUER_CERT: UNKNOWN_AUTHORITY,
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: UNKNOWN_AUTHORITY,
    SELF_SIGNED_CERT_IN_CHAIN: UNKNOWN_AUTHORITY,
    DEPTH_ZERO_SELF_SIGNED_CERT: UNKNOWN_AUTHORITY,
    CERT_HAS_EXPIRED: 'Its certificate has expired',
    ERR_TLS_CERT_ALTNAME_INVALID: 'Its certificate is for another host name',
  };
  return reasons[code] ?? `It could not be asked${code === '' ? '' : ` (${code})`}`;
}
