import { setTimeout as delay } from 'node:timers/promises';
import type { ColumnKind, DriverError, EditsFacet, TableDescription, TableRef } from '@tabularium/sdk';
import { isDriverError, rowKeyText } from '@tabularium/sdk';
import type {
  Edit,
  EditAbility,
  EditState,
  EditedTable,
  Meanwhile,
  ReviewedChange,
  SaveEvent,
  Settlement,
  StageChange,
  StageEvent,
  StagedTable,
} from '../../common/editing.ts';
import { HostError, originOf } from '../../common/errors.ts';
import { lackingFields } from '../../common/lackingFields.ts';
import { progressStream } from '../../common/progressStream.ts';
import { currentRows } from './currentRows.ts';
import { everyFault, withLacking } from './everyFault.ts';
import type { WhollyPrepared } from './everyFault.ts';
import { tableKey } from './editStore.ts';
import { byMeaning, byText, comparedColumns, meanwhileOf, withSameChange } from './meanwhile.ts';
import { SaveRun } from './saveRun.ts';
import type { Comparison } from './saveRun.ts';
import { rowChange } from './stagedContent.ts';
import type { RowContent, StoredRow } from './stagedContent.ts';
import { TableStage } from './tableStage.ts';
import { ConnectionStore } from '../connections/connectionStore.ts';
import { EditStore } from './editStore.ts';
import { readOnlyReason, requireWritable } from '../connections/readOnlyMode.ts';
import { ON_TABLES_CHANGED } from '../data/onTablesChanged.ts';
import { Sessions } from '../data/sessions.ts';
import type { Inject } from '../container/inject.ts';
import type { HostSentence } from '../../common/hostSentences.ts';
import { hostSentence } from '../../common/hostSentences.ts';

/** A table whose rows can be edited. */
interface EditableTable {
  readonly description: TableDescription;
  readonly atomicity: EditsFacet['atomicity'];
}

/** A review compares so many rows with what they hold now; a save compares all. */
const MOST_COMPARED_IN_REVIEW = 200;

/** Milliseconds between two lists of the tables with staged changes. */
const TABLES_PAUSE = 100;

/** Staging, reviewing and saving changes of rows. */
export class Editing implements AsyncDisposable {
  static readonly inject: Inject<typeof Editing> = {
    sessions: Sessions,
    connections: ConnectionStore,
    store: EditStore,
    onSaved: ON_TABLES_CHANGED,
  };

  readonly #sessions: Pick<Sessions, 'use' | 'describe'>;
  readonly #connections: Pick<ConnectionStore, 'get'>;
  readonly #store: EditStore;
  readonly #stages = new Map<string, Map<string, TableStage>>();
  /** The last known structure of a table, so that a cell can be staged also while the server does not answer. */
  readonly #known = new Map<string, EditableTable>();
  readonly #saves = new Map<Promise<void>, { readonly stage: TableStage; readonly stopping: AbortController }>();
  readonly #tableWatchers = new Set<() => void>();
  readonly #onSaved: (connectionId: string) => void;

  constructor(services: {
    sessions: Pick<Sessions, 'use' | 'describe'>;
    connections: Pick<ConnectionStore, 'get' | 'onChange'>;
    store: EditStore;
    /** Called when rows of a connection may have been changed. */
    onSaved?: (connectionId: string) => void;
  }) {
    this.#sessions = services.sessions;
    this.#connections = services.connections;
    this.#store = services.store;
    this.#onSaved = services.onSaved ?? (() => undefined);
    services.connections.onChange(({ kind, connection }) => {
      if (kind === 'removed') this.#forget(connection.id);
    });
  }

