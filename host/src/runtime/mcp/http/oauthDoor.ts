import type { IncomingMessage } from 'node:http';

/** The guard's services for OAuth. */
export interface OAuthGuard {
  /** Counts a code or token that never was one. @returns the seconds to wait, when such are refused now; else 0 */
  countWrong(): number;
}

/** The authorization server, where there is one. It gets requests whose Host and Origin were checked. */
export interface OAuthDoor {
  /** Under which address it grants tokens; undefined while it is switched off. */
  issuer(request: IncomingMessage): string | undefined;
  /** Undefined for a path that isn't its own. */
  methodOf(path: string): 'GET' | 'POST' | undefined;
  answer(request: IncomingMessage, guard: OAuthGuard): Promise<Response>;
}
