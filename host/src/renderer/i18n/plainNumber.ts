import { locale } from './language.ts';

const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(-1_234_567.5);
const decimalMark = parts.find(({ type }) => type === 'decimal')?.value ?? '.';

const GROUPS = /^[-+]?\d{1,3}(?:([.’'\u0020\u00a0\u202f])\d{3})(?:\1\d{3})*$/;

/**
 * A number as it is written in the language of the window, as databases write it: `1.234,5` is `1234.5` where the comma is the decimal mark. Only
 * what can be read in one way is changed: `1.234` stays as it is, because cells show `1.234` for a value between one and two. Any other text stays
 * as it is too, and where the point is the decimal mark nothing is changed.
 */
export function plainNumber(text: string, mark: string = decimalMark): string {
  if (mark !== ',') return text;
  const trimmed = text.trim();
  const [whole = '', rest, ...others] = trimmed.split(',');
  if (others.length > 0) return text;
  const [, separator] = GROUPS.exec(whole) ?? [];
  if (rest === undefined) {
    // One point alone may be a decimal mark; two of them, and a blank, cannot.
    const isCertain = separator !== undefined && (separator !== '.' || whole.split('.').length > 2);
    return isCertain ? whole.replaceAll(separator, '') : text;
  }
  if (!/^\d+(?:[eE][-+]?\d+)?$/.test(rest)) return text;
  if (separator !== undefined) return `${whole.replaceAll(separator, '')}.${rest}`;
  return /^[-+]?\d+$/.test(whole) ? `${whole}.${rest}` : text;
}

/**
 * The two readings of a number that has one point before three digits, in a language whose decimal mark is the comma: `1.234` is read as `1,234`, and a person
 * may mean `1234`. Undefined for a text that has one reading.
 */
export function twoReadings(
  text: string,
  mark: string = decimalMark,
): { readonly read: string; readonly other: string } | undefined {
  const trimmed = text.trim();
  if (mark !== ',' || !/^[-+]?[1-9]\d{0,2}\.\d{3}$/.test(trimmed)) return undefined;
  return { read: trimmed.replace('.', ','), other: trimmed.replace('.', '') };
}
