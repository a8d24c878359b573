import { randomBytes, randomUUID } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Logger } from '../../storage/logger.ts';
import { MCP_CODES, SUPPORTED_VERSIONS } from '../server/codes.ts';
import { errorAnswer } from '../http/answers.ts';
import { readJsonBody } from '../http/body.ts';
import { sendAnswer } from '../../http/fetchAdapter.ts';
import { refuseForeignSender } from '../http/sender.ts';
import type { McpLifecycle } from '../server/lifecycle.ts';
import { HANDSHAKE_FILE, OFF_FILE, removePrivate, writePrivately } from './handshakeFile.ts';
import type { Handshake } from './handshakeFile.ts';
import { challengeSchema, LARGEST_CHALLENGE_BYTES, PROOF_PATH, handshakeProof } from './proof.ts';
import { HOME } from '../../storage/home.ts';
import { loggerOf } from '../../storage/logger.ts';
import { TokenStore } from '../access/tokenStore.ts';
import { from } from '../../container/inject.ts';
import type { Inject } from '../../container/inject.ts';

const BRIDGE_TOKEN_MILLISECONDS = 3_600_000;
/** How long before its end a token is replaced. */
const ROTATE_BEFORE_MILLISECONDS = 900_000;
/**
 * How often it is looked whether that is due, and whether the file is as it was written. Not one long timer: timers stop while the machine sleeps, and tokens do not. Short
 * against the 10 s that a bridge waits for a handshake after waking up.
 */
const LOOK_MILLISECONDS = 3_000;

export interface HandshakePorts {
  /** The support directory. */
  readonly folder: string;
  readonly tokens: Pick<TokenStore, 'mintBridge'>;
  readonly logger: Pick<Logger, 'error' | 'warn'>;
  readonly now?: () => number;
  /** How often the file is looked at. */
  readonly lookMilliseconds?: number;
}

type Running = Pick<Handshake, 'port' | 'proofSecret' | 'instanceId'>;

/** Publishes the address of the MCP server for bridges, gives them their token in time, and proves to them that the server is ours. */
export class HandshakeService implements McpLifecycle {
  static readonly inject: Inject<typeof HandshakeService> = {
    folder: from([HOME], ({ folder }) => folder),
    tokens: TokenStore,
    logger: loggerOf('mcp'),
  };

  readonly #ports: HandshakePorts;
  readonly #now: () => number;
  #running: Running | undefined;
  #expiresAt = 0;
  /** The content of the file. */
  #written = '';
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  #closed = false;

  constructor(ports: HandshakePorts) {
    this.#ports = ports;
    this.#now = ports.now ?? Date.now;
  }

