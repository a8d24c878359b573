import type { Sort } from '@tabularium/sdk';
import type { MenuListEntry } from '../../ui/MenuList.tsx';
import { strings } from '../../i18n/index.ts';
import { notify } from '../../state/notify.ts';
import { wholeText } from '../model/cellText.ts';
import { MOST_FROZEN, moved, withDate, withHidden } from '../model/columnLayout.ts';
import { DATE_UNITS, likelyUnit } from '../model/dateView.ts';
import { sortRefusal } from '../model/sortRefusal.ts';
import { keyText } from '../model/keyText.ts';
import type { TabModel } from '../tab/tabModel.ts';

/** Rows looked at for the unit in which integers could be dates. */
const SAMPLE = 50;

interface Options {
  readonly copyName: (column: string) => void;
  /** Undefined where the column cannot be filtered by. */
  readonly filterBy: ((column: string) => void) | undefined;
}

/** The actions for a column: the menu of its header. */
export function columnEntries(
  place: number,
  model: Pick<TabModel, 'columns' | 'rows' | 'grid' | 'selection' | 'sorting'>,
  options: Options,
): readonly MenuListEntry[] {
  const { grid, selection } = model;
  const { cache } = model.rows;
  const { sorts, maxSorts, apply } = model.sorting;
  const { columns, change, described, frozen } = model.columns;
  const column = columns[place];
  if (column === undefined) return [];
  const { name } = column;
  const words = strings.columns;
  const refused = sortRefusal(column, maxSorts);
  const sort = sorts.find((one) => one.column === name);
  const others = sorts.filter((one) => one.column !== name);
  const isFull = others.length >= maxSorts;
  const limit = isFull ? strings.grid.sortLimit(maxSorts) : undefined;
  const sortBy = (direction: Sort['direction'], before: readonly Sort[]) => () => apply([...before, { column: name, direction }]);
  const move = (to: number) => () => {
    change((before) => moved(described, before, name, to));
    notify({ tone: 'plain', text: words.moved(name, to + 1) });
  };

  const samples = column.kind === 'integer' ? cache.rowsAround(0).slice(0, SAMPLE) : [];
  const likely = likelyUnit(samples.flatMap((row) => wholeText(row[column.source] ?? null, column.kind).text || []));
  const dates: MenuListEntry = {
    label: words.dates,
    reason: column.kind === 'integer' ? undefined : words.onlyIntegers,
    entries: [
      {
        label: words.plainNumbers,
        checked: column.dateUnit === undefined,
        run: () => change((before) => withDate(before, name, undefined)),
      },
      ...DATE_UNITS.map((unit) => ({
        label: unit === likely ? words.likely(words.dateUnits[unit]) : words.dateUnits[unit],
        checked: column.dateUnit === unit,
        run: () => {
          change((before) => withDate(before, name, unit));
          // A date is longer than its digits; the width follows once it is drawn.
          requestAnimationFrame(() => grid.current?.fit(name));
        },
      })),
    ],
  };

  return [
    { label: words.sortAscending, run: sortBy('ascending', []), reason: refused, checked: sort?.direction === 'ascending' },
    { label: words.sortDescending, run: sortBy('descending', []), reason: refused, checked: sort?.direction === 'descending' },
    ...(others.length === 0 || maxSorts < 2
      ? []
      : [
          { label: words.alsoAscending, run: sortBy('ascending', others), reason: refused ?? limit },
          { label: words.alsoDescending, run: sortBy('descending', others), reason: refused ?? limit },
        ]),
    ...(sort === undefined ? [] : [{ label: words.clearSort, run: () => apply(others) }]),
    'line',
    {
      label: words.filterBy,
      run: () => options.filterBy?.(name),
      reason: options.filterBy === undefined ? words.notFilterable : undefined,
    },
    { label: strings.selection.selectColumn, run: () => selection.column(place) },
    { label: words.copyName, run: () => options.copyName(name) },
    dates,
    'line',
    { label: words.fit, run: () => grid.current?.fit(name) },
    { label: words.fitAll, run: () => grid.current?.fit() },
    {
      label: words.moveLeft,
      run: move(place - 1),
      reason: place === 0 ? words.atStart : undefined,
      keys: keyText('grid.moveColumn'),
    },
    {
      label: words.moveRight,
      run: move(place + 1),
      reason: place === columns.length - 1 ? words.atEnd : undefined,
      keys: keyText('grid.moveColumn', 1),
    },
    {
      label: words.freeze,
      run: () => change((before) => ({ ...before, frozen: place + 1 })),
      reason: place + 1 > MOST_FROZEN ? words.tooManyFrozen(MOST_FROZEN) : undefined,
      checked: frozen === place + 1,
    },
    ...(frozen === 0 ? [] : [{ label: words.unfreeze, run: () => change((before) => ({ ...before, frozen: 0 })) }]),
    {
      label: words.hide,
      run: () => {
        change((before) => withHidden(before, name, true));
        notify({ tone: 'plain', text: words.hidden(name) });
      },
      reason: columns.length === 1 ? words.lastColumn : undefined,
    },
  ];
}
