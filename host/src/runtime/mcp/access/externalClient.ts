import type { TokenScope } from '../../../common/access.ts';

/** The client of an MCP request, as far as its token proves it. */
export interface ExternalClient {
  /** Stable while tokens rotate: `bridge`, or the id of the user's token. Sessions are bound to it. */
  readonly id: string;
  readonly tokenId: string;
  readonly kind: 'bridge' | 'user';
  /** The token's name, for people. */
  readonly name: string;
  readonly scope: TokenScope;
  /** The connections that the token is limited to, by id. */
  readonly connections: 'all' | readonly string[];
  /** When the token expires; absent: never. */
  readonly expiresAt?: string;
}

/** The caller. The window and the command line act for the owner of the home. */
export type Caller =
  { readonly kind: 'window' } | { readonly kind: 'commandLine' } | { readonly kind: 'mcp'; readonly principal: ExternalClient };
