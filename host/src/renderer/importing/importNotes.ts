import type { ImportInfo } from '../../common/imports.ts';
import { strings } from '../i18n/index.ts';

/** Notices about an import: a new table without rows, names without rows, and a count that differs. */
export function importNotes({
  unmet,
  rowsDiffer,
  newTable,
  table,
  state,
}: Pick<ImportInfo, 'unmet' | 'rowsDiffer' | 'newTable' | 'table' | 'state'>): readonly string[] {
  const words = strings.importing;
  const isOver = state === 'done' || state === 'cancelled';
  return [
    ...(newTable === undefined
      ? []
      : [
          newTable === 'removed'
            ? words.newRemoved(table.name)
            : isOver
              ? words.newEmpty(table.name)
              : words.newEmptyYet(table.name),
        ]),
    ...(unmet === undefined ? [] : [words.unmet(unmet.map((name) => `“${name}”`).join(', '))]),
    ...(rowsDiffer === undefined ? [] : [words.rowsDiffer(rowsDiffer.got, rowsDiffer.counted)]),
  ];
}