  /** The server listens. */
  async started({ port }: { readonly port: number }): Promise<void> {
    this.#running = { port, proofSecret: randomBytes(32).toString('hex'), instanceId: randomUUID() };
    await this.#inTurn(async () => {
      for (const name of [HANDSHAKE_FILE, OFF_FILE]) await removePrivate(this.#ports.folder, name);
      await this.#write(false);
    });
    this.#timer ??= setInterval(() => {
      void this.rotateWhenDue();
      void this.restoreWhenChanged();
    }, this.#ports.lookMilliseconds ?? LOOK_MILLISECONDS).unref();
  }

  /** The server is about to stop: new clients must not find it. */
  async stopping(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#running = undefined;
    await this.#inTurn(() => removePrivate(this.#ports.folder, HANDSHAKE_FILE));
    await this.turnedOff();
  }

  /** The host runs, and its server does not. */
  async turnedOff(): Promise<void> {
    if (this.#closed) return;
    await this.#inTurn(async () => {
      if (this.#running !== undefined || this.#closed) return;
      // The file of a host that was killed must not be taken for ours.
      await removePrivate(this.#ports.folder, HANDSHAKE_FILE);
      await writePrivately(this.#ports.folder, OFF_FILE, { version: 1, pid: process.pid, home: this.#ports.folder });
    });
  }

  /** The host ends. To be called before the server is stopped. */
  async close(): Promise<void> {
    this.#closed = true;
    await this.#inTurn(() => removePrivate(this.#ports.folder, OFF_FILE));
  }

  /** Replaces the token when its end is near. The outgoing one stays valid to its own end, so that no call in flight dies. */
  async rotateWhenDue(): Promise<void> {
    if (this.#running === undefined || this.#expiresAt - this.#now() > ROTATE_BEFORE_MILLISECONDS) return;
    await this.#inTurn(async () => {
      if (this.#running !== undefined && this.#expiresAt - this.#now() <= ROTATE_BEFORE_MILLISECONDS) await this.#write(true);
    });
  }

  /** Writes the file again where it was removed, opened to others, or changed: without it no bridge finds a server that runs. */
  async restoreWhenChanged(): Promise<void> {
    await this.#inTurn(async () => {
      // One that couldn't be written is tried again by the rotation.
      if (this.#running === undefined || this.#expiresAt === 0) return;
      const found = await this.#found();
      if (found === 'whole') return;
      this.#ports.logger.warn('the handshake for the bridge was removed or changed, and is written again');
      // Others may have read the token.
      await this.#write(found === 'missing');
    });
  }

  async #found(): Promise<'whole' | 'missing' | 'changed'> {
    const file = join(this.#ports.folder, HANDSHAKE_FILE);
    try {
      const entry = await lstat(file);
      const { mode, nlink, uid } = entry;
      if (!entry.isFile()) return 'changed';
      if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o777) !== 0o600 || nlink > 1)) return 'changed';
      return (await readFile(file, 'utf8')) === this.#written ? 'whole' : 'changed';
    } catch (error) {
      return error instanceof Error && 'code' in error && error.code === 'ENOENT' ? 'missing' : 'changed';
    }
  }

  /** Answers a challenge. False for every other request. */
  intercept(request: IncomingMessage, response: ServerResponse): boolean {
    if (request.url !== PROOF_PATH) return false;
    this.#prove(request).then(
      (answer) => sendAnswer(response, answer),
      (error: unknown) => {
        this.#ports.logger.error('a proof could not be given', error);
        response.destroy();
      },
    );
    return true;
  }

  async #prove(request: IncomingMessage): Promise<Response> {
    const foreign = refuseForeignSender(request, []);
    if (foreign !== undefined) return foreign;
    if (request.method !== 'POST') {
      return errorAnswer(405, MCP_CODES.invalidRequest, 'A challenge is sent by POST.', { headers: { allow: 'POST' } });
    }
    const body = await readJsonBody(request, LARGEST_CHALLENGE_BYTES);
    const challenge = challengeSchema.safeParse(body.kind === 'json' ? body.value : undefined);
    const running = this.#running;
    // The instance is checked so that nothing is signed for one that has gone.
    if (!challenge.success || running === undefined || challenge.data.instanceId !== running.instanceId) {
      return errorAnswer(400, MCP_CODES.invalidRequest, 'The challenge is for another instance.', {
        headers: { connection: 'close' },
      });
    }
    const port = request.socket.localPort ?? 0;
    return Response.json(
      { version: 1, proof: handshakeProof(running.proofSecret, port, challenge.data) },
      { headers: { 'cache-control': 'no-store' } },
    );
  }

  async #write(keepOutgoing: boolean): Promise<void> {
    const { folder, tokens, logger } = this.#ports;
    if (this.#running === undefined) return;
    try {
      const { text, info } = tokens.mintBridge(BRIDGE_TOKEN_MILLISECONDS, { keepOutgoing });
      const expiresAt = info.expiresAt ?? new Date(this.#now() + BRIDGE_TOKEN_MILLISECONDS).toISOString();
      const { port, proofSecret, instanceId } = this.#running;
      const handshake: Handshake = {
        version: 1,
        port,
        token: text,
        proofSecret,
        pid: process.pid,
        instanceId,
        protocolVersion: SUPPORTED_VERSIONS[0],
        expiresAt,
        home: folder,
      };
      // A folder of that name can't be replaced in one step.
      if (!keepOutgoing) await removePrivate(folder, HANDSHAKE_FILE);
      this.#written = await writePrivately(folder, HANDSHAKE_FILE, handshake);
      this.#expiresAt = Date.parse(expiresAt);
    } catch (error) {
      // Clients over HTTP are served all the same; the next look tries again.
      this.#expiresAt = 0;
      logger.error('the handshake for the bridge could not be written', error);
    }
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#writing.then(work);
    this.#writing = done.catch(() => undefined);
    return done;
  }
}
