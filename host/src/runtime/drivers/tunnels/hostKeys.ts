import { createHash } from 'node:crypto';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { ErrorQuestions } from '../../../common/errorQuestions.ts';
import { HostError } from '../../../common/errors.ts';
import type { HostKeyQuestion } from '../../../common/hostKeyQuestion.ts';
import type { Inject } from '../../container/inject.ts';
import { token } from '../../container/inject.ts';
import { AcceptedHostKeys } from './acceptedHostKeys.ts';
import type { HostKey, KnownHost } from './knownHosts.ts';
import { LARGEST_KNOWN_HOSTS, hostKeyFingerprint, keyTypeName, knownHostsIn } from './knownHosts.ts';
import { openRegularFile } from '../../storage/regularFile.ts';

/** The known_hosts files that are read. They are OpenSSH's, and never written. */
export const KNOWN_HOSTS_FILES = token<readonly string[]>('KNOWN_HOSTS_FILES');

export function usualKnownHostsFiles(environment: NodeJS.ProcessEnv): readonly string[] {
  const own = join(environment['HOME'] ?? homedir(), '.ssh');
  const shared =
    process.platform === 'win32'
      ? [join(environment['ProgramData'] ?? 'C:\\ProgramData', 'ssh', 'ssh_known_hosts')]
      : ['/etc/ssh/ssh_known_hosts'];
  return [join(own, 'known_hosts'), join(own, 'known_hosts2'), ...shared];
}

/** Questions that wait for an answer; the oldest goes first. */
const MOST_ASKED = 64;
/** In an error. */
const MOST_NAMED = 4;

/** A server, as the form has it. */
export interface SshServer {
  readonly host: string;
  readonly port: number;
}

/** The facts about a server before it is asked. */
export interface KnownServer {
  /** The types of key to prefer: those that are known. */
  readonly types: readonly string[];
  /** @throws HostError `SSH_KEY_UNKNOWN` with the question, `SSH_KEY_CHANGED` */
  assert(key: HostKey): void;
}

/** The server's key is on no list; nothing was sent. Carries what a person is asked. */
export class UnknownHostKeyError extends HostError {
  readonly question: HostKeyQuestion;

  constructor(question: HostKeyQuestion) {
    // Without the address: clients outside read this, too.
    super('SSH_KEY_UNKNOWN');
    this.question = question;
  }

  override get questions(): ErrorQuestions {
    return { hostKeyQuestion: this.question };
  }
}

/** Decides which key an SSH server may have: one of OpenSSH's lists of this person, or one that the person accepted here. */
export class HostKeys {
  static readonly inject: Inject<typeof HostKeys> = [AcceptedHostKeys, KNOWN_HOSTS_FILES];

  readonly #accepted: AcceptedHostKeys;
  readonly #files: readonly string[];
  readonly #asked = new Map<string, SshServer & HostKey>();

  constructor(accepted: AcceptedHostKeys, files: readonly string[]) {
    this.#accepted = accepted;
    this.#files = files;
  }

