import type { IncomingMessage, ServerResponse } from 'node:http';

/** Where a running server is reached. */
export interface McpAddress {
  readonly url: string;
  readonly port: number;
}

/** Listeners of the server's life cycle, and handlers of requests before authentication. */
export interface McpLifecycle {
  /** It listens, and is about to say so. */
  started(address: McpAddress): Promise<void>;
  /** It is about to stop. */
  stopping(): Promise<void>;
  /** Answers a request, and returns whether it did. */
  intercept(request: IncomingMessage, response: ServerResponse): boolean;
}
