import type { ImportInfo } from '../../common/imports.ts';
import { strings } from '../i18n/index.ts';

/** Notices about an import: a new table without rows, columns that were renamed, names without rows, a table that was changed, and a count that differs. */
export function importNotes({
  renamed,
  unmet,
  rowsDiffer,
  newTable,
  table,
  state,
  uncertain,
  otherTable,
  missing,
}: Pick<
  ImportInfo,
  'renamed' | 'unmet' | 'rowsDiffer' | 'newTable' | 'table' | 'state' | 'uncertain' | 'otherTable' | 'missing'
>): readonly string[] {
  const words = strings.importing;
  const isOver = state === 'done' || state === 'cancelled';
  return [
    // They were sent, and the answer was lost with the host or the connection.
    ...(uncertain === undefined ? [] : [words.uncertain(uncertain)]),
    ...(newTable === undefined
      ? []
      : [
          newTable === 'removed'
            ? words.newRemoved(table.name)
            : isOver
              ? words.newEmpty(table.name)
              : words.newEmptyYet(table.name),
        ]),
    ...(otherTable === undefined ? [] : [words.otherTable(table.name, otherTable.began, otherTable.now)]),
    ...(missing === undefined ? [] : [words.missing(missing)]),
    ...(renamed === undefined ? [] : [words.renamed(renamed.map((name) => `“${name}”`).join(', '))]),
    ...(unmet === undefined ? [] : [words.unmet(unmet.map((name) => `“${name}”`).join(', '))]),
    ...(rowsDiffer === undefined ? [] : [words.rowsDiffer(rowsDiffer.got, rowsDiffer.counted)]),
  ];
}
