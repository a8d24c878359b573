import type { NumberRange } from '@tabularium/sdk';
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
