import { isDriverError } from '@tabularium/sdk';
import type { Column, Session, TableDescription, TableRef } from '@tabularium/sdk';
import { z } from 'zod';
import { isInitial, isWithin } from '../../../common/namespaces.ts';
import { didYouMean, namesInShort } from './nearestName.ts';
import { ToolFailure } from './tool.ts';

/** Tables whose names an error lists; of more, a part of the name is to be looked for. */
const MOST_NAMED = 100;

/** Characters of a name, as the contract of drivers carries them. */
const LONGEST_NAME = 1_000;

/** The name of a column, which some databases let be empty. */
export const columnNameArgument = z.string().max(LONGEST_NAME);

/** The argument that names the table. */
export const tableArguments = {
  table: z.string().min(1).max(LONGEST_NAME),
  namespace: z.array(z.string().max(LONGEST_NAME)).max(8).optional().describe('Where tables share a name.'),
};

/** The name of a table for a model, where several words are one name. */
export function tableArgumentName({ namespace, name }: TableRef): string {
  return [...namespace, name].join('.');
}

/**
 * Asks for the table as it is named; only a name that is not found so is looked for in the list, which narrow credentials may not read.
 *
 * @throws ToolFailure `NOT_FOUND`, or `INVALID_INPUT` when several have the name
 */
export async function findTableArgument(
  session: Session,
  name: string,
  namespace: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<TableDescription> {
  try {
    return await session.describeTable({ namespace: namespace ?? [], name }, { signal });
  } catch (error) {
    if (!isDriverError(error) || error.code !== 'NOT_FOUND' || signal.aborted) throw error;
    const named = namespace === undefined ? await tablesNamed(session, name, signal) : [];
    const [only] = named;
    if (only !== undefined && named.length === 1) return session.describeTable(only, { signal });
    if (named.length > 1) {
      throw new ToolFailure(
        'INVALID_INPUT',
        `Several tables are named "${name}".`,
        `Say which one with namespace: ${named.map((ref) => JSON.stringify(ref.namespace)).join(', ')}.`,
      );
    }
    throw new ToolFailure('NOT_FOUND', `There is no table "${name}".`, await tablesAdvice(session, { name, namespace }, signal));
  }
}

/** The names that there are, where the credentials may read them. */
async function tablesAdvice(
  session: Session,
  { name, namespace }: { readonly name: string; readonly namespace: readonly string[] | undefined },
  signal: AbortSignal,
): Promise<string> {
  try {
    const facet = session.namespaces;
    if (facet !== undefined && namespace !== undefined && !isInitial(facet, namespace)) {
      const { tables } = await facet.listTables(namespace, { signal, limit: MOST_NAMED });
      const inside = tables.map(({ ref }) => ref.name);
      // Tables of other namespaces are not what is meant, even by that name.
      if (inside.length === 0) return `No table is listed in namespace ${JSON.stringify(namespace)}: list_tables names others.`;
      return `${didYouMean(name, inside)} In that namespace are: ${namesInShort(inside)}.`.trim();
    }
    const refs = (await session.listTables({ signal })).map(({ ref }) => ref);
    const elsewhere = namespace === undefined ? [] : refs.filter((ref) => ref.name === name);
    if (elsewhere.length > 0) {
      const paths = elsewhere.map((ref) => JSON.stringify(ref.namespace));
      return `A table of that name is in namespace ${namesInShort(paths, 350, (path) => path)}.`;
    }
    const within = namespace === undefined ? refs : refs.filter((ref) => isWithin(ref.namespace, namespace));
    if (namespace !== undefined && namespace.length > 0 && within.length === 0 && refs.length > 0) {
      const paths = [...new Set(refs.map((ref) => JSON.stringify(ref.namespace)))];
      return `No table is listed in namespace ${JSON.stringify(namespace)}. The namespaces are: ${namesInShort(paths)}.`;
    }
    const names = within.map((ref) => ref.name);
    if (names.length === 0)
      return session.namespaces === undefined
        ? 'The list of tables is empty: name one exactly, or ask the person.'
        : 'The list of tables is empty: list_tables names namespaces that have more.';
    const near = [
      didYouMean(name, names).trim(),
      session.namespaces === undefined ? '' : 'Tables of other namespaces need their namespace: list_tables names them.',
    ]
      .join(' ')
      .trim();
    if (names.length > MOST_NAMED) return `${near} Call search_schema with a part of its name.`.trim();
    return `${near} The tables are: ${namesInShort(names)}.`.trim();
  } catch (error) {
    if (signal.aborted || !isDriverError(error)) throw error;
    return 'Name one exactly: these credentials may not list tables.';
  }
}

/**
 * The column of that name.
 *
 * @throws ToolFailure `INVALID_INPUT` with the names that there are
 */
export function requireColumn(name: string, { columns }: TableDescription): Column {
  const column = columns.find((candidate) => candidate.name === name);
  if (column !== undefined) return column;
  const names = columns.map((candidate) => candidate.name);
  throw new ToolFailure(
    'INVALID_INPUT',
    `There is no column "${name}".`,
    `${didYouMean(name, names)} The columns are: ${namesInShort(names)}.`.trim(),
  );
}

async function tablesNamed(session: Session, name: string, signal: AbortSignal): Promise<readonly TableRef[]> {
  const tables = await session.listTables({ signal });
  return tables.map(({ ref }) => ref).filter((ref) => ref.name === name && ref.namespace.length > 0);
}
