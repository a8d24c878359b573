import { wholeStart } from '@tabularium/sdk';
import type { Cell, ColumnKind } from '@tabularium/sdk';
import { isExactNumber } from '../../http/exactNumber.ts';

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
 * embedded as it is, as is the text of a place that is JSON, such as a pair of coordinates, but is its text where it has such a number in a column of JSON; bytes are base64. Undefined for a field that the row does not have.
 */
export function jsonValue(cell: Cell, kind: ColumnKind, cut: Cuts): unknown {
  if (typeof cell === 'string') return kind === 'json' || kind === 'geo' ? embeddedJson(cell, kind, cut) : shortened(cell, cut);
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
      return embeddedJson(value, kind, cut);
    case 'text':
    case 'bytes':
      return shortened(value, cut);
  }
}

function shortened(text: string, cut: Cuts): string {
  if (text.length <= cut.limit) return text;
  cut.values += 1;
  cut.longest = Math.max(cut.longest, text.length);
  return `${wholeStart(text, cut.limit)}… (cut: ${text.length} characters in all)`;
}

function embeddedJson(text: string, kind: ColumnKind, cut: Cuts): unknown {
  if (text.length > cut.limit) return shortened(text, cut);
  try {
    const all = { exact: true };
    const value = parseJson(text, all);
    // Sent back, a string in the place of a number would be stored as a string. In a column of another kind the driver reads it as a number.
    return all.exact || kind !== 'json' ? value : text;
  } catch {
    return text;
  }
}

/** JSON with every number that a double does not hold as the string of its digits. */
export function parseJsonExactly(text: string): unknown {
  return parseJson(text, { exact: true });
}

/** @param all - whose `exact` becomes false where a number is given as a string */
function parseJson(text: string, all: { exact: boolean }): unknown {
  return JSON.parse(text, (_, value: unknown, context?: { readonly source?: string }) => {
    if (typeof value !== 'number') return value;
    const exact = exactNumber(value, context?.source ?? String(value));
    if (typeof exact === 'string') all.exact = false;
    return exact;
  }) as unknown;
}

function exactNumber(value: number, source: string): number | string {
  if (Object.is(value, -0)) return source;
  return isExactNumber(source) ? value : source;
}
