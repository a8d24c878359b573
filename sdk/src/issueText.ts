import { wholeStart } from './model/visibleText.ts';
import type { z } from 'zod';

/** Beginnings of the messages that zod has for an issue whose schema says nothing of its own. */
const OF_ZOD = /^(?:Invalid |Too (?:big|small)|Unrecognized key|Required)/;

/** A path may hold a key of any length. */
const LONGEST_PATH = 500;
const LONGEST_MESSAGE = 1_000;

const TYPES: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  date: 'a date',
  array: 'a list',
  set: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  null: 'null',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'an id',
  guid: 'an id',
  url: 'an address, such as https://example.com',
  email: 'an e-mail address',
  datetime: 'a time, such as 2026-01-31T12:00:00Z',
  date: 'a date, such as 2026-01-31',
  ipv4: 'an IP address',
  ipv6: 'an IP address',
  base64: 'base64',
  base64url: 'base64url',
  json_string: 'JSON',
};

/**
 * One fault of a value in plain words, as the rest of a sentence whose subject is the value: `it is longer than 4,000 characters`. Every text of zod that reaches
 * a person comes through here. It never quotes the value, which may be a secret.
 */
export function issueText(issue: z.core.$ZodIssue): string {
  if (!OF_ZOD.test(issue.message)) return ofSchema(issue.message);
  switch (issue.code) {
    case 'invalid_type':
      return / received undefined$/.test(issue.message) ? 'it is missing' : `it has to be ${typeText(issue.expected)}`;
    case 'too_big':
      return isCounted(issue.origin)
        ? `it ${sizeText(issue.origin, issue.maximum, 'more')}`
        : `it has to be ${issue.inclusive === false ? 'less than' : 'at most'} ${numberText(issue.maximum)}`;
    case 'too_small':
      if (isCounted(issue.origin) && Number(issue.minimum) === 1) return 'it is empty';
      return isCounted(issue.origin)
        ? `it ${sizeText(issue.origin, issue.minimum, 'fewer')}`
        : `it has to be ${issue.inclusive === false ? 'more than' : 'at least'} ${numberText(issue.minimum)}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `it has to be ${String(issue.values[0])}`
        : `it has to be one of ${issue.values.map(String).join(', ')}`;
    case 'invalid_format': {
      const format = FORMATS[issue.format];
      return format === undefined ? 'it has another form than is needed here' : `it has to be ${format}`;
    }
    case 'not_multiple_of':
      return `it has to be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return `it has ${issue.keys.length === 1 ? 'a name' : 'names'} that can’t be there: ${issue.keys.slice(0, 10).join(', ')}`;
    case 'invalid_union':
      return 'it has none of the forms that are possible here';
    case 'invalid_key':
      return 'a name in it can’t be used';
    case 'invalid_element':
      return 'an entry in it can’t be used';
    default:
      return 'it can’t be used';
  }
}

/** A schema's own message, as the rest of a sentence. */
function ofSchema(message: string): string {
  const text = message.replace(/\.$/, '');
  return `${text.slice(0, 1).toLowerCase()}${text.slice(1)}`;
}

function typeText(expected: string): string {
  return TYPES[expected] ?? 'of another type';
}

function isCounted(origin: string): boolean {
  return ['string', 'array', 'set', 'map', 'object', 'file'].includes(origin);
}

function sizeText(origin: string, size: number | bigint, than: 'fewer' | 'more'): string {
  if (origin === 'string') {
    return `is ${than === 'more' ? 'longer' : 'shorter'} than ${counted(size, 'character', 'characters')}`;
  }
  if (origin === 'file') return `is ${than === 'more' ? 'larger' : 'smaller'} than ${counted(size, 'byte', 'bytes')}`;
  return `has ${than} than ${counted(size, 'entry', 'entries')}`;
}

function counted(size: number | bigint, one: string, other: string): string {
  return `${numberText(size)} ${Number(size) === 1 ? one : other}`;
}

function numberText(value: number | bigint): string {
  return value.toLocaleString('en');
}

/**
 * One fault as sentences for the author of the value, led in by its path: `connection.fields.0.id: It is missing.` A schema's own message is a sentence
 * already, and stays as it is.
 *
 * @param whole - names the value itself, where the fault has no path
 */
export function issueSentence(fault: z.core.$ZodIssue, whole: string): string {
  const issue = inClosestForm(fault);
  const path = issue.path.length === 0 ? whole : issue.path.map(String).join('.').slice(0, LONGEST_PATH);
  if (!OF_ZOD.test(issue.message)) {
    // It may quote a value of any length.
    const { message } = issue;
    return `${path}: ${message.length > LONGEST_MESSAGE ? `${wholeStart(message, LONGEST_MESSAGE)}…` : message}`;
  }
  const text = issueText(issue);
  return `${path}: ${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`;
}

/** Of a value that has none of several forms, the first fault of the form that it comes closest to: the one with the fewest faults. The fault itself where it comes close to none, or to two alike. */
function inClosestForm(issue: z.core.$ZodIssue): z.core.$ZodIssue {
  if (issue.code !== 'invalid_union') return issue;
  const forms = issue.errors.filter((faults) => faults.every(({ path }) => path.length > 0));
  forms.sort((one, other) => one.length - other.length);
  const [closest, second] = forms;
  const [first] = closest ?? [];
  if (first === undefined || closest?.length === second?.length) return issue;
  return inClosestForm({ ...first, path: [...issue.path, ...first.path] });
}
