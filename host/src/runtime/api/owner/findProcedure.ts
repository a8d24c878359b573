import { DriverError } from '@tabularium/sdk';
import type { Session, TableRef } from '@tabularium/sdk';
import { findNamedRowsEventSchema, findNamedRowsSchema } from '../../../common/findingRows.ts';
import type { FindNamedRowsEvent, FindScope } from '../../../common/findingRows.ts';
import { namespacesBefore } from '../../../common/namespaces.ts';
import { allTables, findWrittenTable, namespaceLister, noList } from '../../data/namespaceLister.ts';
import type { RefusedNamespace } from '../../data/namespaceLister.ts';
import { streams } from '../procedureAnswer.ts';
import { NEVER } from '../trpc.ts';
import { openSession } from './opening.ts';
import { ownerProcedure } from './ownerTrpc.ts';

/** Finds the rows that hold a text, in all tables or in some. */
export const findProcedure = ownerProcedure
  .input(findNamedRowsSchema)
  .output(streams(findNamedRowsEventSchema))
  .mutation(async function* ({ ctx, input, signal = NEVER }): AsyncGenerator<FindNamedRowsEvent, void, undefined> {
    const { tables, namespaces, ...rest } = input;
    const { session } = yield* openSession(ctx, input.connectionId, signal);
    const isNamed = tables.length > 0 || namespaces.length > 0;
    const scope: FindScope = isNamed
      ? { in: 'tables', tables: await namedTables(session, { tables, namespaces }, signal) }
      : { in: 'all' };
    yield* ctx.rowFinder.find({ ...rest, scope }, signal);
  });

/** @throws DriverError `NOT_FOUND` for a namespace that no table is in */
async function namedTables(
  session: Session,
  { tables, namespaces }: { readonly tables: readonly string[]; readonly namespaces: readonly string[] },
  signal: AbortSignal,
): Promise<TableRef[]> {
  const listed = await session.listTables({ signal }).catch(noList);
  const found: TableRef[] = [];
  for (const name of tables) {
    // A table that the credentials may read but not list is named as it is.
    found.push((await findWrittenTable(session, name, signal, listed)) ?? { namespace: [], name });
  }
  for (const written of namespaces) {
    const inside = listed.filter(({ ref }) => isIn(ref, written)).map(({ ref }) => ref);
    const there = inside.length > 0 ? inside : await tablesInWritten(session, written, signal);
    if (there.length === 0)
      throw new DriverError('NOT_FOUND', `There is no table in “${written}”.`, {
        details: { field: 'namespaces', advice: 'The command "tabularium tables" prints each table with what contains it.' },
      });
    found.push(...there);
  }
  return found;
}

/** Those of a namespace that the list doesn't have. */
async function tablesInWritten(session: Session, written: string, signal: AbortSignal): Promise<readonly TableRef[]> {
  const lister = namespaceLister(session, signal);
  if (lister === undefined) return [];
  const exact = (await namespacesBefore(lister, written)).find(({ path }) => path.join('.') === written);
  if (exact === undefined) return [];
  const refuse = ({ error }: RefusedNamespace): never => {
    throw error;
  };
  return (await allTables(session, exact.path, signal, refuse)).map(({ ref }) => ref);
}

/** Whether the first names of a table's namespace, or its last one alone, are written so. */
function isIn({ namespace }: TableRef, written: string): boolean {
  return namespace.at(-1) === written || namespace.some((_name, depth) => namespace.slice(0, depth + 1).join('.') === written);
}
