import type { CallerAccess } from '../server/callerAccess.ts';
import { forbidden } from '../server/codes.ts';
import { parseUri } from '../server/uris.ts';
import { errorAnswer } from './answers.ts';
import type { RpcMessage } from './message.ts';

/**
 * Takes out of a subscription the addresses that do not exist for the caller; the server's first message lists the rest. A subscription with
 * nothing else is refused, as naming such an address anywhere else is. An address that isn't of this server is watched in vain.
 *
 * @returns the message, with the addresses that are left
 */
export function withoutHiddenSubscriptions(message: RpcMessage, access: CallerAccess): RpcMessage | Response {
  const { params } = message.body;
  const notifications = memberOf(params, 'notifications');
  const uris = memberOf(notifications, 'resourceSubscriptions');
  if (!Array.isArray(uris)) return message;
  const visible = uris.filter((uri) => typeof uri !== 'string' || isVisible(uri, access));
  if (visible.length === uris.length) return message;
  const others = Object.entries(notifications ?? {}).some(
    ([name, wanted]) => name !== 'resourceSubscriptions' && wanted === true,
  );
  if (visible.length === 0 && !others) {
    const { code, message: words } = forbidden();
    return errorAnswer(200, code, words, { id: message.id });
  }
  const rest = { ...(params as object), notifications: { ...(notifications as object), resourceSubscriptions: visible } };
  return { ...message, body: { ...message.body, params: rest } };
}

function isVisible(uri: string, access: CallerAccess): boolean {
  const address = parseUri(uri);
  if (address === undefined || address.kind === 'connections') return true;
  try {
    access.require(address.connection, { kind: 'see' });
    return true;
  } catch {
    return false;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
}
