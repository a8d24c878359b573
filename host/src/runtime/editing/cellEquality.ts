import type { Cell, ColumnKind } from '@tabularium/sdk';
import { compactJson } from '../../common/cellJson.ts';

/**
 * Whether two cells of one column hold the same value, however each is written: `1` and `"1"` in an integer column, JSON texts that differ in
 * white space or in the order of members. Numbers are compared by all their digits; null, absent and empty are three values.
 */
export function sameCell(one: Cell, other: Cell, kind: ColumnKind): boolean {
  return canonicalCell(one, kind) === canonicalCell(other, kind);
}

function canonicalCell(cell: Cell, kind: ColumnKind): string {
  if (cell === null) return 'null';
  if (typeof cell === 'boolean') return `boolean:${cell}`;
  if (typeof cell === 'number') return `number:${canonicalNumeral(String(cell)) ?? cell}`;
  if (typeof cell === 'string') return canonicalText(cell, kind);
  const [tag, text] = cell;
  switch (tag) {
    case 'absent':
      return 'absent';
    case 'number':
      return canonicalText(text, 'decimal');
    case 'boolean':
      return `boolean:${text}`;
    case 'text':
    case 'json':
    case 'bytes':
      return canonicalText(text, tag);
  }
}

function canonicalText(text: string, kind: ColumnKind): string {
  if (kind === 'json') return `json:${canonicalJson(text) ?? text}`;
  if (kind === 'bytes') return `bytes:${text}`;
  const numeral = kind === 'integer' || kind === 'decimal' ? canonicalNumeral(text) : undefined;
  return numeral === undefined ? `text:${text}` : `number:${numeral}`;
}

const NUMERAL = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Significant digits and an exponent, so that `1.50e2` and `150` are one. Never through a double. */
function canonicalNumeral(text: string): string | undefined {
  const parts = NUMERAL.exec(text);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/(?<!0)0+$/, '');
  if (significant === '') return '0';
  return `${sign}${significant}e${BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)}`;
}

class Numeral {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Undefined for text that isn't JSON. */
function canonicalJson(text: string): string | undefined {
  try {
    const value = written(
      JSON.parse(text, (_key, member: unknown, context?: { readonly source?: string }) =>
        typeof member === 'number' ? new Numeral(context?.source ?? String(member)) : member,
      ),
    );
    // Of members with one name only the last was read. A database may hold them all, so such a text is the same as itself only.
    return countMembers(value) === countMembers(text) ? value : compactJson(text);
  } catch {
    return undefined;
  }
}

/** The members of all objects of a JSON text. */
function countMembers(text: string): number {
  return text.replaceAll(/"[^"\\]*(?:\\.[^"\\]*)*"|[^:"]+/g, '').length;
}

function written(value: unknown): string {
  if (value instanceof Numeral) return canonicalNumeral(value.text) ?? value.text;
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, member]): [string, string] => [JSON.stringify(name), written(member)]);
  return `{${members
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${name}:${member}`)
    .join(',')}}`;
}
