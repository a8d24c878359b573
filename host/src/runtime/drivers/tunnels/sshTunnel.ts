import { connect } from 'node:net';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { DriverError } from '@tabularium/sdk';
import ssh2 from 'ssh2';
import type { Algorithms, AnyAuthMethod, Client, ClientChannel } from 'ssh2';
import { HostError } from '../../../common/errors.ts';
import { hostSentence } from '../../../common/hostSentences.ts';
import { TUNNEL } from '../../../common/tunnelFields.ts';
import { hostDriverError } from '../../errors/hostDriverError.ts';
import { connectionError } from '../broker/connectionErrors.ts';
import { whenConnected } from '../broker/whenConnected.ts';
import { ChannelStream } from './channelStream.ts';
import type { HostKeys } from './hostKeys.ts';
import { assertSameKey } from './hostKeys.ts';
import type { HostKey } from './knownHosts.ts';
import { hostKeyFingerprint, keyTypeName } from './knownHosts.ts';
import type { SshCredential } from './sshCredential.ts';
import type { SshLimits } from './sshLimits.ts';
import { SshGreeting } from './sshGreeting.ts';
import { SSH_LIMITS } from './sshLimits.ts';
import { SshTransport } from './sshTransport.ts';
import type { Tunnel, TunnelStep } from '../broker/tunnel.ts';

export interface SshTunnelOptions {
  readonly host: string;
  readonly port: number;
  readonly address: string;
  readonly user: string;
  readonly credential: SshCredential;
  readonly hostKeys: HostKeys;
  readonly limits?: Partial<SshLimits>;
}

const MOST_MISSED = 3;
/** In the library's message. */
const NO_ALGORITHM = 'no matching';

/** The types that OpenSSH takes by default and the library has. SHA-1, CBC and RSA signatures with SHA-1 are left out. */
const HOST_KEY_TYPES = [
  'ssh-ed25519',
  'ecdsa-sha2-nistp256',
  'ecdsa-sha2-nistp384',
  'ecdsa-sha2-nistp521',
  'rsa-sha2-512',
  'rsa-sha2-256',
] as const;
/**
 * Each exchange of these takes a few milliseconds, in which the host does nothing else. Group exchange is left out: the server chooses the prime, and the
 * check of one with 8192 bits takes a minute, before any host key is compared.
 */
const ALGORITHMS = {
  kex: [
    'curve25519-sha256',
    'curve25519-sha256@libssh.org',
    'ecdh-sha2-nistp256',
    'ecdh-sha2-nistp384',
    'ecdh-sha2-nistp521',
    'diffie-hellman-group16-sha512',
    'diffie-hellman-group14-sha256',
  ],
  cipher: ['aes256-gcm@openssh.com', 'aes128-gcm@openssh.com', 'aes256-ctr', 'aes192-ctr', 'aes128-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com', 'hmac-sha2-256', 'hmac-sha2-512'],
  compress: ['none'],
} satisfies Algorithms;

/** Reasons of RFC 4254 for a channel that is not opened. */
const PROHIBITED = 1;

interface Established {
  readonly client: Client;
  readonly transport: SshTransport;
  /** Why it is over; undefined while it is open. */
  end: Error | undefined;
}

/** Streams through one SSH connection, as `ssh -L` makes them. */
export class SshTunnel implements Tunnel {
  readonly kind = 'ssh';
  readonly address: string;
  readonly #options: SshTunnelOptions;
  readonly #limits: SshLimits;
  readonly #streams = new Set<Duplex>();
  #holders = 0;
  #openings = 0;
  #refusal: HostError | undefined;
  #connecting: Promise<Established> | undefined;
  #established: Established | undefined;
  #closing = new AbortController();

  constructor(options: SshTunnelOptions) {
    this.#options = options;
    this.#limits = { ...SSH_LIMITS, ...options.limits };
    this.address = options.address;
  }

