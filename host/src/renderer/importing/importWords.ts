import type { ImportInfo } from '../../common/imports.ts';
import { strings } from '../i18n/index.ts';

/** The words for the state of an import: a copy is called what the person started. */
export function importWords({ from }: Pick<ImportInfo, 'from'>): (typeof strings)['importing']['copying'] {
  return from === undefined ? strings.importing : strings.importing.copying;
}
