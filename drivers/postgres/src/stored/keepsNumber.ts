import { OID } from '../catalogue/types.ts';
import { scaleOf } from './storedType.ts';
import type { StoredType } from './storedType.ts';

export const NUMERAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** Numbers that are none: `numeric` and floats have them. */
export const NO_NUMERAL = /^(?:nan|[+-]?inf(?:inity)?)$/i;

/** Whether a column stores a number digit for digit: the server would round it without an error. */
export function keepsNumber(text: string, { oid, modifier }: Pick<StoredType, 'oid' | 'modifier'>): boolean {
  if (NO_NUMERAL.test(text)) return true;
  const digits = significant(text);
  if (oid === OID.numeric) {
    const scale = scaleOf({ modifier });
    return scale === undefined || digits === '0' || -exponentOf(digits) <= scale;
  }
  const value = Number(text);
  if (!Number.isFinite(value)) return false;
  if (oid !== OID.float4) return significant(String(value)) === digits;
  const single = Math.fround(value);
  return Number.isFinite(single) && [6, 7, 8, 9].some((precision) => significant(single.toPrecision(precision)) === digits);
}

/**
 * Whether a text as `money` loses no decimals.
 *
 * @param sample - one unit as the server writes it: its decimals depend on `lc_monetary`
 */
export function keepsMoney(text: string, sample: string): boolean {
  const [, separator = '.', decimals = ''] = /1(?:([^\d\s])(\d+))?/.exec(sample) ?? [];
  const at = text.indexOf(separator);
  const [fraction = ''] = /^\d*/.exec(at < 0 ? '' : text.slice(at + separator.length)) ?? [];
  return fraction.replace(/(?<!0)0+$/, '').length <= decimals.length;
}

function exponentOf(digits: string): number {
  return Number(/e(-?\d+)$/.exec(digits)?.[1] ?? 0);
}

/** The digits that count, and the place of the point. */
function significant(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const all = `${whole}${fraction}`.replace(/^0+/, '');
  const digits = all.replace(/(?<!0)0+$/, '');
  if (digits === '') return '0';
  return `${sign === '-' ? '-' : ''}${digits}e${Number(exponent) - fraction.length + (all.length - digits.length)}`;
}
