import type { Cell, ColumnKind } from '@tabularium/sdk';

/** Values that were cut. */
export interface Cuts {
  /** How many. */
  values: number;
  /** Characters of the longest, before it was cut. */
  longest: number;
  /** Characters of a value; longer ones are cut. */
  readonly limit: number;
}

/**
 * A cell as JSON for a model: exact, in the plainest form. Numbers that a double does not hold digit for digit are strings; JSON is
 * embedded as it is, as is the text of a place that is JSON, such as a pair of coordinates; bytes are base64. Undefined for a field that the row does not have.
 */
export function jsonValue(cell: Cell, kind: ColumnKind, cut: Cuts): unknown {
  if (typeof cell === 'string') return kind === 'json' || kind === 'geo' ? embeddedJson(cell, cut) : shortened(cell, cut);
  if (cell === null || typeof cell !== 'object') return cell;
  const [tag, value] = cell;
  switch (tag) {
    case 'absent':
      return undefined;
    case 'number':
      return exactNumber(Number(value), value);
    case 'boolean':
      return value === 'true';
    case 'json':
      return embeddedJson(value, cut);
    case 'text':
    case 'bytes':
      return shortened(value, cut);
  }
}

function shortened(text: string, cut: Cuts): string {
  if (text.length <= cut.limit) return text;
  cut.values += 1;
  cut.longest = Math.max(cut.longest, text.length);
  return `${text.slice(0, cut.limit).toWellFormed()}… (cut: ${text.length} characters in all)`;
}

function embeddedJson(text: string, cut: Cuts): unknown {
  if (text.length > cut.limit) return shortened(text, cut);
  try {
    return parseJsonExactly(text);
  } catch {
    return text;
  }
}

/** JSON with every number that a double does not hold as the string of its digits. */
export function parseJsonExactly(text: string): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) =>
    typeof value === 'number' ? exactNumber(value, context?.source ?? String(value)) : value,
  ) as unknown;
}

function exactNumber(value: number, source: string): number | string {
  if (String(value) === source || Object.is(value, -0)) return Object.is(value, -0) && source !== '0' ? source : value;
  // Another notation of the same number, such as 1.50 or 1e3, loses nothing as long as a double holds that many digits.
  const [mantissa = ''] = source.split(/e/i, 1);
  const digits = mantissa.replaceAll(/[.-]/g, '').replace(/^0+/, '').length;
  return Number.isFinite(value) && digits <= 15 && (!Number.isInteger(value) || Number.isSafeInteger(value)) ? value : source;
}
