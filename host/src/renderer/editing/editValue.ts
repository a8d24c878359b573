import { numeralCell } from '@tabularium/sdk';
import type { Cell, Column, ColumnKind } from '@tabularium/sdk';
import { wholeText } from '../grid/model/cellText.ts';
import { isInRange } from '../grid/model/isInRange.ts';
import { plainNumber } from '../i18n/plainNumber.ts';
import { typedBytes } from './typedBytes.ts';
import type { CheckedKind, EditFault } from './editFault.ts';

export type EditedValue = { readonly ok: true; readonly value: Cell } | { readonly ok: false; readonly fault: EditFault };

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

const FORMS = { integer: /^-?(?:0|[1-9]\d*)$/, decimal: /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/ } as const;

/** The spellings that databases take. */
const TRUE: ReadonlySet<string> = new Set(['true', 't', 'yes', 'y', 'on', '1']);
const FALSE: ReadonlySet<string> = new Set(['false', 'f', 'no', 'n', 'off', '0']);

/** The typed text as a value of the column, with every digit. Numbers may be written as in the language of the window. */
export function valueOf(
  text: string,
  { kind, range, specialValues, values }: Pick<Column, 'kind' | 'range' | 'specialValues' | 'values'>,
): EditedValue {
  const good = (value: Cell): EditedValue => ({ ok: true, value });
  const bad = (checked: CheckedKind): EditedValue => ({ ok: false, fault: { fault: 'kind', kind: checked } });
  switch (kind) {
    case 'integer':
    case 'decimal': {
      const typed = text.trim().toLowerCase();
      const special = specialValues?.find((value) => value.toLowerCase() === typed);
      if (special !== undefined) return good(['text', special]);
      const digits = plainNumber(text.trim());
      if (!FORMS[kind].test(digits)) return bad(kind);
      if (range !== undefined && !isInRange(digits, range)) return { ok: false, fault: { fault: 'range', range } };
      return good(numeralCell(digits));
    }
    case 'boolean': {
      const lower = text.trim().toLowerCase();
      return TRUE.has(lower) || FALSE.has(lower) ? good(TRUE.has(lower)) : bad(kind);
    }
    case 'json':
      return isJson(text) ? good(text) : bad(kind);
    case 'bytes': {
      const bytes = typedBytes(text);
      return typeof bytes === 'string' ? bad(bytes) : good(bytes.base64);
    }
    case 'enum': {
      const label = values === undefined ? text : matchingLabel(text, values);
      return label === undefined ? { ok: false, fault: { fault: 'label', labels: values ?? [] } } : good(label);
    }
    default:
      return good(text);
  }
}

/** The label that a text writes: exactly, or else in letters of either case and with spaces around it, where only one is written so. */
export function matchingLabel(text: string, labels: readonly string[]): string | undefined {
  if (labels.includes(text)) return text;
  const loose = text.trim().toLowerCase();
  const found = labels.filter((label) => label.toLowerCase() === loose);
  return found.length === 1 ? found[0] : undefined;
}
