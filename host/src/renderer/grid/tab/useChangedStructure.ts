import type { TableDescription } from '@tabularium/sdk';
import { useEffect, useEffectEvent, useRef } from 'react';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';

/**
 * Reads the structure of a table again where its rows come with other columns, as after a column was renamed or added elsewhere, and says so. A driver whose
 * rows leave columns out is asked once: the structure that it describes then is the same.
 *
 * @param isMisfit - whether rows came with other columns than this description has
 */
export function useChangedStructure({ ref, columns }: TableDescription, isMisfit: boolean, onReloadStructure: () => void): void {
  const names = JSON.stringify(columns.map(({ name }) => name));
  const asked = useRef<string>(undefined);
  const reload = useEffectEvent(onReloadStructure);
  useEffect(() => {
    if (asked.current === names) return;
    if (asked.current !== undefined) notify({ tone: 'plain', text: strings.grid.structureChanged(ref.name) });
    asked.current = undefined;
  }, [names, ref]);
  useEffect(() => {
    if (!isMisfit || asked.current === names) return;
    asked.current = names;
    reload();
  }, [isMisfit, names]);
}
