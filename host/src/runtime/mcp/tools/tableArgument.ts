import { isDriverError } from '@tabularium/sdk';
import type { Session, TableDescription, TableRef } from '@tabularium/sdk';
import { z } from 'zod';
import { ToolFailure } from './tool.ts';

/** The argument that names the table. */
export const tableArguments = {
  table: z.string().min(1).max(500).describe('The name that list_tables gives.'),
  namespace: z
    .array(z.string().max(500))
    .max(8)
    .optional()
    .describe('The namespace that list_tables gives; needed when tables share a name.'),
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
    throw new ToolFailure('NOT_FOUND', `There is no table "${name}".`, 'Call list_tables to list the tables.');
  }
}

async function tablesNamed(session: Session, name: string, signal: AbortSignal): Promise<readonly TableRef[]> {
  const tables = await session.listTables({ signal });
  return tables.map(({ ref }) => ref).filter((ref) => ref.name === name && ref.namespace.length > 0);
}
