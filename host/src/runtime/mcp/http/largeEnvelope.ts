import type { RpcMessage } from './message.ts';

/** Values of a message around the arguments of a tool. */
export const MOST_ENVELOPE_VALUES = 5_000;

/**
 * Whether a message holds more than {@link MOST_ENVELOPE_VALUES} values, the arguments of a tool aside. The protocol library checks these
 * values, and makes an error of each that is wrong: a list of five million of them kept the host busy for a minute. The arguments of a tool
 * are checked by this application, which stops at the first error.
 */
export function isLargeEnvelope({ body, method }: RpcMessage): boolean {
  let count = 0;
  const left: unknown[] = [body];
  while (left.length > 0) {
    const value = left.pop();
    if (typeof value !== 'object' || value === null) continue;
    const isCall = value === body['params'] && method === 'tools/call';
    const parts: readonly unknown[] = Array.isArray(value)
      ? value
      : Object.entries(value).flatMap(([key, part]: [string, unknown]) => (isCall && key === 'arguments' ? [] : [part]));
    count += parts.length;
    if (count > MOST_ENVELOPE_VALUES) return true;
    left.push(...parts);
  }
  return false;
}