  /** @throws HostError `SSH_KEY_CHANGED` where a list can't be read whole */
  async known({ host, port }: SshServer): Promise<KnownServer> {
    const lines = (await Promise.all(this.#files.map((file) => linesOf(file, host, port)))).flat();
    const accepted = this.#accepted.get(host, port);
    const trusted = [
      ...lines.filter(({ marker }) => marker === 'none'),
      ...(accepted === undefined ? [] : [{ ...accepted, where: 'accepted in Tabularium' }]),
    ];
    return {
      types: [...new Set(trusted.map(({ type }) => type))],
      assert: (key) => this.#assert({ host, port }, key, lines, trusted),
    };
  }

  /**
   * A person has accepted the key that they were shown.
   *
   * @param code - of the question
   * @throws HostError `INVALID_REQUEST` where that question was not asked in this run of the host
   */
  accept(code: string): void {
    const asked = this.#asked.get(code);
    if (asked === undefined) {
      throw new HostError('INVALID_REQUEST', 'This host key is not waiting for an answer.', {
        details: { advice: 'Connect again and compare the fingerprint again.' },
      });
    }
    this.#asked.delete(code);
    // Accepted meanwhile in another window: another key must not take its place unseen.
    if (this.#accepted.get(asked.host, asked.port) === undefined) this.#accepted.set(asked.host, asked.port, asked);
  }

  /** Forgets the key that was accepted here. @returns whether there was one */
  forget({ host, port }: SshServer): boolean {
    return this.#accepted.remove(host, port);
  }

  #assert(
    server: SshServer,
    key: HostKey,
    lines: readonly KnownHost[],
    trusted: readonly (HostKey & { readonly where: string })[],
  ): void {
    const revoked = lines.find((line) => line.marker === 'revoked' && line.key === key.key);
    if (revoked !== undefined) {
      throw new HostError(
        'SSH_KEY_CHANGED',
        `The SSH server presented a host key that is revoked: ${nameOf(key)}, marked @revoked in ${revoked.where}.`,
        { details: { advice: 'Do not connect. Ask the operator of the SSH server.' } },
      );
    }
    if (trusted.some((one) => one.key === key.key)) return;
    if (trusted.length > 0) {
      const before = trusted.slice(0, MOST_NAMED).map((one) => `${nameOf(one)} (${one.where})`);
      throw keyChanged(key, before.join(', '));
    }
    const authority = lines.find(({ marker }) => marker === 'authority');
    if (authority !== undefined) {
      throw new HostError(
        'SSH_KEY_CHANGED',
        `${authority.where} trusts this SSH server by a certificate authority (@cert-authority), which Tabularium does not support. Presented: ${nameOf(key)}.`,
        { details: { advice: "Add the server's own key to known_hosts, after you have compared it with its operator's." } },
      );
    }
    throw new UnknownHostKeyError(this.#ask(server, key));
  }

  #ask({ host, port }: SshServer, key: HostKey): HostKeyQuestion {
    const code = createHash('sha256')
      .update(JSON.stringify(['tabularium ssh host key 1', host.toLowerCase(), port, key.type, key.key]))
      .digest('hex')
      .slice(0, 32);
    this.#asked.delete(code);
    this.#asked.set(code, { host, port, ...key });
    const [oldest] = this.#asked.keys();
    if (this.#asked.size > MOST_ASKED && oldest !== undefined) this.#asked.delete(oldest);
    return { host, port, keyType: keyTypeName(key.type), fingerprint: hostKeyFingerprint(key), code };
  }
}

/** @throws HostError `SSH_KEY_CHANGED` where a server changes its key within a connection */
export function assertSameKey(before: HostKey, key: HostKey): void {
  if (before.key !== key.key) throw keyChanged(key, nameOf(before));
}

function keyChanged(key: HostKey, before: string): HostError {
  return new HostError(
    'SSH_KEY_CHANGED',
    `The SSH server presented another host key than before, so nothing was sent. Presented: ${nameOf(key)}. Known: ${before}.`,
  );
}

function nameOf(key: HostKey): string {
  return `${hostKeyFingerprint(key)} (${keyTypeName(key.type)})`;
}

/** A list that is there and can't be read, or not whole, could hold the line that refuses the key. */
async function linesOf(path: string, host: string, port: number): Promise<readonly KnownHost[]> {
  let file;
  try {
    file = await openRegularFile(path);
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return [];
    throw unreadable(path, error);
  }
  try {
    const { size } = await file.stat();
    if (size > LARGEST_KNOWN_HOSTS) throw unreadable(path);
    return knownHostsIn(await file.readFile('utf8'), path, host, port);
  } catch (error) {
    throw error instanceof HostError ? error : unreadable(path, error);
  } finally {
    await file.close();
  }
}

function unreadable(path: string, cause?: unknown): HostError {
  return new HostError('SSH_KEY_CHANGED', `The list of host keys ${path} can't be read, so no host key can be checked.`, {
    details: { advice: `Make ${path} readable, with at most 4 MB, and try again.` },
    cause,
  });
}
