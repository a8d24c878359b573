import { DriverError } from '@tabularium/sdk';
import type { TableRef, TableSummary } from '@tabularium/sdk';
import { findNamedRowsEventSchema, findNamedRowsSchema } from '../../../common/findingRows.ts';
import type { FindNamedRowsEvent, FindScope } from '../../../common/findingRows.ts';
import { findTable } from '../../../common/tableName.ts';
import { streams } from '../procedureAnswer.ts';
import { NEVER } from '../trpc.ts';
import { noList } from './noList.ts';
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
    const listed = isNamed ? await session.listTables({ signal }).catch(noList) : [];
    const scope: FindScope = isNamed ? { in: 'tables', tables: namedTables(listed, { tables, namespaces }) } : { in: 'all' };
    yield* ctx.rowFinder.find({ ...rest, scope }, signal);
  });

/** @throws DriverError `NOT_FOUND` for a namespace that no table is in */
function namedTables(
  listed: readonly TableSummary[],
  { tables, namespaces }: { readonly tables: readonly string[]; readonly namespaces: readonly string[] },
): TableRef[] {
  // A table that the credentials may read but not list is named as it is.
  const named = tables.map((name): TableRef => findTable(listed, name)?.ref ?? { namespace: [], name });
  const inside = namespaces.flatMap((written) => {
    const found = listed.filter(({ ref }) => isIn(ref, written));
    if (found.length > 0) return found.map(({ ref }) => ref);
    throw new DriverError('NOT_FOUND', `There is no table in “${written}”.`, {
      details: { field: 'namespaces', advice: 'The command "tabularium tables" prints each table with what contains it.' },
    });
  });
  return [...named, ...inside];
}

/** Whether the first names of a table's namespace, or its last one alone, are written so. */
function isIn({ namespace }: TableRef, written: string): boolean {
  return namespace.at(-1) === written || namespace.some((_name, depth) => namespace.slice(0, depth + 1).join('.') === written);
}
