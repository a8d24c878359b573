import type { ImportInfo } from '../../common/imports.ts';
import { strings } from '../i18n/index.ts';

type Noted = Pick<ImportInfo, 'state' | 'table' | 'created' | 'written' | 'uncertain' | 'unmet' | 'rowsDiffer'>;

/** Notices about an import that has ended: names without rows, a count that differs, and a table that it leaves empty. */
export function importNotes({ unmet, rowsDiffer, ...info }: Noted): readonly string[] {
  const words = strings.importing;
  const isLeftEmpty = info.state === 'cancelled' && info.created === true && info.written === 0 && info.uncertain === undefined;
  return [
    ...(isLeftEmpty ? [words.leftEmpty(info.table.name)] : []),
    ...(unmet === undefined ? [] : [words.unmet(unmet.map((name) => `“${name}”`).join(', '))]),
    ...(rowsDiffer === undefined ? [] : [words.rowsDiffer(rowsDiffer.got, rowsDiffer.counted)]),
  ];
}
