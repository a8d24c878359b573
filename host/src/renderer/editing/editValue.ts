import { numeralCell } from '@tabularium/sdk';
import type { Cell, ColumnKind } from '@tabularium/sdk';
import { wholeText } from '../grid/model/cellText.ts';
import { plainNumber } from '../i18n/plainNumber.ts';

/** The kinds in which not every text is a value. */
export type CheckedKind = 'integer' | 'decimal' | 'boolean' | 'json';

export type EditedValue = { readonly ok: true; readonly value: Cell } | { readonly ok: false; readonly kind: CheckedKind };

/** The text with which an editor begins. Null, absent and empty begin with nothing. */
export function editText(cell: Cell, kind: ColumnKind): string {
  return wholeText(cell, kind).text;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

/** The typed text as a value of the column's kind, with every digit. Numbers may be written as in the language of the window. */
export function valueOf(text: string, kind: ColumnKind): EditedValue {
  const trimmed = kind === 'integer' || kind === 'decimal' ? plainNumber(text.trim()) : text.trim();
  switch (kind) {
    case 'integer':
      return /^-?(?:0|[1-9]\d*)$/.test(trimmed) ? { ok: true, value: numeralCell(trimmed) } : { ok: false, kind };
    case 'decimal':
      return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(trimmed)
        ? { ok: true, value: numeralCell(trimmed) }
        : { ok: false, kind };
    case 'boolean': {
      const lower = trimmed.toLowerCase();
      return lower === 'true' || lower === 'false' ? { ok: true, value: lower === 'true' } : { ok: false, kind };
    }
    case 'json':
      return isJson(text) ? { ok: true, value: text } : { ok: false, kind };
    default:
      return { ok: true, value: text };
  }
}
