import type { DriverTexts, Finding } from '@tabularium/sdk';
import { NARROW_PROBES, maySearch } from './probes.ts';
import type { KeyReach } from './probes.ts';

export const KEY_REFUSED =
  'The server rejected this key for every request that tests a key: it is wrong, it has expired, or it may only write or read something else.';

/** Said where a collection has to be named. */
export const CANNOT_LIST = "This key can't list collections: it lacks the action collections:list.";

/** The permissions of a key, in words. The server never reports which collections a key reaches. */
export function keyFindings(reach: KeyReach): Finding[] {
  const { lists, passed } = reach;
  const label = 'API key';
  const said = (id: string, values?: Readonly<Record<string, string>>): DriverTexts => ({
    label: { id: 'finding.key.label' },
    message: { id: `finding.key.${id}`, ...(values === undefined ? {} : { values }) },
  });
  if (passed.length === 0) return [{ label, outcome: 'failed', message: KEY_REFUSED, texts: said('refused') }];
  if (lists) return [{ label, outcome: 'ok', message: 'The server accepts the key.', texts: said('accepted') }];
  // A message picks the names of the abilities itself: a value is shown as it is.
  const may = Object.fromEntries(NARROW_PROBES.map((probe) => [probe.name, passed.includes(probe) ? 'yes' : 'no']));
  const abilities = new Intl.ListFormat('en', { type: 'conjunction' }).format(passed.map(({ ability }) => ability));
  return [
    { label, outcome: 'ok', message: `The server accepts the key. It may ${abilities}.`, texts: said('narrow', may) },
    {
      label: 'Collections',
      outcome: 'warning',
      texts: {
        label: { id: 'finding.collections.label' },
        message: { id: maySearch(reach) ? 'finding.collections.byName' : 'finding.collections.none' },
      },
      message: maySearch(reach)
        ? `${CANNOT_LIST} It may ${abilities}. Open a collection by name.`
        : `${CANNOT_LIST} It may ${abilities}; it can't search, so no collection can be opened.`,
    },
  ];
}
