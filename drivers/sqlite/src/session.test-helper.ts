import { decodeBatch, NO_FILTER } from '@tabularium/sdk';
import type {
  Cell,
  ChangeOutcome,
  Filter,
  PagePosition,
  ResultEvent,
  RowChange,
  Session,
  Settings,
  Sort,
  TableRef,
} from '@tabularium/sdk';
import { driver } from './index.ts';

export const signal = new AbortController().signal;

export function ref(name: string): TableRef {
  return { namespace: [], name };
}

/** Opens a file as the host does. */
export function open(path: string, settings: Settings = {}): Promise<Session> {
  return driver.definition.connect(settings, { file: { paths: { file: path } }, log: () => undefined }, { signal });
}

export interface ReadQuestion {
  readonly filter?: Filter;
  readonly sorts?: readonly Sort[];
  readonly position?: PagePosition;
  readonly limit?: number;
}

/** The rows of a page, each as an object. */
export async function read(session: Session, table: string, question: ReadQuestion = {}): Promise<Record<string, Cell>[]> {
  const { filter = NO_FILTER, sorts = [], position = { from: 'start' }, limit = 1_000 } = question;
  const page = await session.readPage({ table: ref(table), filter, sorts, position, limit }, { signal });
  const { columns, rows } = decodeBatch(page.batch);
  return rows.map((row) => Object.fromEntries(columns.map(({ name }, index) => [name, row[index] ?? null])));
}

export async function apply(session: Session, table: string, changes: readonly RowChange[]): Promise<ChangeOutcome[]> {
  const outcomes: ChangeOutcome[] = [];
  for await (const outcome of session.edits?.apply(ref(table), changes, { signal }) ?? []) outcomes.push(outcome);
  return outcomes;
}

export async function run(session: Session, statement: string, maxRows = 1_000): Promise<ResultEvent[]> {
  const events: ResultEvent[] = [];
  for await (const event of session.console?.run(statement, { maxRows, signal }) ?? []) events.push(event);
  return events;
}
