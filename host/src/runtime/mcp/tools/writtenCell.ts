import type { Cell, ColumnKind } from '@tabularium/sdk';
import { ToolFailure } from './tool.ts';

/** The forms of a value that says itself what it is: an object with this one member, a text. */
const TAGS = { $json: 'json', $text: 'text', $number: 'number', $boolean: 'boolean', $bytes: 'bytes' } as const;
type Tag = (typeof TAGS)[keyof typeof TAGS];

const NUMERAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;
/** The end or the whole of a text that an answer gives for a longer value. */
const CUT = /… \(cut: \d+ characters in all\)$|… \(cut:(?: \d+ bytes in all)?\)$|^\(not read: [^()]*\)$/;

/**
 * A value of JSON as a cell of a column of this kind, read the way in which an answer gives it. Nothing is guessed: a text for a column of JSON is a text,
 * and null is NULL in every kind.
 *
 * @throws ToolFailure `INVALID_INPUT` naming the column, for a value that could mean two things or has lost something already
 */
export function writtenCell(name: string, value: unknown, kind: ColumnKind | undefined): Cell {
  const tagged = taggedOf(value);
  if (tagged !== undefined) return taggedCell(name, tagged.tag, tagged.text, kind);
  // A number that JSON could not carry exactly has lost digits already.
  if (typeof value === 'number' && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value)))) {
    throw new ToolFailure(
      'INVALID_INPUT',
      `The number for "${name}" is too large to be exact.`,
      'Send it as a string of its digits.',
    );
  }
  if (value === null) return null;
  if (typeof value === 'string' && CUT.test(value)) {
    throw new ToolFailure(
      'INVALID_INPUT',
      `The value for "${name}" was cut when it was read.`,
      'Read it whole, as the notes of the answer say; a text that does end so is {"$text": "…"}.',
    );
  }
  if (kind === 'json') {
    if (typeof value === 'string' && isListOrObject(value)) {
      throw new ToolFailure(
        'INVALID_INPUT',
        `The value for "${name}" is a string that holds JSON.`,
        'Send the list or object itself, or its exact text as {"$json": "…"}.',
      );
    }
    return JSON.stringify(value);
  }
  switch (typeof value) {
    case 'string':
      return value;
    case 'number':
      return kind === undefined || kind === 'integer' || kind === 'decimal' ? value : ['number', String(value)];
    case 'boolean':
      return kind === undefined || kind === 'boolean' ? value : ['boolean', value ? 'true' : 'false'];
    default: {
      // A place reads as its JSON text.
      const text = JSON.stringify(value);
      return kind === 'geo' ? text : ['json', text];
    }
  }
}

/** The object that says what a text is. */
export function taggedValue(tag: Tag, text: string): Readonly<Record<string, string>> {
  return { [`$${tag}`]: text };
}

function taggedOf(value: unknown): { readonly tag: Tag; readonly text: string } | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const members = Object.entries(value);
  const [name, text] = members[0] ?? [];
  if (members.length !== 1 || name === undefined || !Object.hasOwn(TAGS, name) || typeof text !== 'string') return undefined;
  return { tag: TAGS[name as keyof typeof TAGS], text };
}

function taggedCell(name: string, tag: Tag, text: string, kind: ColumnKind | undefined): Cell {
  switch (tag) {
    case 'json':
      if (!isJson(text)) throw unfit(name, tag, 'JSON');
      return kind === 'json' ? text : ['json', text];
    case 'number':
      if (!NUMERAL.test(text)) throw unfit(name, tag, 'a number');
      return ['number', text];
    case 'boolean':
      if (text !== 'true' && text !== 'false') throw unfit(name, tag, 'true or false');
      return ['boolean', text];
    case 'bytes':
      if (!BASE64.test(text)) throw unfit(name, tag, 'base64');
      return kind === 'bytes' ? text : ['bytes', text];
    case 'text':
      return ['text', text];
  }
}

function unfit(name: string, tag: Tag, wanted: string): ToolFailure {
  return new ToolFailure('INVALID_INPUT', `The text of "$${tag}" for "${name}" isn't ${wanted}.`, 'Correct it.');
}

function isListOrObject(text: string): boolean {
  return /^\s*[[{]/.test(text) && isJson(text);
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
