import type { FailureLayer } from './failure.ts';
import { fieldsOf } from './message.ts';

/** Errors are short. What is longer is an answer that speaks of errors. */
const LONGEST_ERROR_BYTES = 65_536;
const FORBIDDEN = -33_007;
const ERROR_KEY = Buffer.from('"error"');
const METHOD_KEY = Buffer.from('"method"');

/** An error that the server answered with. */
export interface ServerError {
  readonly layer: FailureLayer;
  readonly message: string;
  /** The answer, with the layer named in it and the id where the server did not know it. */
  readonly bytes: Buffer;
}

/**
 * The error that an answer is; undefined for every other answer. Layer and id are added only where nothing else of the answer changes by it.
 *
 * @param id - of the request; undefined where there was none
 */
export function serverMessageError(bytes: Buffer, id: string | number | undefined): ServerError | undefined {
  if (bytes.length > LONGEST_ERROR_BYTES || !bytes.includes(ERROR_KEY)) return undefined;
  const text = bytes.toString('utf8');
  const answer = fieldsOf(parsed(text));
  const error = fieldsOf(answer?.['error']);
  if (answer === undefined || error === undefined || 'result' in answer || 'method' in answer) return undefined;
  const layer: FailureLayer = error['code'] === FORBIDDEN ? 'policy' : 'server';
  const data = 'data' in error ? fieldsOf(error['data']) : {};
  const known = answer['id'] ?? id;
  const named = data === undefined || Array.isArray(data) ? error : { ...error, data: { layer, ...data } };
  const whole = { jsonrpc: '2.0', ...(known === undefined ? {} : { id: known }), error: named };
  // A number that JavaScript cannot hold would not come back as it was.
  const exact = JSON.stringify(answer).length === text.trim().length || answer['id'] !== known;
  return { layer, message: String(error['message']), bytes: exact ? Buffer.from(JSON.stringify(whole)) : bytes };
}

/** Whether a message of the server, on the stream of the request with this id, is the answer to it. */
export function answers(bytes: Buffer, id: string | number | undefined): boolean {
  // Everything else that the server says on it has a method. What has none need not be parsed, which for an answer of 9 MB takes 55 ms.
  if (!bytes.includes(METHOD_KEY)) return true;
  const message = fieldsOf(parsed(bytes.toString('utf8')));
  return message !== undefined && !('method' in message) && (message['id'] === id || message['id'] === undefined);
}

/** The version that an answer to `initialize` settles; undefined where it is a refusal. */
export function negotiatedVersion(bytes: Buffer): string | undefined {
  const result = fieldsOf(fieldsOf(parsed(bytes.toString('utf8')))?.['result']);
  const version = result?.['protocolVersion'];
  return typeof version === 'string' ? version : undefined;
}

/** The tools of an answer to `tools/list`, and whether each declares itself read-only. */
export function listedTools(bytes: Buffer): readonly { readonly name: string; readonly readOnly: boolean }[] {
  const tools = fieldsOf(fieldsOf(parsed(bytes.toString('utf8')))?.['result'])?.['tools'];
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    const name = fieldsOf(tool)?.['name'];
    const hint = fieldsOf(fieldsOf(tool)?.['annotations'])?.['readOnlyHint'];
    return typeof name === 'string' ? [{ name, readOnly: hint === true }] : [];
  });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