  get openings(): number {
    return this.#openings;
  }

  get isOpen(): boolean {
    return this.#established !== undefined && this.#established.end === undefined;
  }

  get refusal(): HostError | undefined {
    return this.#refusal;
  }

  hold(): void {
    this.#holders += 1;
  }

  release(): void {
    this.#holders -= 1;
    if (this.#holders > 0) return;
    this.#closing.abort(new DriverError('CANCELLED', 'The session was closed.'));
    this.#closing = new AbortController();
    for (const stream of this.#streams) stream.destroy(new DriverError('CANCELLED', 'The session was closed.'));
    const established = this.#established;
    this.#established = undefined;
    if (established === undefined) return;
    established.end ??= new DriverError('CANCELLED', 'The session was closed.');
    established.transport.end();
  }

  async ready(signal: AbortSignal, onStep?: (step: TunnelStep) => void): Promise<void> {
    await this.#connected(signal, onStep);
  }

  async open(host: string, port: number, signal: AbortSignal): Promise<Duplex> {
    const established = await this.#connected(signal);
    const target = `${host.includes(':') ? `[${host}]` : host}:${port}`;
    const channel = await new Promise<ClientChannel>((resolve, reject) => {
      const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new DriverError('CANCELLED'));
      if (signal.aborted) return abort();
      signal.addEventListener('abort', abort, { once: true });
      try {
        established.client.forwardOut('127.0.0.1', 0, host, port, (error, opened) => {
          signal.removeEventListener('abort', abort);
          // Too late: the one who wanted it is gone.
          if (signal.aborted) (opened as ClientChannel | undefined)?.close();
          else if (error === undefined) resolve(opened);
          else reject(established.end ?? this.#refused(error, target));
        });
      } catch (error) {
        signal.removeEventListener('abort', abort);
        reject(established.end ?? this.#lost(error));
      }
    });
    const stream = new ChannelStream(
      channel,
      established.transport,
      () => established.end ?? hostDriverError('CONNECTION_LOST', hostSentence('sshChannelLost', { ssh: this.address, target })),
      () => this.#fail(established, this.#flooded()),
    );
    this.#streams.add(stream);
    // Its user gets its error; a stream that is destroyed before that must not end the process.
    stream.on('error', () => undefined);
    stream.once('close', () => this.#streams.delete(stream));
    if (established.end !== undefined) {
      stream.destroy();
      throw established.end;
    }
    return stream;
  }

  /** The connection, opened once for all who wait. One of them who goes away ends the waiting alone. */
  async #connected(signal: AbortSignal, onStep?: (step: TunnelStep) => void): Promise<Established> {
    if (this.#established !== undefined && this.#established.end === undefined) return this.#established;
    const closing = this.#closing.signal;
    this.#connecting ??= this.#connect(closing, onStep)
      .then((established) => {
        // Closed meanwhile: nothing would end it any more.
        if (closing.aborted) this.#fail(established, new DriverError('CANCELLED'));
        else {
          this.#established = established;
          this.#openings += 1;
        }
        this.#refusal = undefined;
        return established;
      })
      .catch((error: unknown) => {
        this.#refusal = error instanceof HostError ? error : undefined;
        throw error;
      })
      .finally(() => {
        this.#connecting = undefined;
      });
    const connecting = this.#connecting;
    return new Promise((resolve, reject) => {
      const abort = (): void => reject(signal.reason instanceof Error ? signal.reason : new DriverError('CANCELLED'));
      if (signal.aborted) abort();
      signal.addEventListener('abort', abort, { once: true });
      connecting.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
    });
  }

  async #connect(closing: AbortSignal, onStep: ((step: TunnelStep) => void) | undefined): Promise<Established> {
    const { host, port, hostKeys } = this.#options;
    const ssh = this.address;
    const limit = new AbortController();
    const timer = setTimeout(() => limit.abort(), this.#limits.connect);
    const signal = AbortSignal.any([closing, limit.signal]);
    let socket: Socket | undefined;
    try {
      const known = await hostKeys.known({ host, port });
      socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: this.#limits.keepAlive });
      await whenConnected(socket, 'connect', signal);
      onStep?.({ id: 'sshReached', sentence: hostSentence('testConnected', { address: ssh }) });
      return await this.#signedIn(socket, known, signal, onStep);
    } catch (error) {
      socket?.destroy();
      if (closing.aborted) throw closing.reason;
      if (limit.signal.aborted)
        throw hostDriverError('TIMEOUT', hostSentence('sshLate', { ssh, seconds: this.#limits.connect / 1_000 }));
      if (error instanceof HostError || error instanceof DriverError) throw error;
      throw connectionError(error, { origin: { scheme: 'tcp', host, port }, address: ssh, tls: undefined });
    } finally {
      clearTimeout(timer);
    }
  }

  #signedIn(
    socket: Socket,
    known: Awaited<ReturnType<HostKeys['known']>>,
    signal: AbortSignal,
    onStep: ((step: TunnelStep) => void) | undefined,
  ): Promise<Established> {
    const ssh = this.address;
    const { user } = this.#options;
    const client = new ssh2.Client();
    return new Promise((resolve, reject) => {
      let refusal: unknown;
      let received = 0;
      const greeting = new SshGreeting();
      const notSpoken = (): DriverError => hostDriverError('BAD_ANSWER', hostSentence('sshNotSpoken', { ssh }));
      // One that says something else first and leaves isn't lost: it never was an SSH server's.
      const ended = (error: unknown): DriverError => (received > 0 && !greeting.isOver ? notSpoken() : this.#lost(error));
      let verified: HostKey | undefined;
      let stage: 'greeting' | 'signingIn' | 'open' = 'greeting';
      const transport = new SshTransport(socket, client, this.#limits, () => {
        if (stage === 'open') fail(this.#flooded());
      });
      const established: Established = { client, transport, end: undefined };
      const fail = (error: unknown): void => {
        signal.removeEventListener('abort', abort);
        this.#fail(established, error instanceof Error ? error : this.#lost(error));
        reject(established.end ?? (error instanceof Error ? error : this.#lost(error)));
      };
      const abort = (): void => fail(new DriverError('CANCELLED'));
      signal.addEventListener('abort', abort, { once: true });
      client.on('ready', () => {
        stage = 'open';
        signal.removeEventListener('abort', abort);
        onStep?.({ id: 'sshSignIn', sentence: hostSentence('testSshSignedIn', { user }) });
        resolve(established);
      });
      client.on('error', (error) => {
        const level = 'level' in error ? error.level : undefined;
        if (refusal !== undefined) fail(refusal);
        else if (level === 'client-authentication') fail(this.#signInRefused());
        else if (level === 'agent') fail(hostDriverError('CREDENTIALS_MISSING', hostSentence('sshAgentSilent')));
        else if (stage === 'greeting' && error.message.includes(NO_ALGORITHM))
          fail(hostDriverError('BAD_ANSWER', hostSentence('sshNoAlgorithm', { ssh })));
        else if (stage === 'greeting' && (level === 'handshake' || level === 'protocol')) fail(notSpoken());
        else if (stage === 'greeting' && !('syscall' in error)) fail(notSpoken());
        else fail(ended(error));
      });
      client.on('close', () => fail(refusal ?? ended(undefined)));
      client.connect({
        authHandler: this.#signIn(),
        sock: socket,
        username: user,
        readyTimeout: 0,
        keepaliveInterval: this.#limits.keepAlive,
        keepaliveCountMax: MOST_MISSED,
        algorithms: { ...ALGORITHMS, serverHostKey: preferred(known.types) },
        hostVerifier: (key: Buffer) => {
          const presented = { type: typeOf(key), key: key.toString('base64') };
          const isFirst = verified === undefined;
          try {
            if (verified === undefined) known.assert(presented);
            else assertSameKey(verified, presented);
          } catch (error) {
            refusal = error;
            return false;
          }
          verified = presented;
          // Keys are exchanged again after some time or data. It changes nothing about the sign-in.
          if (!isFirst) {
            transport.keysExchanged();
            return true;
          }
          stage = 'signingIn';
          onStep?.({
            id: 'sshHostKey',
            sentence: hostSentence('testHostKey', {
              type: keyTypeName(presented.type),
              fingerprint: hostKeyFingerprint(presented),
            }),
          });
          return true;
        },
      });
      socket.on('data', (chunk: Buffer) => {
        received += chunk.length;
        if (stage !== 'open' && (greeting.isOther(chunk) || received > this.#limits.greeting)) fail(notSpoken());
      });
    });
  }

  #signIn(): AnyAuthMethod[] {
    const { credential, user: username } = this.#options;
    switch (credential.kind) {
      case 'password': {
        const { password } = credential;
        return [
          { type: 'password', username, password },
          {
            type: 'keyboard-interactive',
            username,
            // One hidden prompt is the password. For anything else, such as a code, there is no place to enter it.
            prompt: (_name, _instructions, _language, prompts, answer) =>
              answer(prompts.length === 1 && prompts[0]?.echo !== true ? [password] : []),
          },
        ];
      }
      case 'key':
        return [{ type: 'publickey', username, key: credential.key }];
      case 'agent':
        return [{ type: 'agent', username, agent: credential.socket }];
    }
  }

  /** The connection is over: every stream through it ends with the reason. */
  #fail(established: Established, error: Error): void {
    if (established.end !== undefined) return;
    established.end = error;
    if (this.#established === established) this.#established = undefined;
    for (const stream of this.#streams) stream.destroy(error);
    established.client.on('error', () => undefined);
    established.transport.destroy();
  }

  #flooded(): DriverError {
    return hostDriverError('BAD_ANSWER', hostSentence('sshFlood', { ssh: this.address }));
  }

  #signInRefused(): DriverError {
    const { credential } = this.#options;
    const field = { password: TUNNEL.sshPassword, key: TUNNEL.sshKey, agent: TUNNEL.sshSignIn }[credential.kind];
    return hostDriverError('ACCESS_REFUSED', hostSentence('sshSignInRefused', { ssh: this.address }), { details: { field } });
  }

  #refused(error: unknown, target: string): DriverError {
    const reason = typeof error === 'object' && error !== null && 'reason' in error ? error.reason : undefined;
    if (reason === undefined) return this.#lost(error);
    return reason === PROHIBITED
      ? hostDriverError('ACCESS_REFUSED', hostSentence('sshForwardForbidden', { ssh: this.address, target }))
      : hostDriverError('CONNECTION_REFUSED', hostSentence('sshForwardFailed', { ssh: this.address, target }));
  }

  #lost(cause: unknown): DriverError {
    return hostDriverError('CONNECTION_LOST', hostSentence('sshLost', { ssh: this.address }), {
      ...(cause instanceof Error ? { cause: new Error(cause.message.slice(0, 200)) } : {}),
    });
  }
}

/** Types that are known come first, so that a server with several keys shows one that can be compared. */
function preferred(known: readonly string[]): (typeof HOST_KEY_TYPES)[number][] {
  const isKnown = (type: string): boolean => known.includes(type.startsWith('rsa-') ? 'ssh-rsa' : type);
  return [...HOST_KEY_TYPES.filter(isKnown), ...HOST_KEY_TYPES.filter((type) => !isKnown(type))];
}

/** The first string of a key in the form of the wire. */
function typeOf(key: Buffer): string {
  const length = key.length < 4 ? 0 : key.readUInt32BE(0);
  return key.subarray(4, 4 + Math.min(length, 80)).toString('latin1');
}
