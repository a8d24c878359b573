/** The part that rejected the message: the first place for a person to look. */
export type FailureLayer = 'handshake' | 'launch' | 'proof' | 'transport' | 'server' | 'policy';

/** JSON-RPC codes, the same as the server's. */
export const CODES = {
  parse: -32_700,
  invalidRequest: -32_600,
  unsupportedVersion: -32_022,
  unavailable: -33_000,
  tooLarge: -33_005,
  disabled: -33_006,
  unauthenticated: -33_009,
} as const;

/** The protocol version that an application must speak. */
export const NEEDED_VERSION = '2026-07-28';

const OPEN_AGAIN =
  'Open Tabularium, confirm in its Integrations settings that the server is running, turn "Enable MCP Server" off and on, and relaunch this client.';

/** Why a message could not be brought to the application, or an answer not back. The sentence says what to do. */
export class BridgeFailure extends Error {
  override readonly name = 'BridgeFailure';
  readonly layer: FailureLayer;
  readonly code: number;

  constructor(layer: FailureLayer, code: number, message: string) {
    super(message);
    this.layer = layer;
    this.code = code;
  }
}

/** @param cause - a whole sentence on what was found instead */
export function notRunning(layer: 'handshake' | 'launch', cause: string): BridgeFailure {
  return new BridgeFailure(layer, CODES.unauthenticated, `Tabularium isn't running. ${cause} ${OPEN_AGAIN}`);
}

/**
 * @param cause - a whole sentence on why the handshake is not to be trusted
 * @param remedy - whole sentences on what a person does about that
 */
export function notTrusted(cause: string, remedy: string): BridgeFailure {
  return new BridgeFailure(
    'handshake',
    CODES.unauthenticated,
    `The handshake of Tabularium can't be trusted. ${cause} ${remedy}`,
  );
}

/** A host runs, and its server can't be found. @param cause - a whole sentence on what was found instead */
export function noServer(pid: number, cause: string): BridgeFailure {
  return new BridgeFailure(
    'launch',
    CODES.unauthenticated,
    `Tabularium runs, but its MCP server can't be found. Its process is ${pid}. ${cause} Its Integrations settings and "tabularium doctor" say whether the server is running. Then relaunch this client.`,
  );
}

export function notProven(handshakeFile: string, cause: string): BridgeFailure {
  return new BridgeFailure(
    'proof',
    CODES.unauthenticated,
    `The local endpoint couldn't prove that it belongs to Tabularium. ${cause} Quit Tabularium, delete ${handshakeFile}, and open Tabularium again: it rewrites the file.`,
  );
}

export function applicationTooOld(): BridgeFailure {
  return new BridgeFailure(
    'server',
    CODES.unavailable,
    `This build does not speak protocol ${NEEDED_VERSION}. Update Tabularium.`,
  );
}

export function bridgeTooOld(version: number): BridgeFailure {
  return new BridgeFailure(
    'handshake',
    CODES.unavailable,
    `The running Tabularium is newer than this bridge: its handshake has version ${version}. Update the Tabularium whose bridge this client starts.`,
  );
}

export function disabled(): BridgeFailure {
  return new BridgeFailure(
    'policy',
    CODES.disabled,
    'The MCP server is disabled. Turn on "Enable MCP Server" in the Integrations settings of Tabularium.',
  );
}

/** @param mayHaveRun - whether the request had been sent */
export function connectionLost(mayHaveRun: boolean): BridgeFailure {
  const message = mayHaveRun
    ? 'The connection to Tabularium was lost after the request had been sent, so it may have been carried out. Look before you send it again.'
    : 'The connection to Tabularium was lost before the request was sent. Send it again.';
  return new BridgeFailure('transport', CODES.unavailable, message);
}

export function parseError(): BridgeFailure {
  return new BridgeFailure('transport', CODES.parse, 'Parse error: the line is not valid JSON in UTF-8.');
}

export function invalidRequest(): BridgeFailure {
  return new BridgeFailure('transport', CODES.invalidRequest, 'Invalid request: each line must be one JSON-RPC message.');
}

/** @param limit - in bytes */
export function tooLarge(limit: number): BridgeFailure {
  return new BridgeFailure('transport', CODES.tooLarge, `The message is larger than ${limit} bytes.`);
}

/** @param status - of an answer without a message */
export function unknownAnswer(status: number): BridgeFailure {
  return new BridgeFailure(
    'server',
    CODES.unavailable,
    `The MCP server answered with HTTP ${status}, which says nothing of the request.`,
  );
}

export function sessionGone(): BridgeFailure {
  return new BridgeFailure('server', CODES.unavailable, 'The MCP server does not open the session again. Relaunch this client.');
}

/** A fault of the bridge's own. */
export function bridgeFault(cause: string): BridgeFailure {
  return new BridgeFailure(
    'transport',
    CODES.unavailable,
    `The bridge failed: ${cause}. The request may have been carried out. Relaunch this client.`,
  );
}

export function noAnswer(milliseconds: number): BridgeFailure {
  return new BridgeFailure(
    'transport',
    CODES.unavailable,
    `Tabularium sent nothing for ${milliseconds / 1_000} seconds, so the bridge gave up. The request may have been carried out.`,
  );
}
