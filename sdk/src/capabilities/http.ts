/** A further origin of a connection ({@link HttpCapability.origins}). New in contract 1.1. */
export interface HttpOrigin {
  /** Its id in the manifest. */
  readonly id: string;
  /** Host and port, for people to read. Undefined where the form leaves its host empty: a request to it is refused. */
  readonly address?: string;
}

/**
 * Requests to the origin that the connection names, to the further nodes of its cluster, or to the further origins that the manifest declares. The host connects, does TLS, adds the credential headers that the manifest
 * declares, and streams bodies both ways with back-pressure. Redirects are handed back unfollowed.
 */
export interface HttpCapability {
  /**
   * Host and port of each node that the connection names, the first one first: more than one where its form has further nodes. For people to
   * read, and to be chosen from by {@link HttpRequest.node}. Undefined in a host of contract 1.0.
   */
  readonly nodes?: readonly string[];
  /**
   * The manifest's `furtherOrigins`, in its order: which of them this connection has. Undefined in a host that has no further origins: ask for this
   * member before you send a request with {@link HttpRequest.origin}. New in contract 1.1.
   */
  readonly origins?: readonly HttpOrigin[];
  /**
   * Sends one request.
   *
   * @returns when the head of the answer is there; the body follows as it is read
   * @throws DriverError `HOST_NOT_FOUND`, `CONNECTION_REFUSED`, `CONNECTION_LOST`, `TLS_FAILED`, `TIMEOUT`, `CANCELLED`,
   *   `CREDENTIALS_MISSING`, `PERMISSION_DENIED` (a path, header or origin that is not allowed), `INVALID_INPUT` (a further origin that the
   *   connection doesn't have). A status of 400 and above isn't an error here.
   */
  request(request: HttpRequest): Promise<HttpResponse>;
}

/** One request. */
export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';
  /** Path and query, percent-encoded, beginning with exactly one `/`; at most 16,384 printable ASCII characters, no backslash. */
  readonly path: string;
  /** Host, Connection, Content-Length, Transfer-Encoding and the credential headers belong to the host and are refused. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array>;
  /**
   * Says that sending this twice does no harm, because it only reads. Such a request is sent once more when a reused connection
   * breaks before any answer, and once to each further node of the connection when one doesn't answer or says 503. Every other one never
   * is. A streamed body is never repeated. Default: false.
   */
  readonly repeatable?: boolean;
  /**
   * Sends to this one of {@link HttpCapability.nodes}, by its index, and to no other, whatever it answers. Requests without it go where they
   * went before. An index that isn't there is refused with `INVALID_INPUT`. A host of contract 1.0 ignores it.
   */
  readonly node?: number;
  /**
   * Sends to this further origin of the manifest, by its id, with its own credentials; left out: to the first origin. One that the manifest doesn't
   * declare is refused with `PERMISSION_DENIED`, one that the connection doesn't have with `INVALID_INPUT`, and so is one together with
   * {@link node}. A host of contract 1.0 ignores the member and sends to the first origin: look at {@link HttpCapability.origins} before. New in
   * contract 1.1.
   */
  readonly origin?: string;
  /** Milliseconds until the head of the answer must be there; default and upper limit are the connection's own. */
  readonly timeoutMilliseconds?: number;
  /** Closes the exchange, also while the body is being read. */
  readonly signal?: AbortSignal;
}

/** The answer to a request. Its body can be read once, in one of the ways given; leaving it unread keeps the exchange open. */
export interface HttpResponse {
  readonly status: number;
  /** Lower-case names; repeated headers joined by `, `. */
  readonly headers: Readonly<Record<string, string>>;
  /** The index of the node that answered. Undefined for a further origin, and in a host of contract 1.0. */
  readonly node?: number;
  /** Chunks as they arrive. Ending the iteration early closes the exchange. */
  readonly body: AsyncIterable<Uint8Array>;
  /**
   * The whole body as text (UTF-8).
   *
   * @param maxBytes - default 64 MiB
   * @throws DriverError `TOO_LARGE` beyond that
   */
  text(maxBytes?: number): Promise<string>;
  /** Gives up the rest of the body and closes the exchange. */
  discard(): Promise<void>;
}
