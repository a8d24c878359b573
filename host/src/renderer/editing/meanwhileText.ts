import type { Meanwhile } from '../../common/editing.ts';
import { strings } from '../i18n/index.ts';

/** Another person's change of a row, in one sentence. */
export function meanwhileText(meanwhile: Meanwhile): string {
  const words = strings.editing.meanwhile;
  switch (meanwhile.is) {
    case 'deleted':
      return words.rowDeleted;
    case 'changed':
      return words.rowChanged(meanwhile.cells.map(({ column }) => column));
    case 'elsewhere':
      return words.elsewhere;
  }
}
