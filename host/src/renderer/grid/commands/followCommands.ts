import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import type { MenuListEntry } from '../../ui/MenuList.tsx';
import { keyText } from '../model/keyText.ts';
import { HEADER_ROW } from '../model/navigation.ts';
import type { CellPosition } from '../model/navigation.ts';
import type { TabModel } from '../tab/tabModel.ts';
import type { SelectedCells } from './selectedCells.ts';

/** The way from the active cell to the row of another table that it refers to. */
export interface FollowCommands {
  /** Opens what the active cell refers to, by the first of its keys, or says why it refers to none. */
  readonly first: () => void;
  readonly at: (position: CellPosition) => void;
  /** Why `first` can't open a row. */
  readonly refusal: string | undefined;
  /** One entry for each key that the column belongs to. */
  readonly entries: readonly MenuListEntry[];
}

export function followCommands(
  { references, columns, edited }: Pick<TabModel, 'references' | 'columns' | 'edited'>,
  { column, row, noCell }: Pick<SelectedCells, 'column' | 'row' | 'noCell'>,
): FollowCommands {
  const keys = noCell !== undefined || column === undefined ? [] : references.of(column.name);
  const [key] = keys;
  const refusal = noCell ?? (key === undefined ? strings.grid.refersNowhere : references.refusal(key, row));
  return {
    first: () => {
      if (refusal === undefined && key !== undefined) references.open(key, row);
      else notify({ tone: 'plain', text: refusal ?? strings.grid.refersNowhere });
    },
    at: (position) => {
      const name = columns.columns[position.column]?.name;
      const [first] = name === undefined || position.row === HEADER_ROW ? [] : references.of(name);
      if (first !== undefined) references.open(first, edited.rowAt(position.row));
    },
    refusal,
    entries: keys.map((one, index) => ({
      label: strings.grid.follow(one.references.name, one.columns),
      run: () => references.open(one, row),
      reason: references.refusal(one, row),
      ...(index === 0 ? { keys: keyText('grid.follow') } : {}),
    })),
  };
}
