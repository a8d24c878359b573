import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { HostError } from '../common/errors.ts';
import { publicKeySchema, resumeRequestSchema } from '../common/windowSession.ts';
import type { Resumed, SESSION_END_PATH, SESSION_KEY_PATH, SESSION_PATH } from '../common/windowSession.ts';
import { readJson } from './readJson.ts';
import { ResumeChallenge } from './resumeChallenge.ts';
import { hashed } from './sessionStore.ts';
import type { SessionStore } from './sessionStore.ts';
import type { WindowAccess } from './windowAccess.ts';

/** The requests of a window that is let in. */
type SessionRequest = typeof SESSION_PATH | typeof SESSION_KEY_PATH | typeof SESSION_END_PATH;

/**
 * The way back for windows after a restart of the host. Path and cookie of a window live in one run of the host: a program that listened on the port
 * in between has got both, and neither opens anything any more. The window signs a question of the new host, and gets another path and cookie.
 */
export class WindowSessions {
  readonly #access: WindowAccess;
  readonly #store: SessionStore;
  readonly #challenge: ResumeChallenge;
  readonly #run = randomBytes(32).toString('base64url');

  constructor(access: WindowAccess, store: SessionStore, now?: () => number) {
    this.#access = access;
    this.#store = store;
    this.#challenge = new ResumeChallenge(now);
  }

  /** Answers a window that is let in. @returns what to send as JSON */
  async answer(request: IncomingMessage, path: string, name: SessionRequest): Promise<unknown> {
    switch (name) {
      case 'session':
        return { run: this.#run };
      case 'session/key': {
        const { proof } = this.#store.keep(path, await readJson(request, publicKeySchema));
        // A host that is killed right after has it.
        await this.#store.saved();
        return { run: this.#run, recognition: hashed(proof) };
      }
      case 'session/end':
        this.#store.end(path);
        this.#access.end(path);
        return {};
    }
  }

  newChallenge(): { readonly nonce: string } {
    return { nonce: this.#challenge.nonce() };
  }

  /**
   * Lets a window in again, under another path and with another cookie.
   *
   * @throws HostError `NOT_SIGNED_IN` for a session that has ended, or a signature that is none of its key
   */
  async resume(request: IncomingMessage, response: ServerResponse): Promise<Resumed> {
    const { session: id, nonce, signature } = await readJson(request, resumeRequestSchema);
    const session = this.#store.find(id);
    const origin = `http://${request.headers.host ?? ''}`;
    if (session === undefined || !this.#challenge.accepts({ nonce, signature, origin }, session.publicKey)) {
      throw new HostError('NOT_SIGNED_IN');
    }
    if (this.#access.isFull()) throw new HostError('NOT_SIGNED_IN', 'Too many windows are open.');
    const { path, cookie } = this.#access.grant();
    response.setHeader('set-cookie', cookie);
    const next = this.#store.keep(path, session.publicKey, session.createdAt);
    await this.#store.saved();
    return { run: this.#run, path, proof: session.proof, recognition: hashed(next.proof) };
  }
}
