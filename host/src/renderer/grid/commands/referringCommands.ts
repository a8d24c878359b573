import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import type { MenuListEntry } from '../../ui/MenuList.tsx';
import { keyText } from '../model/keyText.ts';
import { referringTables } from '../model/referringKeys.ts';
import type { TabModel } from '../tab/tabModel.ts';
import type { SelectedCells } from './selectedCells.ts';

/** The way from the active row to the rows that refer to it. */
export interface ReferringCommands {
  /** Opens them where one key of another table refers to the table, offers a menu of several, or says why there are none. */
  readonly open: () => void;
  /** Why `open` can't do that. */
  readonly refusal: string | undefined;
  /** One entry with a list of the tables; none where no table refers to this one. */
  readonly entries: () => readonly MenuListEntry[];
}

export function referringCommands(
  { references, layers, grid }: Pick<TabModel, 'references' | 'layers' | 'grid'>,
  { row, noCell }: Pick<SelectedCells, 'row' | 'noCell'>,
): ReferringCommands {
  const keys = references.referring;
  const [first] = keys;
  const refusal = noCell ?? refusalOf(references, row);
  // Made when they are asked for: there may be a thousand.
  const tables = (): readonly MenuListEntry[] => {
    const names = referringTables(keys);
    return keys.map((key, index) => ({
      label: strings.grid.referringTable(names[index] ?? key.references.name, key.referencedColumns),
      run: () => references.open(key, row),
      reason: references.refusal(key, row),
      ...(keys.length === 1 ? { keys: keyText('grid.referring') } : {}),
    }));
  };
  return {
    open: () => {
      const place = grid.current?.placeOfActive();
      if (refusal !== undefined || first === undefined) notify({ tone: 'plain', text: refusal ?? strings.grid.neverReferredTo });
      else if (keys.length === 1) references.open(first, row);
      else if (place !== undefined) layers.open({ kind: 'menu', label: strings.grid.referring, place, entries: tables() });
    },
    refusal,
    entries: () => (first === undefined || noCell !== undefined ? [] : [{ label: strings.grid.referring, entries: tables() }]),
  };
}

function refusalOf({ referring, refusal }: TabModel['references'], row: SelectedCells['row']): string | undefined {
  const [first] = referring;
  if (first === undefined) return strings.grid.neverReferredTo;
  return referring.some((key) => refusal(key, row) === undefined) ? undefined : refusal(first, row);
}
