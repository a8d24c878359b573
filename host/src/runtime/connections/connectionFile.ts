import { parseTree, printParseErrorCode, findNodeAtLocation } from 'jsonc-parser';
import type { Node, ParseError } from 'jsonc-parser';
import { z } from 'zod';
import type { SavedConnection } from '../../common/connection.ts';
import type { HostSentence } from '../../common/hostSentences.ts';
import { englishOf, hostSentence } from '../../common/hostSentences.ts';
import type { FilePosition, FileProblem, FiledConnection } from '../../common/connectionFile.ts';
import { CONNECTION_FILE_FORMAT, CONNECTION_FILE_VERSION, filedConnectionSchema } from '../../common/connectionFile.ts';

/** A file as it was read: each connection of it, or what is wrong with it, with its place. */
export interface ConnectionFile {
  readonly connections: readonly {
    /** Its name, if it has one. */
    readonly name: string;
    readonly driver: string;
    readonly at: FilePosition;
    readonly connection?: FiledConnection;
    readonly problems: readonly FileProblem[];
  }[];
  /** Faults of the file as a whole. */
  readonly problems: readonly FileProblem[];
}

/** Writes connections without secrets. */
export function writeConnectionFile(connections: readonly SavedConnection[]): string {
  const filed = connections.map(({ name, driver, settings, secrets, access, color, group }) => ({
    name,
    driver,
    settings,
    secretsFromEnvironment: Object.fromEntries(
      Object.entries(secrets).flatMap(([field, secret]) => (secret.kind === 'environment' ? [[field, secret.variable]] : [])),
    ),
    access,
    color,
    ...(group === undefined ? {} : { group }),
  }));
  const file = { format: CONNECTION_FILE_FORMAT, version: CONNECTION_FILE_VERSION, connections: filed };
  return `${JSON.stringify(file, undefined, 2)}\n`;
}

const headSchema = z.object({ format: z.string(), version: z.number(), connections: z.array(z.unknown()) });
const labelSchema = z.object({ name: z.string().catch(''), driver: z.string().catch('') }).catch({ name: '', driver: '' });

/** As many as can be chosen at once. */
const MOST_CONNECTIONS = 10_000;

/** Reads a file. Nothing is thrown for a bad one: each fault comes with its place, and the valid connections are kept. */
export function readConnectionFile(text: string): ConnectionFile {
  const places = new Places(text);
  const errors: ParseError[] = [];
  let tree: Node | undefined;
  let value: unknown;
  try {
    tree = parseTree(text.replace(/^\uFEFF/, ' '), errors, { disallowComments: true });
    value = tree === undefined ? undefined : valueOf(tree);
  } catch (error) {
    // The parser calls itself for each level, and a stack is finite.
    if (!(error instanceof RangeError)) throw error;
    return { connections: [], problems: [problem(hostSentence('fileNestedTooDeeply'), { line: 1, column: 1 })] };
  }
  const [error] = errors;
  if (error !== undefined || tree === undefined) {
    const what = sentenceOf(error === undefined ? 'ValueExpected' : printParseErrorCode(error.error));
    return { connections: [], problems: [problem(hostSentence('fileNotJson', { what }), places.at(error?.offset ?? 0))] };
  }
  const root = tree;
  const whole = (sentence: HostSentence, path: readonly (string | number)[]): ConnectionFile => ({
    connections: [],
    problems: [problem(sentence, places.of(root, path))],
  });
  const head = headSchema.safeParse(value);
  if (!head.success || head.data.format !== CONNECTION_FILE_FORMAT) {
    return whole(hostSentence('fileNotConnections'), ['format']);
  }
  if (head.data.version !== CONNECTION_FILE_VERSION) {
    return whole(hostSentence('fileVersion', { found: head.data.version, supported: CONNECTION_FILE_VERSION }), ['version']);
  }
  if (head.data.connections.length > MOST_CONNECTIONS)
    return whole(hostSentence('fileTooManyConnections', { limit: MOST_CONNECTIONS }), ['connections']);
  const connections = head.data.connections.map((value, index) => {
    const path = ['connections', index];
    const parsed = filedConnectionSchema.safeParse(value);
    const { name, driver } = labelSchema.parse(value);
    const at = places.of(root, path);
    if (parsed.success) return { name, driver, at, connection: parsed.data, problems: [] };
    const problems = parsed.error.issues.map((issue) =>
      problem(
        issueSentence(issue),
        places.of(root, [...path, ...issue.path.map((part) => (typeof part === 'symbol' ? String(part) : part))]),
      ),
    );
    return { name, driver, at, problems };
  });
  return { connections, problems: [] };
}

const problem = (sentence: HostSentence, at: FilePosition): FileProblem => ({ message: englishOf(sentence), sentence, ...at });

/** zod's issue in a sentence of the host, so that a window can translate it. */
function issueSentence(issue: z.core.$ZodIssue): HostSentence {
  if (issue.path.length === 0) {
    if (issue.code === 'unrecognized_keys') return hostSentence('fileConnectionNamesUnknown', { names: issue.keys.join(', ') });
    return issue.code === 'invalid_type'
      ? hostSentence('fileConnectionType', { type: issue.expected })
      : hostSentence('fileConnectionInvalid');
  }
  const place = issue.path.join('.');
  switch (issue.code) {
    case 'invalid_type':
      return hostSentence('fileValueType', { place, type: issue.expected });
    case 'too_big':
      return hostSentence('fileValueTooLong', { place, limit: String(issue.maximum) });
    case 'too_small':
      return hostSentence('fileValueTooShort', { place, limit: String(issue.minimum) });
    case 'invalid_value':
      return hostSentence('fileValueNotOption', { place, options: issue.values.map(String).join(', ') });
    case 'invalid_format':
      return issue.path[0] === 'secretsFromEnvironment'
        ? hostSentence('fileValueNotVariable', { place })
        : hostSentence('fileValueInvalid', { place });
    case 'unrecognized_keys':
      return hostSentence('fileNamesUnknown', { place, names: issue.keys.join(', ') });
    default:
      return hostSentence('fileValueInvalid', { place });
  }
}

/** Parser codes are names: `CommaExpected`. */
const sentenceOf = (code: string): string =>
  code.replaceAll(/(?<=[a-z])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).toLowerCase();

/** Values of the tree, as JSON.parse makes them; a name that occurs twice has its last value, and no name reaches a prototype. */
function valueOf(node: Node): unknown {
  if (node.type === 'array') return (node.children ?? []).map(valueOf);
  if (node.type !== 'object') return node.value as unknown;
  return Object.fromEntries(
    (node.children ?? []).flatMap(({ children }) => {
      const [key, value] = children ?? [];
      return key === undefined || value === undefined ? [] : [[String(key.value), valueOf(value)]];
    }),
  );
}

/** Lines and columns of a text. The lines are counted once: a file may have thousands of places to report. */
class Places {
  /** Where each line begins. */
  readonly #starts: readonly number[];

  constructor(text: string) {
    const starts = [0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1);
    this.#starts = starts;
  }

  /** The place of a value, or of what should hold it. */
  of(tree: Node, path: readonly (string | number)[]): FilePosition {
    for (let length = path.length; length > 0; length -= 1) {
      const node = findNodeAtLocation(tree, path.slice(0, length));
      if (node !== undefined) return this.at(node.offset);
    }
    return this.at(tree.offset);
  }

  at(offset: number): FilePosition {
    let line = 0;
    let after = this.#starts.length;
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((this.#starts[middle] ?? 0) <= offset) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: offset - (this.#starts[line] ?? 0) + 1 };
  }
}
