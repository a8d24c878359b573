import type { Cell, ColumnKind } from '@tabularium/sdk';
import { isAbsent } from '@tabularium/sdk';

/** The kind of a cell, by its own tag or by its column. */
export function kindOfCell(
  cell: Exclude<Cell, null>,
  kind: ColumnKind,
): { readonly kind: string; readonly value: string | number | boolean } {
  if (!Array.isArray(cell)) return { kind, value: cell as string | number | boolean };
  return { kind: String(cell[0]), value: String(cell[1]) };
}

/**
 * A cell as a JSON value, exactly: numbers with all their digits, JSON values as they are. Undefined for a field that the row does not have.
 */
export function cellJson(cell: Cell, columnKind: ColumnKind): string | undefined {
  if (cell === null) return 'null';
  if (isAbsent(cell)) return undefined;
  const { kind, value } = kindOfCell(cell, columnKind);
  if (typeof value !== 'string') return JSON.stringify(value);
  switch (kind) {
    case 'integer':
    case 'decimal':
    case 'number':
      return isNumeral(value) ? value : JSON.stringify(value);
    case 'boolean':
      return value === 'true' || value === 'false' ? value : JSON.stringify(value);
    case 'json':
      return compactJson(value) ?? JSON.stringify(value);
    default:
      return JSON.stringify(value);
  }
}

function isNumeral(text: string): boolean {
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(text);
}

/** A JSON text without its white space, every number as it was written. Undefined when the text isn't JSON. */
export function compactJson(text: string): string | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!/\s/.test(text)) return text;
  // Strings are kept, white space between other tokens goes. Parsing and writing again would round large numbers.
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|\s+/g, (token) => (token.startsWith('"') ? token : ''));
}
