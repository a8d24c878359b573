/** Every number of the MCP server, by name. docs/reference/mcp.md lists them. */
export interface McpLimits {
  /** Bytes of a request's body. */
  readonly bodyBytes: number;
  /** Bytes of the bodies of all requests that are answered at the same time. */
  readonly heldBodyBytes: number;
  /** The same of one principal. */
  readonly heldBodyBytesPerPrincipal: number;
  /** Bytes of a request's headers. */
  readonly headerBytes: number;
  /** Open TCP connections. Beyond it, the oldest one without an authenticated request is closed. */
  readonly connections: number;
  /** Milliseconds that a connection may stay open without an authenticated request. */
  readonly strangerMilliseconds: number;
  /** Milliseconds for a request's headers to arrive. */
  readonly headersMilliseconds: number;
  /** Milliseconds for a whole request to arrive, headers and body. */
  readonly requestMilliseconds: number;
  /** How often both are looked at. */
  readonly checkMilliseconds: number;
  /** How long an idle connection is kept open. Longer than clients keep theirs, so that they do not write into a closing one. */
  readonly keepAliveMilliseconds: number;
  /** Milliseconds that one tool call may take. */
  readonly callMilliseconds: number;
  /** Sessions of the older protocol versions, of all principals together. */
  readonly sessions: number;
  /** Of one principal; a further one ends the one that was used longest ago. */
  readonly sessionsPerPrincipal: number;
  /** Milliseconds after which a session without a request ends. */
  readonly sessionIdleMilliseconds: number;
  /** Open `subscriptions/listen` streams, of all principals together. */
  readonly subscriptions: number;
  /** Open `subscriptions/listen` streams of one principal. */
  readonly subscriptionsPerPrincipal: number;
  /** Requests a minute of one principal, evenly; the owner can set another number. */
  readonly requestsPerMinute: number;
  /** Requests of one principal that run at the same time; `subscriptions/listen` does not count. */
  readonly requestsAtOnce: number;
  /** Entries of one page of a list. */
  readonly pageEntries: number;
  /** How long stopping waits for running calls. */
  readonly stopMilliseconds: number;
}

export const MCP_LIMITS: McpLimits = {
  bodyBytes: 16 * 1024 * 1024,
  heldBodyBytes: 128 * 1024 * 1024,
  heldBodyBytesPerPrincipal: 48 * 1024 * 1024,
  headerBytes: 16 * 1024,
  connections: 256,
  strangerMilliseconds: 10_000,
  headersMilliseconds: 5_000,
  requestMilliseconds: 60_000,
  checkMilliseconds: 1_000,
  keepAliveMilliseconds: 75_000,
  callMilliseconds: 300_000,
  sessions: 256,
  sessionsPerPrincipal: 64,
  sessionIdleMilliseconds: 3_600_000,
  subscriptions: 64,
  subscriptionsPerPrincipal: 32,
  requestsPerMinute: 1_200,
  requestsAtOnce: 64,
  pageEntries: 50,
  stopMilliseconds: 5_000,
};

/** The port that is tried first, so that what people configured stays right. */
export const PREFERRED_PORT = 23_508;
