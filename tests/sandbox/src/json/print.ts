import { Double } from './value.ts';
import type { JsonValue } from './value.ts';

const MAX_FIXED_EXPONENT = 15;
const MIN_FIXED_EXPONENT = -4;

/** Shortest digits, laid out as the server does it: 1.0, 12345678.12345679, 1e+21. */
export const printFloat = (value: number): string => {
  if (!Number.isFinite(value)) return 'null';
  if (value === 0) return Object.is(value, -0) ? '-0.0' : '0.0';
  const sign = value < 0 ? '-' : '';
  const [mantissa = '', exponent = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const point = Number(exponent) + 1;
  if (digits.length <= point && point <= MAX_FIXED_EXPONENT) return `${sign}${digits.padEnd(point, '0')}.0`;
  if (point > 0 && point <= MAX_FIXED_EXPONENT) return `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
  if (point > MIN_FIXED_EXPONENT && point <= 0) return `${sign}0.${'0'.repeat(-point)}${digits}`;
  const power = point - 1;
  const rest = digits.length > 1 ? `.${digits.slice(1)}` : '';
  return `${sign}${digits[0] ?? ''}${rest}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
};

const SIGNIFICANT_DIGITS = 6;
const MIN_PLAIN_EXPONENT = -4;

/** Six significant digits, as a C++ stream writes a float: 12.5, 1e+06. */
export const printShortFloat = (value: number): string => {
  const [mantissa = '0', exponent = '0'] = value.toExponential(SIGNIFICANT_DIGITS - 1).split('e');
  const power = Number(exponent);
  if (power >= MIN_PLAIN_EXPONENT && power < SIGNIFICANT_DIGITS) return String(Number(value.toPrecision(SIGNIFICANT_DIGITS)));
  return `${String(Number(mantissa))}e${power < 0 ? '-' : '+'}${String(Math.abs(power)).padStart(2, '0')}`;
};

const byBytes = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0);

/** Compact, keys in order: the text the server stores and answers. */
export const print = (value: JsonValue): string => {
  switch (typeof value) {
    case 'string':
      return JSON.stringify(value);
    case 'number':
      return Number.isInteger(value) ? String(value) : printFloat(value);
    case 'bigint':
      return String(value);
    case 'boolean':
      return value ? 'true' : 'false';
    default:
  }
  if (value === null) return 'null';
  if (value instanceof Double) return printFloat(value.value);
  if (Array.isArray(value)) return `[${value.map(print).join(',')}]`;
  const keys = Object.keys(value).sort(byBytes);
  const members = keys.map((key) => `${JSON.stringify(key)}:${print(value[key] ?? null)}`);
  return `{${members.join(',')}}`;
};

/** The indented form of metrics.json and stats.json. */
export const printPretty = (value: JsonValue, indent = ''): string => {
  if (Array.isArray(value) || typeof value !== 'object' || value === null || value instanceof Double) return print(value);
  const keys = Object.keys(value).sort(byBytes);
  if (keys.length === 0) return '{}';
  const inner = `${indent}  `;
  const members = keys.map((key) => `${inner}${JSON.stringify(key)}: ${printPretty(value[key] ?? null, inner)}`);
  return `{\n${members.join(',\n')}\n${indent}}`;
};
