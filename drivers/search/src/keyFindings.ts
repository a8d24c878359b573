import type { Finding } from '@tabularium/sdk';
import { maySearch } from './probes.ts';
import type { KeyReach } from './probes.ts';

export const KEY_REFUSED =
  'The server rejected this key for every request that tests a key: it is wrong, it has expired, or it may only write or read something else.';

/** Said where a collection has to be named. */
export const CANNOT_LIST = "This key can't list collections: it lacks the action collections:list.";

/** The permissions of a key, in words. The server never reports which collections a key reaches. */
export function keyFindings(reach: KeyReach): Finding[] {
  const { lists, passed } = reach;
  if (passed.length === 0) return [{ label: 'API key', outcome: 'failed', message: KEY_REFUSED }];
  const label = 'API key';
  if (lists) return [{ label, outcome: 'ok', message: 'The server accepts the key.' }];
  const abilities = new Intl.ListFormat('en', { type: 'conjunction' }).format(passed.map(({ ability }) => ability));
  return [
    { label, outcome: 'ok', message: `The server accepts the key. It may ${abilities}.` },
    {
      label: 'Collections',
      outcome: 'warning',
      message: maySearch(reach)
        ? `${CANNOT_LIST} It may ${abilities}. Open a collection by name.`
        : `${CANNOT_LIST} It may ${abilities}; it can't search, so no collection can be opened.`,
    },
  ];
}
