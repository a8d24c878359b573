import { collect } from '../../drivers/search/src/fixture.test-helper.ts';
import type { Session } from '@tabularium/sdk';
import { manifestSchema } from '@tabularium/sdk/manifest';
import type { Manifest } from '@tabularium/sdk/manifest';
import { findRowsSchema } from '../../host/src/common/findingRows.ts';
import type { FindRows, FindRowsEvent } from '../../host/src/common/findingRows.ts';
import type { OpenSession } from '../../host/src/runtime/data/sessions.ts';
import { RowFinder } from '../../host/src/runtime/finding/rowFinder.ts';

const CONNECTION = '7d9f6a52-8a3f-4f5b-9d1e-0c3a8b6f2e11';

/** The finder of rows over one session of a driver. */
export function finderOf(session: Session, packageJson: { readonly tabularium: unknown }): RowFinder {
  const manifest: Manifest = manifestSchema.parse(packageJson.tabularium);
  const use: <T>(id: string, work: (open: OpenSession) => Promise<T>) => Promise<T> = (_id, work) =>
    work({ session, manifest } as unknown as OpenSession);
  return new RowFinder(
    { use, describe: (_id, table, _reload, { signal }) => session.describeTable(table, { signal }) },
    { view: async () => ({ tables: [] }) },
  );
}

/** Finds a text in all tables of a session, or in those of the input. */
export const find = (finder: RowFinder, input: Partial<FindRows> & { readonly text: string }): Promise<FindRowsEvent[]> =>
  collect(
    finder.find(
      findRowsSchema.parse({ connectionId: CONNECTION, scope: { in: 'all' }, rowsPerTable: 100, ...input }),
      new AbortController().signal,
    ),
  );

type TableEvent = Extract<FindRowsEvent, { type: 'table' }>;

/** How a table answered, by its name. */
export function answerOf(events: readonly FindRowsEvent[], name: string): TableEvent {
  const place = events[0]?.type === 'tables' ? events[0].tables.findIndex((table) => table.name === name) : -1;
  const answer = events.find((event) => event.type === 'table' && event.place === place);
  if (answer?.type !== 'table') throw new Error(`The table ${name} has no answer.`);
  return answer;
}

/** The keys of the found rows, in order. */
export function keysOf({ outcome }: Pick<TableEvent, 'outcome'>): readonly string[] {
  if (outcome.outcome === 'nothing' || outcome.outcome === 'noColumns') return [];
  if (outcome.outcome !== 'found') throw new Error(JSON.stringify(outcome));
  return outcome.rows.map(({ key }) => key.map(({ parts }) => parts.map((part) => part.text).join('')).join()).toSorted();
}