  /** @throws what opening the connection and reading the structure throw */
  async ability(connectionId: string, table: TableRef, signal: AbortSignal): Promise<EditAbility> {
    try {
      const reason = readOnlyReason(this.#connections.get(connectionId));
      if (reason !== undefined) throw notEditable(reason);
      const { description, atomicity } = await this.#readEditable(connectionId, table, signal);
      return { allowed: true, key: description.key, atomicity };
    } catch (error) {
      if (error instanceof HostError && error.code === 'NOT_EDITABLE')
        return { allowed: false, reason: error.message, origin: originOf(error) };
      throw error;
    }
  }

  /** The tables with staged changes, of one connection or of all. */
  tables(connectionId: string | undefined): readonly EditedTable[] {
    return this.#store.tables(connectionId).map((ref) => ({ ...ref, state: this.#stage(ref.connectionId, ref.table).state }));
  }

  /** The tables with staged changes of all connections, again whenever their counts change; of changes that come together, the last. */
  async *watchTables(signal: AbortSignal): AsyncGenerator<readonly EditedTable[]> {
    let changed = Promise.withResolvers<void>();
    const wake = (): void => changed.resolve();
    this.#tableWatchers.add(wake);
    signal.addEventListener('abort', wake);
    let before: string | undefined;
    try {
      while (!signal.aborted) {
        changed = Promise.withResolvers();
        const tables = this.tables(undefined);
        const now = JSON.stringify(tables.map(({ state, ...table }) => [table, countsOf(state)]));
        if (now !== before) yield tables;
        before = now;
        await changed.promise;
        // A save of many rows has as many changes.
        await delay(TABLES_PAUSE, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      this.#tableWatchers.delete(wake);
      signal.removeEventListener('abort', wake);
    }
  }

  staged(connectionId: string, table: TableRef): StagedTable {
    return this.#stage(connectionId, table).all();
  }

  watch(connectionId: string, table: TableRef, signal: AbortSignal): AsyncIterable<StageEvent> {
    return this.#stage(connectionId, table).watch(signal);
  }

  /** Merges edits with what is staged, as one step. @throws HostError `CONNECTION_READ_ONLY`, `NOT_EDITABLE`, `SAVE_RUNNING`, `INVALID_REQUEST` */
  async stage(connectionId: string, table: TableRef, edits: readonly Edit[], signal: AbortSignal): Promise<StageChange> {
    const stage = this.#stage(connectionId, table);
    requireWritable(this.#connections.get(connectionId));
    const { description } = await this.#editable(connectionId, table, signal);
    for (const edit of edits) requireAllowed(edit, description);
    return stage.stage(edits, { kindOf: kindsOf(description), tableIdentity: description.identity });
  }

  /** Decides about rows that somebody else changed. @throws HostError `INVALID_REQUEST` where one is not as it was shown, `SAVE_RUNNING` */
  async settle(
    connectionId: string,
    table: TableRef,
    settlements: readonly Settlement[],
    signal: AbortSignal,
  ): Promise<StageChange> {
    const stage = this.#stage(connectionId, table);
    requireWritable(this.#connections.get(connectionId));
    const { description } = await this.#editable(connectionId, table, signal);
    const { key, columns } = description;
    const takes = (name: string): boolean =>
      key.includes(name) || columns.find((column) => column.name === name)?.editable.allowed !== false;
    return stage.settle(settlements, { key, takes });
  }

  undo(connectionId: string, table: TableRef): StageChange {
    return this.#stage(connectionId, table).undo();
  }

  redo(connectionId: string, table: TableRef): StageChange {
    return this.#stage(connectionId, table).redo();
  }

  discard(connectionId: string, table: TableRef, rowIds: readonly string[] | undefined): StageChange {
    return this.#stage(connectionId, table).discard(rowIds);
  }

  /** The requests of all staged changes or of some, row by row; nothing is sent. Rows are compared with what they hold now, and marked where that is another value. */
  async review(
    connectionId: string,
    table: TableRef,
    rowIds: readonly string[] | undefined,
    signal: AbortSignal,
  ): Promise<readonly ReviewedChange[]> {
    const stage = this.#stage(connectionId, table);
    const rows = rowIds === undefined ? stage.ordered() : stage.named(rowIds);
    if (rows.length === 0) return [];
    const some = rows.slice(0, MOST_COMPARED_IN_REVIEW);
    const comparison = await this.#compare(connectionId, table, some, false, signal).catch((error: unknown) => {
      signal.throwIfAborted();
      // The requests are known without the server. A save compares before it sends anything, and fails where it can't.
      if (isDriverError(error)) return undefined;
      throw error;
    });
    if (comparison?.supported === true) stage.noteMeanwhile(some, comparison.found);
    const changes = rows.map(({ content }) => rowChange(comparison?.sameChange.get(content.id) ?? content));
    const prepared = await this.#withFacet(connectionId, table, signal, (facet) =>
      everyFault(facet, table, changes, signal),
    ).catch(
      withoutServer(signal, ({ message, details: { texts } }) =>
        changes.map((): WhollyPrepared => ({
          change: { ready: false, message, ...(texts === undefined ? {} : { texts }) },
          more: [],
        })),
      ),
    );
    const lacking = await this.#editable(connectionId, table, signal)
      .then(({ description }) => this.#lacking(connectionId, description, rows, signal))
      .catch(withoutServer(signal, () => new Map<string, readonly string[]>()));
    const compared = (kind: StoredRow['content']['kind'], index: number): ReviewedChange['compared'] => {
      if (kind === 'insert') return 'notNeeded';
      if (comparison?.supported === false) return 'unsupported';
      return comparison !== undefined && index < some.length ? 'yes' : 'later';
    };
    return rows.flatMap(({ content: { id, kind, key, cells } }, index): ReviewedChange[] => {
      const one = withLacking(prepared[index], lacking.get(id));
      if (one === undefined) return [];
      return [
        {
          rowId: id,
          kind,
          ...(key === undefined ? {} : { key }),
          cells,
          compared: compared(kind, index),
          prepared: one.change,
          ...(one.more.length === 0 ? {} : { more: one.more }),
        },
      ];
    });
  }

  /**
   * Sends staged changes and reports the outcome of each; saved ones leave the stage. It ends early when the signal is aborted (a window
   * that is gone aborts it), the save is cancelled or the host stops: between two calls to the driver. A call that takes too long is broken off after a
   * cancel and at the host's end, but not for a window that is gone, perhaps to be loaded again.
   */
  save(
    connectionId: string,
    table: TableRef,
    rowIds: readonly string[] | undefined,
    signal: AbortSignal,
  ): AsyncIterable<SaveEvent> {
    const stage = this.#stage(connectionId, table);
    requireWritable(this.#connections.get(connectionId));
    const rows = toSave(stage, rowIds);
    stage.beginSave();
    const stopping = new AbortController();
    return progressStream<SaveEvent>((notify) => {
      const work = this.#save(connectionId, {
        stage,
        table,
        rows,
        notify,
        signal: AbortSignal.any([signal, stopping.signal]),
        cancelled: stopping.signal,
        compare: (some, exactly, until) => this.#compare(connectionId, table, some, exactly, until),
      });
      this.#saves.set(work, { stage, stopping });
      return work.finally(() => this.#saves.delete(work));
    });
  }

  /** Ends the table's save early, as an aborted signal does, and its stream still says what was saved. @returns the counts now */
  cancelSave(connectionId: string, table: TableRef): EditState {
    const stage = this.#stage(connectionId, table);
    for (const save of this.#saves.values()) if (save.stage === stage) save.stopping.abort();
    return stage.state;
  }

  /** Ends the saves that run. What they have not sent stays staged. */
  async [Symbol.asyncDispose](): Promise<void> {
    for (const { stopping } of this.#saves.values()) stopping.abort();
    await Promise.allSettled(this.#saves.keys());
    for (const tables of this.#stages.values()) for (const stage of tables.values()) stage.end();
  }

  async #save(connectionId: string, options: ConstructorParameters<typeof SaveRun>[0]): Promise<void> {
    const { stage, table, rows, notify, signal } = options;
    const run = new SaveRun(options);
    let failure: unknown;
    try {
      notify({ type: 'begin', rows: rows.length });
      if (rows.length > 0) await this.#withFacet(connectionId, table, signal, (facet) => run.run(facet));
    } catch (error) {
      failure = error;
    } finally {
      stage.endSave();
      if (rows.length > 0) this.#onSaved(connectionId);
    }
    notify(run.end(failure));
  }

  /** How rows differ from what was seen when they were staged. `supported`: whether rows of this table can be read by their keys. */
  async #compare(
    connectionId: string,
    table: TableRef,
    rows: readonly StoredRow[],
    exactly: boolean,
    signal: AbortSignal,
  ): Promise<Comparison & { readonly supported: boolean }> {
    // The structure that the driver gave before may be of the table that the name stood for then.
    if (rows.some(({ content }) => content.tableIdentity !== undefined))
      await this.#sessions.describe(connectionId, table, true, { signal });
    const { description } = await this.#readEditable(connectionId, table, signal);
    const elsewhere = elsewhereIn(rows, description.identity);
    const here = rows.filter(({ content }) => !elsewhere.has(content.id));
    const existing = here.filter(({ content }) => content.key !== undefined);
    const lacking = await this.#lacking(connectionId, description, here, signal);
    if (existing.length === 0) return { found: elsewhere, sameChange: new Map(), lacking, supported: true };
    const keys = existing.flatMap(({ content }) => (content.key === undefined ? [] : [content.key]));
    const compared = existing.map(({ content }) => comparedColumns(content));
    const columns = compared.includes(undefined) ? undefined : [...new Set(compared.flatMap((names) => names ?? []))];
    const current = await this.#sessions.use(connectionId, (open) => currentRows(open, description, keys, columns, signal), {
      signal,
    });
    const same = exactly ? byText : byMeaning(kindsOf(description));
    const found = existing.flatMap(({ content }): [string, Meanwhile][] => {
      const now = current?.get(rowKeyText(content.key ?? []));
      const meanwhile = now === undefined ? undefined : meanwhileOf(content, now, same);
      return meanwhile === undefined ? [] : [[content.id, meanwhile]];
    });
    const sameChange = existing.flatMap(({ content }): [string, RowContent][] => {
      const now = current?.get(rowKeyText(content.key ?? []));
      const changed = now === undefined ? content : withSameChange(content, now, same);
      return changed === content ? [] : [[content.id, changed]];
    });
    return {
      found: new Map([...elsewhere, ...found]),
      sameChange: new Map(sameChange),
      lacking,
      supported: current !== undefined,
    };
  }

  /** The required fields without a value in new rows. The structure is read again before a row is held back for it: a field may be optional by now. */
  async #lacking(
    connectionId: string,
    description: TableDescription,
    rows: readonly StoredRow[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const lacking = lackingIn(rows, description);
    if (lacking.size === 0) return lacking;
    const now = await this.#sessions.describe(connectionId, description.ref, true, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      if (isDriverError(error) || error instanceof HostError) return description;
      throw error;
    });
    return lackingIn(rows, now);
  }

  async #withFacet<T>(
    connectionId: string,
    table: TableRef,
    signal: AbortSignal,
    work: (facet: EditsFacet) => Promise<T>,
  ): Promise<T> {
    await this.#readEditable(connectionId, table, signal);
    return this.#sessions.use(
      connectionId,
      async ({ session, manifest }) => {
        if (session.edits === undefined) throw notEditable(hostSentence('rowsDriverReadOnly', { type: manifest.title }));
        return work(session.edits);
      },
      { signal },
    );
  }

  async #editable(connectionId: string, table: TableRef, signal: AbortSignal): Promise<EditableTable> {
    const known = this.#known.get(knownKey(connectionId, table));
    try {
      return await this.#readEditable(connectionId, table, signal);
    } catch (error) {
      const refused = error instanceof HostError || (isDriverError(error) && error.code === 'NOT_FOUND');
      if (known === undefined || refused) throw error;
      return known;
    }
  }

  async #readEditable(connectionId: string, table: TableRef, signal: AbortSignal): Promise<EditableTable> {
    const description = await this.#sessions.describe(connectionId, table, false, { signal });
    const editable = await this.#sessions.use(
      connectionId,
      async ({ session, manifest }) => {
        const { terms, title } = manifest;
        if (session.edits === undefined) throw notEditable(hostSentence('rowsNotEdited', { type: title, rows: terms.row.other }));
        if (description.kind !== 'table')
          throw notEditable(hostSentence('rowsOfView', { table: table.name, rows: terms.row.other }));
        if (description.key.length === 0) {
          throw notEditable(hostSentence('rowsWithoutKey', { table: table.name, row: terms.row.one }));
        }
        return { description, atomicity: session.edits.atomicity };
      },
      { signal },
    );
    this.#known.set(knownKey(connectionId, table), editable);
    return editable;
  }

  #stage(connectionId: string, table: TableRef): TableStage {
    this.#connections.get(connectionId);
    const tables = this.#stages.get(connectionId) ?? new Map<string, TableStage>();
    this.#stages.set(connectionId, tables);
    const key = tableKey(table);
    const known = tables.get(key);
    if (known !== undefined) return known;
    const stage = new TableStage({ connectionId, table }, this.#store);
    stage.onChange(() => {
      for (const wake of this.#tableWatchers) wake();
    });
    tables.set(key, stage);
    return stage;
  }

  #forget(connectionId: string): void {
    for (const stage of this.#stages.get(connectionId)?.values() ?? []) stage.forget();
    this.#stages.delete(connectionId);
    for (const key of this.#known.keys()) if (key.startsWith(connectionId)) this.#known.delete(key);
  }
}

function lackingIn(rows: readonly StoredRow[], { columns }: TableDescription): ReadonlyMap<string, readonly string[]> {
  return new Map(
    rows.flatMap(({ content }): [string, readonly string[]][] => {
      const lacks = lackingFields(content, columns);
      return lacks.length === 0 ? [] : [[content.id, lacks]];
    }),
  );
}

/** Rows that were staged for another table than the one that the name stands for now. */
function elsewhereIn(rows: readonly StoredRow[], now: string | undefined): ReadonlyMap<string, Meanwhile> {
  return new Map(
    rows.flatMap(({ content: { id, tableIdentity } }): [string, Meanwhile][] =>
      tableIdentity === undefined || now === undefined || tableIdentity === now
        ? []
        : [[id, { is: 'elsewhere', was: tableIdentity, now }]],
    ),
  );
}

function countsOf({ inserts, updates, deletes, failed, unknown, meanwhile }: EditState): readonly number[] {
  return [inserts, updates, deletes, failed, unknown, meanwhile];
}

function kindsOf({ columns }: TableDescription): (column: string) => ColumnKind {
  const kinds = new Map(columns.map(({ name, kind }) => [name, kind]));
  return (column) => kinds.get(column) ?? 'text';
}

/** A row whose fate is unknown is sent again only when a person names it. */
function toSave(stage: TableStage, rowIds: readonly string[] | undefined): readonly StoredRow[] {
  return rowIds === undefined ? stage.ordered().filter(({ problem }) => problem?.outcome !== 'unknown') : stage.named(rowIds);
}

/** A review shows what is staged also while the server doesn't answer. A save fails then. @throws everything else */
function withoutServer<T>(signal: AbortSignal, instead: (error: DriverError) => T): (error: unknown) => T {
  return (error) => {
    signal.throwIfAborted();
    if (isDriverError(error)) return instead(error);
    throw error;
  };
}

function requireAllowed(edit: Edit, { key, columns }: TableDescription): void {
  if (edit.kind === 'insert') return;
  if (!('key' in edit.row)) return;
  if (edit.row.key.length !== key.length) {
    throw new HostError('INVALID_REQUEST', `The key of a row has ${key.length} values, not ${edit.row.key.length}.`);
  }
  if (edit.kind === 'delete') return;
  for (const { column } of edit.cells) {
    const editable = columns.find(({ name }) => name === column)?.editable;
    if (editable?.allowed === false) {
      throw new HostError('NOT_EDITABLE', `"${column}": ${editable.reason}`, { details: { field: column } });
    }
  }
}

function knownKey(connectionId: string, table: TableRef): string {
  return `${connectionId} ${tableKey(table)}`;
}

function notEditable(message: HostSentence): HostError {
  return new HostError('NOT_EDITABLE', message);
}
