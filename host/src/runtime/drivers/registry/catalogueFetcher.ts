import { BaseFetcher } from 'tuf-js';
import { DownloadHTTPError } from 'tuf-js/dist/error.js';
import { registryUnreachable, whyNoAnswer } from './registryFaults.ts';
import type { RegistryNetwork } from './registryNetwork.ts';
import type { RegistrySource } from '../trust/registrySource.ts';

/** The way of the TUF client to a registry: the host's own network rules, into memory, never more than the client allows. */
export class CatalogueFetcher extends BaseFetcher {
  readonly #registry: RegistrySource;
  readonly #network: RegistryNetwork;
  readonly #signal: AbortSignal;
  /** The error on the way; the client wraps errors so that only their text is left. */
  failure: Error | undefined;

  constructor(registry: RegistrySource, network: RegistryNetwork, signal: AbortSignal) {
    super();
    this.#registry = registry;
    this.#network = network;
    this.#signal = signal;
  }

  /** @returns undefined when the registry answers, and does not have the file. @throws HostError `REGISTRY_UNREACHABLE` and as the network does */
  async find(url: string, maxLength: number): Promise<Buffer | undefined> {
    const answer = await this.#network.ask(this.#registry, new URL(url), {
      signal: this.#signal,
      headers: { accept: 'application/json' },
    });
    const { statusCode, body } = answer;
    if (statusCode !== 200) {
      await body.dump({ limit: 1_024 }).catch(() => undefined);
      if (statusCode < 500 && statusCode !== 401 && statusCode !== 429) return undefined;
      throw registryUnreachable(this.#registry, `It answered ${statusCode} when it was asked for its signed catalogue`);
    }
    const chunks: Buffer[] = [];
    let received = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      received += chunk.length;
      if (received > maxLength) throw new RangeError(`${new URL(url).pathname} has more than ${maxLength} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks);
  }

  override async downloadBytes(url: string, maxLength: number): Promise<Buffer> {
    const found = await this.find(url, maxLength).catch((error: unknown) => {
      this.failure = error instanceof Error ? error : new Error(String(error));
      throw this.failure;
    });
    if (found === undefined) throw new DownloadHTTPError('Failed to download', 404);
    return found;
  }

  /** The client asks for metadata alone, by {@link downloadBytes}. */
  override fetch(): never {
    throw new TypeError('Archives are downloaded by the host itself.');
  }

  /** Why the registry could not be asked, in words. */
  unreachable(error: unknown): Error {
    return registryUnreachable(this.#registry, whyNoAnswer(error, this.#network.proxyFor(new URL(this.#registry.url))), error);
  }
}
