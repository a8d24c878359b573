import { DriverError, driverText, wholeStart } from '@tabularium/sdk';
import type { DriverText } from '@tabularium/sdk';
import type { ExactValue } from '../edits/exactValue.ts';
import { isExactObject, parseExactly } from '../edits/exactValue.ts';

/** The document of an object, each number by its digits. */
export type ObjectMembers = Readonly<Record<string, ExactValue>>;

/** @throws DriverError `INVALID_INPUT` for a text that isn't a JSON object */
export function objectMembers(text: string): ObjectMembers {
  let value: ExactValue;
  try {
    value = parseExactly(text);
  } catch (error) {
    if (error instanceof RangeError)
      throw refusedDocument('This JSON is nested too deeply to be read.', { id: 'object.tooDeep' });
    throw refusedDocument(`This isn't valid JSON: ${error instanceof Error ? error.message : 'it cannot be read'}.`, {
      id: 'object.notJson',
      values: { what: error instanceof Error ? error.message : '' },
    });
  }
  if (!isExactObject(value))
    throw refusedDocument('This is JSON, but not an object: it has to begin with { and end with }.', { id: 'object.notObject' });
  return value;
}

/** The text of an object without one of its members, the one that names it. */
export function documentWithout(members: ObjectMembers, name: string): string {
  return JSON.stringify(Object.fromEntries(Object.entries(members).filter(([member]) => member !== name)));
}

/** The value at a path; undefined where there is none. */
export function memberAt(members: ExactValue, path: readonly string[]): ExactValue {
  return path.reduce<ExactValue>(
    (value, member) => (isExactObject(value) && Object.hasOwn(value, member) ? value[member] : undefined),
    members,
  );
}

/** A short text of a value, for a list. */
export function factOf(value: ExactValue): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.map(shown).join(', ') : JSON.stringify(value);
  if (text === '') return undefined;
  return shortened(text);
}

/** A fact as a list has room for it. */
export function shortened(fact: string): string {
  return fact.length <= LONGEST_FACT ? fact : `${wholeStart(fact, LONGEST_FACT - 1)}…`;
}

const LONGEST_FACT = 300;

function shown(value: ExactValue): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** The fault of a document. */
export function refusedDocument(message: string, { id, values = {} }: DriverText): DriverError {
  return new DriverError('INVALID_INPUT', message, {
    details: { field: 'document', texts: { message: driverText(id, values) } },
  });
}
