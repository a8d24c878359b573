/** One line of a client, as far as it must be understood to be forwarded. */
export interface ClientMessage {
  /** The line as it came, without its end. */
  readonly bytes: Buffer;
  readonly kind: 'request' | 'notification' | 'response';
  readonly id: string | number | undefined;
  /** Absent for a response. */
  readonly method: string | undefined;
  /** The version that the message itself declares: 2026-07-28 and later. Undefined for messages of a session. */
  readonly version: string | undefined;
  /** The value of the `Mcp-Name` header. */
  readonly name: string | undefined;
  /** The tool that is called. */
  readonly tool: string | undefined;
  /** The request that this notification cancels. */
  readonly cancels: string | number | undefined;
}

const VERSION_KEY = 'io.modelcontextprotocol/protocolVersion';

/** Which parameter names what a request is about. */
const NAME_PARAMETERS: Readonly<Record<string, string>> = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
};

/** The message of a line; for a line that isn't JSON-RPC undefined, with the id where it has one. */
export function readMessage(
  bytes: Buffer,
): ClientMessage | { readonly fault: 'json' | 'form'; readonly id: string | number | undefined } {
  let value: unknown;
  try {
    value = JSON.parse(bytes.toString('utf8'));
  } catch {
    return { fault: 'json', id: undefined };
  }
  const message = fieldsOf(value);
  const id = typeof message?.['id'] === 'string' || typeof message?.['id'] === 'number' ? message['id'] : undefined;
  if (message === undefined || Array.isArray(value)) return { fault: 'form', id: undefined };
  const { method } = message;
  if (typeof method !== 'string') {
    if (id === undefined || !('result' in message || 'error' in message)) return { fault: 'form', id };
    return {
      bytes,
      kind: 'response',
      id,
      method: undefined,
      version: undefined,
      name: undefined,
      tool: undefined,
      cancels: undefined,
    };
  }
  const params = fieldsOf(message['params']);
  const version = fieldsOf(params?.['_meta'])?.[VERSION_KEY];
  const parameter = NAME_PARAMETERS[method];
  const name = parameter === undefined ? undefined : params?.[parameter];
  const cancelled = method === 'notifications/cancelled' ? params?.['requestId'] : undefined;
  return {
    bytes,
    kind: id === undefined ? 'notification' : 'request',
    id,
    method,
    version: typeof version === 'string' ? version : undefined,
    name: typeof name === 'string' ? name : undefined,
    tool: method === 'tools/call' && typeof name === 'string' ? name : undefined,
    cancels: typeof cancelled === 'string' || typeof cancelled === 'number' ? cancelled : undefined,
  };
}

/** The headers of a message that declares its version: they repeat what the body says. */
export function headersOf({ version, method, name }: ClientMessage): Record<string, string> {
  return {
    ...(version === undefined ? {} : { 'mcp-protocol-version': headerValue(version) }),
    ...(version === undefined || method === undefined ? {} : { 'mcp-method': headerValue(method) }),
    ...(version === undefined || name === undefined ? {} : { 'mcp-name': headerValue(name) }),
  };
}

/** A header takes visible ASCII and inner blanks as they are; everything else is wrapped, and what looks wrapped already is, too. */
function headerValue(text: string): string {
  const plain = /^(?:[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)?$/.test(text) && !/^=\?base64\?.*\?=$/i.test(text);
  return plain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

const READ_METHODS: readonly string[] = [
  'initialize',
  'ping',
  'server/discover',
  'tools/list',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'logging/setLevel',
];

/**
 * Whether sending a request twice does no harm. For a call of a tool that is known where the server has declared the tool read-only.
 *
 * @param readOnlyTools - the tools of which the server has said so
 */
export function isRead({ method, tool }: ClientMessage, readOnlyTools: ReadonlySet<string>): boolean {
  if (method === undefined) return false;
  return READ_METHODS.includes(method) || (tool !== undefined && readOnlyTools.has(tool));
}

/** The fields of an object; undefined for everything else. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : undefined;
}
