import type { CallerAccess } from '../server/callerAccess.ts';
import { forbidden } from '../server/codes.ts';
import { parseUri } from '../server/uris.ts';
import { errorAnswer } from './answers.ts';
import type { RpcMessage } from './message.ts';

/**
 * Refuses to watch what does not exist for the caller, as naming it anywhere else is refused. An address that isn't of this server is
 * watched in vain.
 */
export function refuseHiddenSubscriptions({ body, id }: RpcMessage, access: CallerAccess): Response | undefined {
  for (const uri of watchedUris(body['params'])) {
    const address = parseUri(uri);
    if (address === undefined || address.kind === 'connections') continue;
    try {
      access.require(address.connection, { kind: 'see' });
    } catch {
      const { code, message } = forbidden();
      return errorAnswer(200, code, message, { id });
    }
  }
  return undefined;
}

function watchedUris(params: unknown): readonly string[] {
  if (typeof params !== 'object' || params === null || !('notifications' in params)) return [];
  const { notifications } = params;
  if (typeof notifications !== 'object' || notifications === null || !('resourceSubscriptions' in notifications)) return [];
  const { resourceSubscriptions } = notifications;
  return Array.isArray(resourceSubscriptions) ? resourceSubscriptions.filter((uri) => typeof uri === 'string') : [];
}
