import type { NumberRange } from '@tabularium/sdk';
import { formatNumeral } from '../i18n/format.ts';
import { strings } from '../i18n/index.ts';

/** The kinds in which not every text is a value. */
export type CheckedKind = 'integer' | 'decimal' | 'boolean' | 'json';

/** Why a column can't have a text. */
export type EditFault =
  { readonly fault: 'kind'; readonly kind: CheckedKind } | { readonly fault: 'range'; readonly range: NumberRange };

/** The fault as the person who typed the text reads it. */
export function editFaultText(fault: EditFault): string {
  return fault.fault === 'kind'
    ? strings.editing.faults[fault.kind]
    : strings.editing.outOfRange(formatNumeral(fault.range.least), formatNumeral(fault.range.greatest));
}
