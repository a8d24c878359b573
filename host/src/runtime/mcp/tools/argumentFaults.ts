import { z } from 'zod';
import { issueText } from '@tabularium/sdk/package';
import { didYouMean } from './nearestName.ts';

/** Faults that one answer names. */
const MOST_FAULTS = 5;
/** Characters of one fault: an unknown argument's name may be as long as a request. */
const LONGEST_FAULT = 500;

/** Arguments of other servers' tools, and of other databases' words, with the name that this server has for them. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  limit: 'maxRows',
  top: 'maxRows',
  rows: 'maxRows',
  per_page: 'maxRows',
  pageSize: 'maxRows',
  skip: 'offset',
  query: 'statement',
  sql: 'statement',
  command: 'statement',
  tableName: 'table',
  table_name: 'table',
  index: 'table',
  name: 'table',
  schema: 'namespace',
  database: 'connection',
  connectionId: 'connection',
  connection_id: 'connection',
  where: 'filters',
  filter: 'filters',
  conditions: 'filters',
  sort: 'sorts',
  sort_by: 'sorts',
  orderBy: 'sorts',
  order_by: 'sorts',
  sorting: 'sorts',
  select: 'columns',
  fields: 'columns',
  include_fields: 'columns',
  timeout: 'timeoutSeconds',
  path: 'file',
  filename: 'file',
  search: 'term',
  q: 'term',
  field: 'column',
  op: 'operator',
  value: 'values',
  order: 'direction',
  data: 'rows',
  records: 'rows',
  documents: 'rows',
  set: 'values',
  id: 'key',
};

/** A sentence for each fault of a tool's arguments, with the valid ones. */
export function argumentFaults(schema: z.ZodObject, error: z.ZodError, args: unknown): string {
  // A value of another type is measured as well: the limit of a list would be named as one of the text that was sent.
  const mistyped = new Set(error.issues.filter(({ code }) => code === 'invalid_type').map(({ path }) => pathText(path)));
  const issues = error.issues.filter(
    ({ code, path }) => (code !== 'too_big' && code !== 'too_small') || !mistyped.has(pathText(path)),
  );
  const faults = issues.slice(0, MOST_FAULTS).flatMap((issue) => faultsOf(issue, schema, args));
  const left = issues.length - MOST_FAULTS;
  return `${faults.join(' ')}${left > 0 ? ` There are ${left} more faults.` : ''}`;
}

function faultsOf(issue: z.core.$ZodIssue, schema: z.ZodObject, args: unknown): string[] {
  const where = pathText(issue.path);
  const sentence = (text: string): string => `${where === '' ? '' : `${where}: `}${text}`.slice(0, LONGEST_FAULT);
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = keysAt(schema, issue.path);
      return issue.keys.slice(0, MOST_FAULTS).map((key) => sentence(unknownArgument(key, known)));
    }
    case 'invalid_type': {
      const given = at(args, issue.path);
      if (given === undefined) return [sentence(`it is missing; it takes ${wordFor(issue.expected)}.`)];
      const asText = typeof given === 'string' && issue.expected !== 'string' ? ' Send JSON, not a text of it.' : '';
      return [sentence(`it takes ${wordFor(issue.expected)}, not ${typeOf(given)}.${asText}`)];
    }
    case 'invalid_value': {
      const values = issue.values.map(String);
      const given = at(args, issue.path);
      const near = typeof given === 'string' ? didYouMean(given, values) : '';
      return [sentence(`it takes one of ${values.join(', ')}.${near}`)];
    }
    case 'too_big':
    case 'too_small': {
      const bound = issue.code === 'too_big' ? `at most ${issue.maximum}` : `at least ${issue.minimum}`;
      const isOne = Number(issue.code === 'too_big' ? issue.maximum : issue.minimum) === 1;
      const [character, entry] = isOne ? [' character', ' entry'] : [' characters', ' entries'];
      const unit = issue.origin === 'string' ? character : issue.origin === 'array' ? entry : '';
      return [sentence(`it takes ${bound}${unit}.`)];
    }
    case 'invalid_union':
      return [sentence(`it takes a text, a number, true or false, not ${typeOf(at(args, issue.path))}.`)];
    default:
      return [sentence(`${issueText(issue)}.`)];
  }
}

function unknownArgument(key: string, known: readonly string[]): string {
  const shown = JSON.stringify(key.slice(0, 80));
  const other = Object.hasOwn(OTHER_NAMES, key) ? OTHER_NAMES[key] : undefined;
  const meant = other !== undefined && known.includes(other) ? ` Did you mean "${other}"?` : didYouMean(key, known);
  return `there is no argument ${shown}.${meant} There are: ${known.join(', ')}.`;
}

/** The arguments that there are where a fault is: the tool's own, or those of an entry of a list. */
function keysAt(schema: z.ZodObject, path: readonly PropertyKey[]): readonly string[] {
  let here: unknown = schema;
  for (const part of path) {
    here = unwrapped(here);
    if (here instanceof z.ZodObject) here = (here.shape as Record<string, unknown>)[String(part)];
    else if (here instanceof z.ZodArray) here = here.element;
    else return [];
  }
  const object = unwrapped(here);
  return object instanceof z.ZodObject ? Object.keys(object.shape) : [];
}

function unwrapped(schema: unknown): unknown {
  let here = schema;
  while (here instanceof z.ZodOptional || here instanceof z.ZodDefault) here = here.unwrap();
  return here;
}

function at(args: unknown, path: readonly PropertyKey[]): unknown {
  let here = args;
  for (const part of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, part)) return undefined;
    here = (here as Record<PropertyKey, unknown>)[part];
  }
  return here;
}

function pathText(path: readonly PropertyKey[]): string {
  return path
    .slice(0, 10)
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part).slice(0, 80)}`))
    .join('');
}

function wordFor(expected: string): string {
  switch (expected) {
    case 'string':
      return 'a text';
    case 'int':
      return 'a whole number';
    case 'number':
      return 'a number';
    case 'boolean':
      return 'true or false';
    case 'array':
      return 'a list';
    case 'object':
    case 'record':
      return 'an object';
    default:
      return expected;
  }
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  switch (typeof value) {
    case 'string':
      return 'a text';
    case 'number':
      return Number.isInteger(value) ? 'a whole number' : 'a number';
    case 'boolean':
      return String(value);
    default:
      return 'an object';
  }
}
