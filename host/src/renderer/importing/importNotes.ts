import type { ImportInfo } from '../../common/imports.ts';
import { strings } from '../i18n/index.ts';

/** Notices about an import that ended well: names without rows, and a count that differs. */
export function importNotes({ unmet, rowsDiffer }: Pick<ImportInfo, 'unmet' | 'rowsDiffer'>): readonly string[] {
  const words = strings.importing;
  return [
    ...(unmet === undefined ? [] : [words.unmet(unmet.map((name) => `“${name}”`).join(', '))]),
    ...(rowsDiffer === undefined ? [] : [words.rowsDiffer(rowsDiffer.got, rowsDiffer.counted)]),
  ];
}
