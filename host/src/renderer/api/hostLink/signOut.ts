import { SESSION_END_PATH } from '../../../common/windowSession.ts';
import { hostFetch } from './hostFetch.ts';
import { lookForHost } from './hostLink.ts';
import { ownPath } from './ownPath.ts';
import { dropKey } from './windowKeys.ts';

/** Whether this window has a session that a person can end. The desktop shell has none. */
export const canSignOut = (): boolean => ownPath() !== undefined;

/** Ends this window's session, at the host and in the browser: it can't come back without a new one-time address. */
export async function signOut(): Promise<void> {
  const path = ownPath();
  if (path === undefined) return;
  await hostFetch(`${location.origin}${path}${SESSION_END_PATH}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  await dropKey(path).catch(() => undefined);
  lookForHost();
}
