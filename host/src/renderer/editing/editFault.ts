import type { ColumnKind, NumberRange } from '@tabularium/sdk';
import type { GridColumn } from '../grid/model/gridColumns.ts';
import { keyText } from '../grid/model/keyText.ts';
import { formatNumeral } from '../i18n/format.ts';
import { smallestIn } from '../grid/model/isInRange.ts';
import { strings } from '../i18n/index.ts';

/** The kinds in which not every text is a value. */
export type CheckedKind = 'integer' | 'decimal' | 'boolean' | 'json' | 'bytes' | 'unclearBytes';

/** Why a column can't have a text. */
export type EditFault =
  | { readonly fault: 'kind'; readonly kind: CheckedKind }
  | { readonly fault: 'range'; readonly range: NumberRange }
  | { readonly fault: 'label'; readonly labels: readonly string[] };

/** The ends of a range, and the number closest to 0 where that is one, as the window writes numbers. */
export function rangeWords(range: NumberRange): [least: string, greatest: string, smallest: string | undefined] {
  return [formatNumeral(range.least), formatNumeral(range.greatest), smallestIn(range)];
}

/** Kinds whose values are never an empty text, though not every text is checked here. */
const NEVER_EMPTY: ReadonlySet<ColumnKind> = new Set(['date', 'time', 'timestamp', 'interval', 'uuid', 'range']);

/** Why an emptied cell of a column can't be staged as it is, where a column that takes null is meant to have no value. */
export function emptyFault(text: string, { kind, isNullable }: Pick<GridColumn, 'kind' | 'isNullable'>): string | undefined {
  if (text.trim() !== '' || isNullable !== true || !NEVER_EMPTY.has(kind)) return undefined;
  return `${strings.editing.emptyFault} ${clearHint()}`;
}

function clearHint(): string {
  return strings.editing.clearHint(keyText('grid.cellMenu'));
}

/** The fault of a text in a column: that of an emptied cell says how it gets no value. */
export function editFaultIn(fault: EditFault, text: string, { isNullable }: Pick<GridColumn, 'isNullable'>): string {
  const said = editFaultText(fault);
  return text.trim() === '' && isNullable === true ? `${said} ${clearHint()}` : said;
}

/** The fault as the person who typed the text reads it. */
export function editFaultText(fault: EditFault): string {
  switch (fault.fault) {
    case 'kind':
      return strings.editing.faults[fault.kind];
    case 'range':
      return strings.editing.outOfRange(...rangeWords(fault.range));
    case 'label':
      return strings.editing.noLabel(strings.editing.labels(fault.labels));
  }
}
